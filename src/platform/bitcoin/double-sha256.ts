import { hash } from 'node:crypto';

/** Double SHA-256. Returns a new buffer. */
export function doubleSha256(bytes: Uint8Array): Buffer {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

/** A hash in display order: reversed bytes in hex. */
export function displayHash(internal: Uint8Array): string {
  return asBuffer(internal.toReversed()).toString('hex');
}

/** The bytes of a hash in display order. */
export function internalHash(display: string): Buffer {
  return asBuffer(Buffer.from(display, 'hex').toReversed());
}

/** A Buffer view of the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
