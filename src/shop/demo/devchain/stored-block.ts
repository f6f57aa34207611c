import { readBlockHeader } from '#src/platform/bitcoin/block-header.ts';
import type { BlockHeader } from '#src/platform/bitcoin/block-header.ts';
import { ByteReader } from '#src/platform/bitcoin/byte-reader.ts';
import { MIN_INPUT_BYTES, MIN_OUTPUT_BYTES, readTransaction } from '#src/platform/bitcoin/transaction.ts';
import type { ParsedTransaction } from '#src/platform/bitcoin/transaction.ts';

/** A block of the devchain, parsed. */
export interface StoredBlock extends BlockHeader {
  readonly height: number;
  readonly raw: Buffer;
  readonly transactions: readonly ParsedTransaction[];
}

/** @throws MalformedBytesError */
export function parseBlock(raw: Uint8Array, height: number): StoredBlock {
  const reader = new ByteReader(raw);
  const header = readBlockHeader(reader);
  const count = reader.count(MIN_INPUT_BYTES + MIN_OUTPUT_BYTES + 10);
  const transactions = Array.from({ length: count }, () => readTransaction(reader));
  reader.finish('block');
  return { ...header, height, raw: reader.bytes, transactions };
}
