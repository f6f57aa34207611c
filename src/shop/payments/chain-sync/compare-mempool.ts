/** Compares the mempool with the ledger: which payments arrived, which left. */
import { computeFirstSeenInMempool, NO_ENTRY } from '../ledger/first-seen.ts';
import type { SourceMempoolEntry } from '../ledger/first-seen.ts';
import type { BlockSource, ChainReader, RecipientScripts } from './block-source.ts';
import { findConflicts, indexSpentOutpoints, collectSpending } from './find-conflicts.ts';
import type { MempoolOutput, PendingTransaction } from '../ledger/ledger-store.ts';
import type { LeftBecause } from '../ledger/payment-state.ts';
import { readAncestors, readTransactions } from './read-transactions.ts';

export interface MempoolComparison {
  readonly source: BlockSource;
  readonly reader: ChainReader;
  /** Live unconfirmed payments of the ledger. */
  readonly pending: readonly PendingTransaction[];
  /** Scripts to look up, for a source without a full mempool. */
  readonly listScriptsToLookUp: () => Promise<readonly Uint8Array[]>;
  /**
   * All issued scripts. Called after listing the mempool, so that it includes every script a listed
   * transaction pays.
   */
  readonly loadAllScripts: () => Promise<RecipientScripts>;
  /** Mempool entries of payments; unknown ones are missing. Never throws. */
  readonly readMempoolEntries: (txids: readonly string[]) => Promise<ReadonlyMap<string, SourceMempoolEntry>>;
  /** The shop's time of this request and of the previous one. */
  readonly requestedAt: Date;
  readonly reconciledAt: Date | null;
  /** Transactions that were read before and are skipped. */
  readonly readTxids: ReadonlySet<string>;
}

export interface MempoolChanges {
  readonly arrived: readonly MempoolOutput[];
  readonly left: readonly { readonly txid: string; readonly because: LeftBecause }[];
  /** Mempool transactions read so far. */
  readonly readTxids: Set<string>;
}

/** A full mempool has 100,000 transactions; at most this many are in memory at a time. */
const READ_AT_ONCE = 1000;

export async function compareMempool(comparison: MempoolComparison): Promise<MempoolChanges> {
  const { source, reader, pending } = comparison;
  const txids = await source.listMempoolTxids(comparison.listScriptsToLookUp, () =>
    pending.map((entry) => collectSpending(entry, reader.readSpending)),
  );
  const scripts = await comparison.loadAllScripts();
  const absent = pending.filter(({ txid }) => !txids.has(txid));
  const spentOutpoints = indexSpentOutpoints(absent, reader.readSpending);

  const seen = new Set([...txids].filter((txid) => comparison.readTxids.has(txid)));
  const unread = [...txids].filter((txid) => !seen.has(txid));
  const arrived: OutputWithoutEntry[] = [];
  const replaced = new Set<string>();
  for (let start = 0; start < unread.length; start += READ_AT_ONCE) {
    const read = await readTransactions(source, unread.slice(start, start + READ_AT_ONCE));
    if (spentOutpoints.size > 0) {
      const spendings = [...read.values()].map((raw) => reader.readSpending(raw));
      for (const txid of findConflicts(spentOutpoints, spendings).keys()) replaced.add(txid);
    }
    for (const [txid, raw] of read) {
      seen.add(txid);
      const { outputs } = reader.readTransaction(raw, scripts);
      if (outputs.length === 0) continue;
      const rawAncestors = await readAncestors(source, reader, raw, txids, read);
      arrived.push(...outputs.map((output) => ({ ...output, rawAncestors })));
    }
  }
  const left = absent.map(({ txid }) => ({
    txid,
    because: replaced.has(txid) ? ('replaced' as const) : ('dropped' as const),
  }));
  const entries = await comparison.readMempoolEntries([...new Set(arrived.map(({ txid }) => txid))]);
  return {
    arrived: arrived.map((output) => addMempoolEntry(output, entries.get(output.txid), comparison)),
    left,
    readTxids: seen,
  };
}

type OutputWithoutEntry = Omit<MempoolOutput, 'firstSeenRange' | 'feePerKvb'>;

function addMempoolEntry(
  output: OutputWithoutEntry,
  entry: SourceMempoolEntry | undefined,
  { requestedAt, reconciledAt }: Pick<MempoolComparison, 'requestedAt' | 'reconciledAt'>,
): MempoolOutput {
  const known = entry ?? NO_ENTRY;
  return {
    ...output,
    firstSeenRange: computeFirstSeenInMempool(known, reconciledAt, requestedAt),
    feePerKvb: known.feePerKvb,
  };
}
