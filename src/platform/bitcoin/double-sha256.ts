import { hash } from 'node:crypto';

/** SHA-256 twice, Bitcoin's hash. Answers a buffer of its own. */
export function doubleSha256(bytes: Uint8Array): Buffer {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

/** A hash as explorers show it: reversed bytes in hex. */
export function displayHash(internal: Uint8Array): string {
  return asBuffer(internal.toReversed()).toString('hex');
}

/** The bytes of a hash given as explorers show it. */
export function internalHash(display: string): Buffer {
  return asBuffer(Buffer.from(display, 'hex').toReversed());
}

/** A view on the same memory with Buffer's readers. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
