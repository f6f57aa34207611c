import type { ReadSpending, Spending } from './find-conflicts.ts';
import type { FoundOutput } from '../ledger/ledger-store.ts';

/** What chain sync needs from a chain source. Each call may throw, which ends the pass. */
export interface BlockSource {
  readTip(): Promise<{ readonly height: number; readonly hash: string }>;
  readBlockHash(height: number): Promise<string | null>;
  readRawBlock(hash: string): Promise<Uint8Array>;
  listMempoolTxids(
    scripts: () => Promise<readonly Uint8Array[]>,
    waiting: () => readonly Spending[],
  ): Promise<ReadonlySet<string>>;
  readRawTransaction(txid: string): Promise<Uint8Array | null>;
}

/** Recipients (an order or a refund address) by output script in lower-case hex. */
export type RecipientScripts = ReadonlyMap<string, string>;

/** Parses serialized blocks and transactions. */
export interface ChainReader {
  readBlock(
    raw: Uint8Array,
    scripts: RecipientScripts,
  ): { hash: string; prevHash: string; time: Date; outputs: FoundOutput[] };
  readTransaction(raw: Uint8Array, scripts: RecipientScripts): { txid: string; outputs: FoundOutput[] };
  readSpending: ReadSpending;
  /** Transactions of a block that spend one of the outpoints, each with the outpoints it spends. */
  listSpendings(rawBlock: Uint8Array, outpoints: { has(outpoint: string): boolean }): Iterable<Spending>;
}
