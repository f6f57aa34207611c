import { z } from 'zod';
import { ChainSourceError } from '../chain-source.ts';
import type { EsploraClient } from './esplora-client.ts';

/** In seconds, in the order of what was asked; 0 for a transaction that it does not have. */
const times = z.array(z.number().int().nonnegative());

/**
 * When the server first had these transactions. mempool.space's says so, below a path of its own; other servers do not:
 * then nothing is known, which is no fault.
 */
export async function readFirstSeenTimes(
  client: EsploraClient,
  txids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (txids.length === 0) return new Map();
  try {
    const query = txids.map((txid) => `txId[]=${txid}`).join('&');
    const seconds = (await client.json(`/v1/transaction-times?${query}`, times)) ?? [];
    return new Map(
      txids.flatMap((txid, index) => {
        const at = seconds[index] ?? 0;
        return at > 0 ? [[txid, new Date(at * 1000)]] : [];
      }),
    );
  } catch (error) {
    if (error instanceof ChainSourceError) return new Map();
    throw error;
  }
}
