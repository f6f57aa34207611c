/** Output descriptors of one key (BIP380, BIP382, BIP386): what hardware wallets export, and what any wallet imports. */

const INPUT = `0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH\`#"\\ `;
const CHECKSUM = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
const CHECKSUM_LENGTH = 8;

function polymod(symbols: readonly number[]): bigint {
  let remainder = 1n;
  for (const symbol of symbols) {
    const top = remainder >> 35n;
    remainder = ((remainder & 0x7ffffffffn) << 5n) ^ BigInt(symbol);
    for (const [bit, term] of GENERATOR.entries()) if ((top >> BigInt(bit)) & 1n) remainder ^= term;
  }
  return remainder;
}

/** The eight letters that follow `#`; null for a text that no descriptor is made of. Source: BIP380. */
export function descriptorChecksum(descriptor: string): string | null {
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
  const sum = polymod([...symbols, ...Array.from({ length: CHECKSUM_LENGTH }, () => 0)]) ^ 1n;
  return Array.from({ length: CHECKSUM_LENGTH }, (_, at) => {
    return CHECKSUM[Number((sum >> BigInt(5 * (CHECKSUM_LENGTH - 1 - at))) & 31n)];
  }).join('');
}

/** @throws RangeError for a text that no descriptor is made of. */
export function addChecksum(descriptor: string): string {
  const checksum = descriptorChecksum(descriptor);
  if (checksum === null) throw new RangeError('a descriptor is plain ASCII');
  return `${descriptor}#${checksum}`;
}

/** Where an account's key comes from. */
export interface KeyOrigin {
  /** Of the master key: eight hex digits. */
  readonly fingerprint: string;
  /** Steps from the master key to this one; all hardened. */
  readonly path: readonly number[];
}

export const formatPath = (path: readonly number[]): string => path.map((step) => `/${step}h`).join('');

export interface KeyExpression {
  /** As it was written, in base58. */
  readonly key: string;
  readonly origin: KeyOrigin | null;
  /** The script that a descriptor says; null for a key without one. */
  readonly script: string | null;
}

export type KeyExpressionResult =
  | { readonly ok: true; readonly expression: KeyExpression }
  | { readonly ok: false; readonly reason: 'checksum' | 'form' | 'branch' };

const KEY = String.raw`(?:\[([0-9a-fA-F]{8})((?:/\d{1,10}[hH'])*)\])?([1-9A-HJ-NP-Za-km-z]+)((?:/[^()#]*)?)`;
const BARE = new RegExp(`^${KEY}$`);
const WRAPPED = new RegExp(String.raw`^([a-z]+)\(${KEY}\)$`);
/** What the shop derives from an account: its receiving branch, alone or beside the one for change. */
const BRANCH = /^(?:\/0\/\*|\/<0;1>\/\*)?$/;

/**
 * Reads `xpub…`, `[fingerprint/84h/0h/0h]xpub…`, the same with `/0/*` or `/<0;1>/*` behind it, and `wpkh(…)` or another
 * function of one key around it, with or without a checksum, which must be right.
 */
export function readKeyExpression(text: string): KeyExpressionResult {
  const [body = '', ...sums] = text.split('#');
  if (sums.length > 1 || (sums[0] !== undefined && sums[0] !== descriptorChecksum(body))) {
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
