import { readBlockHeader } from './block-header.ts';
import { ByteReader } from './byte-reader.ts';
import { MIN_INPUT_BYTES, readTransaction } from './transaction.ts';

/** What a transaction spends, of the outpoints asked about: `txid:vout` each. */
export interface Spends {
  readonly txid: string;
  readonly outpoints: readonly string[];
}

/** The transactions of a block that spend one of the outpoints given. @throws MalformedBytesError */
export function findSpends(rawBlock: Uint8Array, outpoints: { has(outpoint: string): boolean }): Spends[] {
  const reader = new ByteReader(rawBlock);
  readBlockHeader(reader);
  const found: Spends[] = [];
  for (let left = reader.count(MIN_INPUT_BYTES); left > 0; left -= 1) {
    const { txid, inputs } = readTransaction(reader);
    const spent = inputs.map((input) => `${input.txid}:${input.vout}`).filter((outpoint) => outpoints.has(outpoint));
    if (spent.length > 0) found.push({ txid, outpoints: spent });
  }
  return found;
}
