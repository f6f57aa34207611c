import { scanBlock, scanTransaction } from './block.ts';
import { readBlockHeader } from './block-header.ts';
import type { BlockHeader } from './block-header.ts';
import { ByteReader, MalformedBytesError } from './byte-reader.ts';
import { ChainSourceError } from './chain-source.ts';
import type { BitcoinNetwork } from './network.ts';
import { hasProofOfWork } from './proof-of-work.ts';

const NOTHING = new Map<string, never>();

/** Runs a parser on external bytes; errors are the source's. */
function read<T>(who: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MalformedBytesError)) throw error;
    throw new ChainSourceError(`${who} returned an invalid response: ${error.message}`, { cause: error });
  }
}

/**
 * The header at the start of a block, if it has the requested hash.
 * @throws ChainSourceError
 */
export function verifyHeader(who: string, raw: Uint8Array, hash: string): BlockHeader {
  const header = read(who, () => readBlockHeader(new ByteReader(raw)));
  if (header.hash !== hash) throw new ChainSourceError(`${who} returned block ${header.hash} instead of ${hash}`);
  return header;
}

/**
 * The header of a verified block: requested hash, enough proof of work, matching merkle root.
 * @throws ChainSourceError
 */
export function verifyBlock(who: string, raw: Uint8Array, hash: string, network: BitcoinNetwork): BlockHeader {
  const header = verifyHeader(who, raw, hash);
  if (!hasProofOfWork(hash, header.bits, network.minWorkBits)) {
    throw new ChainSourceError(`${who} returned block ${hash} without the proof of work that ${network.name} requires`);
  }
  read(who, () => scanBlock(raw, NOTHING, network));
  return header;
}

/**
 * The bytes, if they are the requested transaction.
 * @throws ChainSourceError
 */
export function verifyTransaction(who: string, raw: Uint8Array, txid: string): Uint8Array {
  const found = read(who, () => scanTransaction(raw, NOTHING));
  if (found.txid !== txid) {
    throw new ChainSourceError(`${who} returned transaction ${found.txid} instead of ${txid}`);
  }
  return raw;
}
