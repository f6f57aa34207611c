/** Little-endian parts of Bitcoin's serialization. */

export function encodeUint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function encodeUint64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

export function encodeCompactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value]);
  if (value <= 0xffff) return Buffer.from([0xfd, value & 0xff, value >> 8]);
  return Buffer.concat([Buffer.from([0xfe]), encodeUint32(value)]);
}

export function encodeWithLength(bytes: Uint8Array): Buffer {
  return Buffer.concat([encodeCompactSize(bytes.length), bytes]);
}
