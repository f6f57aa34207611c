/**
 * The account key in a file that a wallet exported. Sources: formats of Coldcard (generic JSON), Specter Desktop,
 * Electrum, Bitcoin Core (listdescriptors), Sparrow (descriptor text, and the formats before), and BIP129 (BSMS).
 */
import { z } from 'zod';
import { scriptRules } from './wallet-script.ts';
import type { WalletScript } from './wallet-script.ts';

/** Longer texts contain more than one wallet. */
export const MAX_EXPORT_CHARACTERS = 100_000;

const text = z.string();
const account = z.object({ xpub: text, deriv: text });
const fileShape = z
  .object({
    /** Specter, and others after it. */
    descriptor: text,
    recv_descriptor: text,
    /** Bitcoin Core. */
    descriptors: z.array(z.object({ desc: text, internal: z.boolean().optional() })),
    /** Coldcard: the fingerprint of the master key, and an account for each purpose. */
    xfp: text,
    bip84: account,
    bip86: account,
    /** Electrum. */
    keystore: z.object({ xpub: text, derivation: text.nullish(), root_fingerprint: text.nullish() }),
    /** Sparrow. */
    keystores: z.array(
      z.object({
        extendedPublicKey: text,
        keyDerivation: z.object({ masterFingerprint: text, derivationPath: text }),
      }),
    ),
  })
  .partial();
type WalletFile = z.output<typeof fileShape>;

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
}

/** `[fingerprint/84h/0h/0h]xpub`, or the key alone without a known origin. */
function formatKey(xpub: string, fingerprint: string | null | undefined, path: string | null | undefined): string {
  const steps = (path ?? '').replace(/^m/, '');
  return fingerprint && steps !== '' ? `[${fingerprint}${steps}]${xpub}` : xpub;
}

function findInFile(file: WalletFile, script: WalletScript): string | null {
  const { descriptor, purpose } = scriptRules[script];
  const [keystore, ...others] = file.keystores ?? [];
  const listed = file.descriptors?.filter(({ internal = false }) => !internal).map(({ desc }) => desc) ?? [];
  const found =
    file.descriptor ?? file.recv_descriptor ?? listed.find((desc) => desc.startsWith(`${descriptor}(`)) ?? listed[0];
  if (found !== undefined) return found;
  const coldcard = purpose === 84 ? file.bip84 : file.bip86;
  if (coldcard !== undefined) return formatKey(coldcard.xpub, file.xfp, coldcard.deriv);
  if (file.keystore !== undefined) {
    return formatKey(file.keystore.xpub, file.keystore.root_fingerprint, file.keystore.derivation);
  }
  if (keystore === undefined || others.length > 0) return null;
  const { masterFingerprint, derivationPath } = keystore.keyDerivation;
  return formatKey(keystore.extendedPublicKey, masterFingerprint, derivationPath);
}

const BSMS = 'BSMS 1.0';

/** Lines with content; `#` begins a comment of Sparrow. */
const listLines = (written: string): readonly string[] =>
  written
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

const isFile = (written: string): boolean => written.startsWith('{');

/**
 * The key or descriptor in the export of a wallet; a text of one line is returned as it is. Null if a file has none of
 * a single-key account.
 */
export function findExportedKey(written: string, script: WalletScript): string | null {
  if (isFile(written)) {
    const parsed = fileShape.safeParse(parseJson(written));
    return parsed.success ? findInFile(parsed.data, script) : null;
  }
  const [first = '', second = '', third = ''] = listLines(written);
  if (first !== BSMS) return first;
  // A descriptor record, or the key record of one signer after its token.
  return /^[0-9a-f]*$/i.test(second) ? third : second;
}

/** Texts that people write may have any words. */
const LABELS: ReadonlySet<string> = new Set(['label', 'name', 'alias', 'description', 'notes', 'comment']);

/** Texts of an export that may be secrets: all of a file but its labels, lines of BSMS, else the text without comments. */
export function listSecretCandidates(written: string): readonly string[] {
  const found: string[] = [];
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string' && !LABELS.has(key)) found.push(value);
    if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) collect(child, name);
    }
  };
  const parsed = isFile(written) ? parseJson(written) : null;
  if (parsed === null) {
    const lines = listLines(written);
    return lines[0] === BSMS ? lines : [lines.join('\n')];
  }
  collect(parsed, '');
  return found;
}
