import type { ByteReader } from './byte-reader.ts';
import { displayHash, doubleSha256 } from './double-sha256.ts';

export const HEADER_BYTES = 80;

export interface BlockHeader {
  readonly hash: string;
  readonly version: number;
  readonly prevHash: string;
  readonly merkleRoot: string;
  /** Unix time in seconds, set by the miner. */
  readonly time: number;
  readonly bits: number;
  readonly nonce: number;
}

/** @throws MalformedBytesError if fewer than 80 bytes are left */
export function readBlockHeader(reader: ByteReader): BlockHeader {
  const start = reader.skip(HEADER_BYTES);
  const header = reader.bytes.subarray(start, start + HEADER_BYTES);
  return {
    hash: displayHash(doubleSha256(header)),
    version: header.readInt32LE(0),
    prevHash: displayHash(header.subarray(4, 36)),
    merkleRoot: displayHash(header.subarray(36, 68)),
    time: header.readUInt32LE(68),
    bits: header.readUInt32LE(72),
    nonce: header.readUInt32LE(76),
  };
}
