/** What the mempool says to the ledger: which payments have arrived, which have left. */
import { arrivalInMempool, NO_ENTRY } from '../ledger/arrival.ts';
import type { SourceEntry } from '../ledger/arrival.ts';
import type { BlockSource, ChainReader, PayeeScripts } from './block-source.ts';
import { conflictsOf, footingOf, standOf } from './find-conflicts.ts';
import type { ArrivedOutput, PendingTransaction } from '../ledger/ledger-store.ts';
import type { LeftBecause } from '../ledger/payment-state.ts';
import { readAncestors, readTransactions } from './read-transactions.ts';

export interface MempoolQuestion {
  readonly source: BlockSource;
  readonly reader: ChainReader;
  /** Of the ledger: live and unconfirmed. */
  readonly pending: readonly PendingTransaction[];
  /** The scripts to ask a source for that looks up single ones. */
  readonly scriptsToAsk: () => Promise<readonly Uint8Array[]>;
  /** Every script issued; called after the mempool was listed, so that whatever it pays was issued, and committed, before. */
  readonly allScripts: () => Promise<PayeeScripts>;
  /** What the source knows of payments; those that it does not know of are left out. Never throws. */
  readonly entriesOf: (txids: readonly string[]) => Promise<ReadonlyMap<string, SourceEntry>>;
  /** When the mempool is asked, by the shop's clock, and when it last was. */
  readonly asked: Date;
  readonly reconciledAt: Date | null;
  /** Transactions that were read before and need not be read again. */
  readonly looked: ReadonlySet<string>;
}

export interface MempoolNews {
  readonly arrived: readonly ArrivedOutput[];
  readonly left: readonly { readonly txid: string; readonly because: LeftBecause }[];
  /** Those of the mempool that have been read by now. */
  readonly looked: Set<string>;
}

/** The first look at a full mempool is 100,000 transactions: so many are held at once. */
const READ_AT_ONCE = 1000;

export async function compareMempool(question: MempoolQuestion): Promise<MempoolNews> {
  const { source, reader, pending } = question;
  const txids = await source.mempoolTxids(question.scriptsToAsk, () =>
    pending.map((one) => standOf(one, reader.spending)),
  );
  const scripts = await question.allScripts();
  const gone = pending.filter(({ txid }) => !txids.has(txid));
  const footing = footingOf(gone, reader.spending);

  const looked = new Set([...txids].filter((txid) => question.looked.has(txid)));
  const unread = [...txids].filter((txid) => !looked.has(txid));
  const arrived: Unentered[] = [];
  const replaced = new Set<string>();
  for (let start = 0; start < unread.length; start += READ_AT_ONCE) {
    const read = await readTransactions(source, unread.slice(start, start + READ_AT_ONCE));
    if (footing.size > 0) {
      const spendings = [...read.values()].map((raw) => reader.spending(raw));
      for (const txid of conflictsOf(footing, spendings).keys()) replaced.add(txid);
    }
    for (const [txid, raw] of read) {
      looked.add(txid);
      const { outputs } = reader.transaction(raw, scripts);
      if (outputs.length === 0) continue;
      const rawAncestors = await readAncestors(source, reader, raw, txids, read);
      arrived.push(...outputs.map((output) => ({ ...output, rawAncestors })));
    }
  }
  const left = gone.map(({ txid }) => ({
    txid,
    because: replaced.has(txid) ? ('replaced' as const) : ('dropped' as const),
  }));
  const entries = await question.entriesOf([...new Set(arrived.map(({ txid }) => txid))]);
  return { arrived: arrived.map((output) => enter(output, entries.get(output.txid), question)), left, looked };
}

type Unentered = Omit<ArrivedOutput, 'arrival' | 'feePerKvb'>;

function enter(
  output: Unentered,
  entry: SourceEntry | undefined,
  { asked, reconciledAt }: Pick<MempoolQuestion, 'asked' | 'reconciledAt'>,
): ArrivedOutput {
  const known = entry ?? NO_ENTRY;
  return { ...output, arrival: arrivalInMempool(known, reconciledAt, asked), feePerKvb: known.feePerKvb };
}
