/** Random tokens for browsers and API clients. Only their hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_PATTERN = /^[\w-]{43}$/;

/** 256 random bits, base64url: 43 characters. */
function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a token. Null if its format is wrong. A random token needs no salt and no slow hash. */
export function hashToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? sha256(token) : null;
}

/** A new token and its hash. */
export function issueToken(): { readonly token: string; readonly hash: Buffer } {
  const token = createToken();
  return { token, hash: sha256(token) };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
