import { hash } from 'node:crypto';

/** Double SHA-256. Returns a new buffer. */
export function doubleSha256(bytes: Uint8Array): Buffer {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

/** A hash in display order: reversed bytes in hex. */
export function displayHash(internal: Uint8Array): string {
  return toBuffer(internal.toReversed()).toString('hex');
}

/** The bytes of a hash in display order. */
export function toInternalHash(display: string): Buffer {
  return toBuffer(Buffer.from(display, 'hex').toReversed());
}

/** A Buffer view of the same memory. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
