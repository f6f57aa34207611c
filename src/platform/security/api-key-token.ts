/**
 * API keys: a prefix that secret scanners recognize, 256 random bits, and a checksum that finds typos before the
 * database is asked.
 */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type ApiKeyMode = 'live' | 'demo';

const PATTERN = /^(cmk_(?:live|demo)_[0-9a-f]{64})([0-9a-f]{8})$/;
const HINT_END = 4;

const computeChecksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a token claims to be an API key. */
export const isApiKey = (token: string): boolean => token.startsWith('cmk_');

/** A new key, its hash, and a hint to recognize it. */
export function issueApiKey(mode: ApiKeyMode): { readonly key: string; readonly hash: Buffer; readonly hint: string } {
  const start = `cmk_${mode}_${randomBytes(32).toString('hex')}`;
  const key = `${start}${computeChecksum(start)}`;
  return { key, hash: sha256(key), hint: `cmk_${mode}_…${key.slice(-HINT_END)}` };
}

/** SHA-256 of a key. Null if its format or its checksum is wrong, or if it is of the other mode. */
export function hashApiKey(key: string, mode: ApiKeyMode): Buffer | null {
  const [, start, checksum] = PATTERN.exec(key) ?? [];
  if (start === undefined || computeChecksum(start) !== checksum) return null;
  return start.startsWith(`cmk_${mode}_`) ? sha256(key) : null;
}
