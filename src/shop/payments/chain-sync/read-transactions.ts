import type { BlockSource, ChainReader } from './block-source.ts';

const READS_AT_ONCE = 16;
/** Bitcoin Core's default limit of unconfirmed ancestors. */
const MAX_ANCESTORS = 25;

/** Raw transactions by txid. Transactions that left the mempool are missing. */
export async function readTransactions(
  source: Pick<BlockSource, 'readRawTransaction'>,
  txids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const transactions = new Map<string, Uint8Array>();
  for (let start = 0; start < txids.length; start += READS_AT_ONCE) {
    const some = txids.slice(start, start + READS_AT_ONCE);
    const raws = await Promise.all(some.map((txid) => source.readRawTransaction(txid)));
    for (const [index, txid] of some.entries()) {
      const raw = raws[index];
      if (raw) transactions.set(txid, raw);
    }
  }
  return transactions;
}

/** Raw unconfirmed ancestors of a transaction, most distant first. */
export async function readAncestors(
  source: Pick<BlockSource, 'readRawTransaction'>,
  reader: Pick<ChainReader, 'readSpending'>,
  raw: Uint8Array,
  mempool: ReadonlySet<string>,
  fresh: ReadonlyMap<string, Uint8Array>,
): Promise<Uint8Array[]> {
  const transactions = new Map<string, Uint8Array>();
  const queue = [raw];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const outpoint of reader.readSpending(next).outpoints) {
      const parent = outpoint.slice(0, outpoint.indexOf(':'));
      if (!mempool.has(parent) || transactions.has(parent) || transactions.size === MAX_ANCESTORS) continue;
      const parentRaw = fresh.get(parent) ?? (await source.readRawTransaction(parent));
      if (parentRaw === null) continue;
      transactions.set(parent, parentRaw);
      queue.push(parentRaw);
    }
  }
  return [...transactions.values()].toReversed();
}
