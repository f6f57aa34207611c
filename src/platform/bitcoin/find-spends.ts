import { readBlockHeader } from './block-header.ts';
import { ByteReader } from './byte-reader.ts';
import { MIN_INPUT_BYTES, readTransaction } from './transaction.ts';

/** A transaction and those of the outpoints (`txid:vout`) that it spends. */
export interface Spends {
  readonly txid: string;
  readonly outpoints: readonly string[];
}

/**
 * Transactions of a block that spend one of the outpoints.
 * @throws MalformedBytesError
 */
export function findSpends(rawBlock: Uint8Array, outpoints: { has(outpoint: string): boolean }): Spends[] {
  const reader = new ByteReader(rawBlock);
  readBlockHeader(reader);
  const spends: Spends[] = [];
  for (let left = reader.count(MIN_INPUT_BYTES); left > 0; left -= 1) {
    const { txid, inputs } = readTransaction(reader);
    const spent = inputs.map((input) => `${input.txid}:${input.vout}`).filter((outpoint) => outpoints.has(outpoint));
    if (spent.length > 0) spends.push({ txid, outpoints: spent });
  }
  return spends;
}
