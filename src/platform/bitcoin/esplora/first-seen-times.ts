import { z } from 'zod';
import { ChainSourceError } from '../chain-source.ts';
import type { EsploraClient } from './esplora-client.ts';

/** Unix seconds in request order; 0 for unknown transactions. */
const times = z.array(z.number().int().nonnegative());

/** First-seen times of transactions. Only mempool.space servers report them; otherwise unknown. */
export async function readFirstSeenTimes(
  client: EsploraClient,
  txids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (txids.length === 0) return new Map();
  try {
    const query = txids.map((txid) => `txId[]=${txid}`).join('&');
    const seconds = (await client.readJson(`/v1/transaction-times?${query}`, times)) ?? [];
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
