import type { ReadSpending, Spending } from './find-conflicts.ts';
import type { FoundOutput } from '../ledger/ledger-store.ts';

/** What the walk asks of a chain source; each call may throw, and then the pass is given up. */
export interface BlockSource {
  tip(): Promise<{ readonly height: number; readonly hash: string }>;
  blockHash(height: number): Promise<string | null>;
  rawBlock(hash: string): Promise<Uint8Array>;
  mempoolTxids(
    scripts: () => Promise<readonly Uint8Array[]>,
    waiting: () => readonly Spending[],
  ): Promise<ReadonlySet<string>>;
  rawTransaction(txid: string): Promise<Uint8Array | null>;
}

/** Output scripts in lower-case hex, with the payee each belongs to: an order, or where refunds go. */
export type RecipientScripts = ReadonlyMap<string, string>;

/** Reads what the network serialised. */
export interface ChainReader {
  block(
    raw: Uint8Array,
    scripts: RecipientScripts,
  ): { hash: string; prevHash: string; time: Date; outputs: FoundOutput[] };
  transaction(raw: Uint8Array, scripts: RecipientScripts): { txid: string; outputs: FoundOutput[] };
  spending: ReadSpending;
  /** The transactions of a block that spend one of the outpoints, each with those of them that it spends. */
  spendingsIn(rawBlock: Uint8Array, outpoints: { has(outpoint: string): boolean }): Iterable<Spending>;
}
