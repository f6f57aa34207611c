/** Output descriptors of one key (BIP380, BIP382, BIP386), as wallets export and import them. */

const INPUT = `0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH\`#"\\ `;
const CHECKSUM = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
const CHECKSUM_LENGTH = 8;

function computePolymod(symbols: readonly number[]): bigint {
  let remainder = 1n;
  for (const symbol of symbols) {
    const top = remainder >> 35n;
    remainder = ((remainder & 0x7ffffffffn) << 5n) ^ BigInt(symbol);
    for (const [bit, term] of GENERATOR.entries()) if ((top >> BigInt(bit)) & 1n) remainder ^= term;
  }
  return remainder;
}

/** Descriptor checksum (BIP380); null for invalid characters. */
export function computeDescriptorChecksum(descriptor: string): string | null {
  const symbols: number[] = [];
  let group = 0;
  let inGroup = 0;
  for (const character of descriptor) {
    const at = INPUT.indexOf(character);
    if (at < 0) return null;
    symbols.push(at & 31);
    group = group * 3 + (at >> 5);
    inGroup += 1;
    if (inGroup < 3) continue;
    symbols.push(group);
    group = 0;
    inGroup = 0;
  }
  if (inGroup > 0) symbols.push(group);
  const sum = computePolymod([...symbols, ...Array.from({ length: CHECKSUM_LENGTH }, () => 0)]) ^ 1n;
  return Array.from({ length: CHECKSUM_LENGTH }, (_, at) => {
    return CHECKSUM[Number((sum >> BigInt(5 * (CHECKSUM_LENGTH - 1 - at))) & 31n)];
  }).join('');
}

/** @throws RangeError for invalid characters. */
export function addChecksum(descriptor: string): string {
  const checksum = computeDescriptorChecksum(descriptor);
  if (checksum === null) throw new RangeError('a descriptor is plain ASCII');
  return `${descriptor}#${checksum}`;
}

/** Origin of an account key. */
export interface KeyOrigin {
  /** Fingerprint of the master key, eight hex digits. */
  readonly fingerprint: string;
  /** Hardened derivation path from the master key. */
  readonly path: readonly number[];
}

export const formatPath = (path: readonly number[]): string => path.map((step) => `/${step}h`).join('');

export interface KeyExpression {
  /** Base58 form as given. */
  readonly key: string;
  readonly origin: KeyOrigin | null;
  /** Script type of the descriptor; null for a bare key. */
  readonly script: string | null;
}

export type KeyExpressionResult =
  | { readonly ok: true; readonly expression: KeyExpression }
  | { readonly ok: false; readonly reason: 'checksum' | 'form' | 'branch' };

const KEY = String.raw`(?:\[([0-9a-fA-F]{8})((?:/\d{1,10}[hH'])*)\])?([1-9A-HJ-NP-Za-km-z]+)((?:/[^()#]*)?)`;
const BARE = new RegExp(`^${KEY}$`);
const WRAPPED = new RegExp(String.raw`^([a-z]+)\(${KEY}\)$`);
/** Branches of the account: receiving, alone or with change (of BIP129 as `/**`). */
const BRANCH = /^(?:\/0\/\*|\/<0;1>\/\*|\/\*\*)?$/;

/**
 * Parses `xpub…`, `[fingerprint/84h/0h/0h]xpub…`, either followed by `/0/*` or `/<0;1>/*`, or a
 * descriptor around it, with or without checksum.
 */
export function readKeyExpression(text: string): KeyExpressionResult {
  const [body = '', ...sums] = text.split('#');
  if (sums.length > 1 || (sums[0] !== undefined && sums[0] !== computeDescriptorChecksum(body))) {
    return { ok: false, reason: 'checksum' };
  }
  const wrapped = WRAPPED.exec(body);
  const [fingerprint, steps = '', key = '', branch = ''] = wrapped?.slice(2) ?? BARE.exec(body)?.slice(1) ?? [];
  if (key === '') return { ok: false, reason: 'form' };
  if (!BRANCH.test(branch)) return { ok: false, reason: 'branch' };
  const path = [...steps.matchAll(/\d+/g)].map(([step]) => Number(step));
  if (path.some((step) => step > 0x7fff_ffff)) return { ok: false, reason: 'form' };
  const origin = fingerprint === undefined ? null : { fingerprint: fingerprint.toLowerCase(), path };
  return { ok: true, expression: { key, origin, script: wrapped?.[1] ?? null } };
}
