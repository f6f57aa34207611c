import type { LeftBecause } from './payment-state.ts';

/** Position of chain sync. Hashes and txids are lower-case hex in display order. */
export interface ChainCursor {
  readonly network: string;
  /** The newest block applied. */
  readonly height: number;
  readonly hash: string;
  /**
   * Grows by one with each commit of chain sync. Writes require the revision at which their data
   * was read.
   */
  readonly revision: number;
  /** When the ledger last equalled the source, by the shop's clock. */
  readonly reconciledAt: Date | null;
}

export interface ChainBlock {
  readonly height: number;
  readonly hash: string;
  readonly time: Date;
}

/** An output in a block or the mempool that pays an order or a refund address. */
export interface FoundOutput {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: bigint;
  readonly isCoinbase: boolean;
  readonly rawTx: Uint8Array;
  /** Id of the order, or of the script that a refund is sent to. */
  readonly recipientId: string;
}

/** When an output arrived, as far as known. */
export interface FirstSeenRange {
  readonly firstSeen: Date;
  /**
   * If the exact arrival is unknown: it was after this moment and by `firstSeen`. Null if exact.
   */
  readonly arrivedAfter: Date | null;
}

export interface MempoolOutput extends FoundOutput {
  /** Raw unconfirmed ancestors: for rebroadcast, and to detect conflicts with them. */
  readonly rawAncestors: readonly Uint8Array[];
  /** Omitted if it equals the time it was seen. */
  readonly firstSeenRange?: FirstSeenRange;
  /** Sats per 1,000 virtual bytes; null or omitted if unknown. */
  readonly feePerKvb?: bigint | null;
}

/** A live transaction that is unconfirmed or in a block about to be undone. */
export interface PendingTransaction {
  readonly txid: string;
  readonly rawTx: Uint8Array;
  readonly rawAncestors: readonly Uint8Array[];
}

/**
 * A payment and a confirmed transaction that spends the same outpoints as it or its unconfirmed
 * ancestors.
 */
export interface Conflict {
  readonly txid: string;
  readonly by: string;
}

/**
 * Maximum number of payments that left to check for conflicts, so that a flood of them does not
 * slow chain sync.
 */
export const MAX_LEFT = 1000;

interface IssuedScript {
  readonly script: Uint8Array;
  readonly scriptHex: string;
  readonly recipientId: string;
}

/** Issued scripts, with the mark for the next call. */
interface IssuedSince {
  readonly scripts: readonly IssuedScript[];
  readonly mark: string | null;
}

/** Writes of one transaction. Those that change rows return the affected recipients. */
export interface LedgerTransaction {
  /** Creates the cursor. False if another process did so first. */
  start(network: string, block: ChainBlock): Promise<boolean>;
  /**
   * Compare-and-set: locks the cursor row and moves it if its revision is unchanged. False
   * otherwise; the caller then rolls back.
   */
  moveCursor(revision: number, to: { height: number; hash: string; reconciledAt?: Date }): Promise<boolean>;
  /**
   * Removes the blocks above a height and unconfirms their outputs and conflicts. Outputs stay live
   * until compared with the mempool; coinbase outputs leave.
   */
  removeBlocksAbove(height: number, at: Date): Promise<readonly string[]>;
  /** In ascending height. */
  addBlocks(blocks: readonly ChainBlock[]): Promise<void>;
  /**
   * Records outputs in a block: new ones with `firstSeen`, known ones keep theirs. `arrivedAfter`
   * as in `FirstSeenRange`.
   */
  addBlockOutputs(
    outputs: readonly FoundOutput[],
    block: ChainBlock,
    firstSeen: Date,
    arrivedAfter?: Date | null,
  ): Promise<readonly string[]>;
  /**
   * Records outputs in the mempool: new ones with `firstSeen` unless they carry a time. Outputs
   * that had left are live again.
   */
  addMempoolOutputs(outputs: readonly MempoolOutput[], firstSeen: Date): Promise<readonly string[]>;
  /** Marks the live unconfirmed outputs of these transactions as left. */
  markLeft(left: readonly { txid: string; because: LeftBecause }[], at: Date): Promise<readonly string[]>;
  /** Records a confirmed conflict at this height for payments that are not live. */
  markConflicts(conflicts: readonly Conflict[], height: number): Promise<readonly string[]>;
  /**
   * Recipients with a live output that is unconfirmed or above the height, or with a conflict above
   * it.
   */
  listRecipientsAbove(height: number): Promise<readonly string[]>;
}

/** Storage of the ledger. `Tx` is the transaction type of the store. */
export interface LedgerStore<Tx> {
  /** Rolls back if the callback throws. */
  runTransaction<T>(work: (ledger: LedgerTransaction, tx: Tx) => Promise<T>): Promise<T>;
  readCursor(): Promise<ChainCursor | null>;
  /** Hash of the stored block at a height; null if none. */
  findHashAt(height: number): Promise<string | null>;
  /**
   * Scripts that became visible since the mark, all for null. May repeat scripts, never omits one.
   */
  listScriptsSince(mark: string | null): Promise<IssuedSince>;
  /** When the first address was issued; null if none was. */
  findOldestIssue(): Promise<Date | null>;
  /** Whether no live output is unconfirmed or above the height, and no conflict is above it. */
  isQuietAbove(height: number): Promise<boolean>;
  /** Live transactions that are unconfirmed or above the height; no coinbase. */
  listPendingAbove(height: number): Promise<readonly PendingTransaction[]>;
  /**
   * Transactions that left without a conflict up to the height. At most `MAX_LEFT`, most recent
   * first.
   */
  listLeftAbove(height: number): Promise<readonly PendingTransaction[]>;
}
