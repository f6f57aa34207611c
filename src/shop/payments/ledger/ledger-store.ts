import type { LeftBecause } from './payment-state.ts';

/** Where the watcher stands. Hashes and txids are lower-case hex as explorers show them. */
export interface ChainCursor {
  readonly network: string;
  /** The newest block applied. */
  readonly height: number;
  readonly hash: string;
  /** Grows by one with every commit of a watcher; what was read at one revision is written only at the same one. */
  readonly revision: number;
  /** When blocks and mempool were last both known to be current, by the shop's clock. */
  readonly reconciledAt: Date | null;
}

export interface ChainBlock {
  readonly height: number;
  readonly hash: string;
  readonly time: Date;
}

/** An output that pays an order or a refund, as found in a block or in the mempool. */
export interface FoundOutput {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: bigint;
  readonly isCoinbase: boolean;
  readonly rawTx: Uint8Array;
  /** Of the order whose address it pays, or of the address that refunds go to. */
  readonly recipientId: string;
}

/** When an output was there first, as well as it is known. */
export interface FirstSeenRange {
  readonly firstSeen: Date;
  /** Where `firstSeen` is only the latest that it can be: the moment after which it arrived. Null where it is exact. */
  readonly arrivedAfter: Date | null;
}

export interface MempoolOutput extends FoundOutput {
  /** Its unconfirmed ancestors, raw: to broadcast them again, and to know a conflict that replaces it through them. */
  readonly rawAncestors: readonly Uint8Array[];
  /** Left out: it is exactly when it was seen. */
  readonly firstSeenRange?: FirstSeenRange;
  /** Sats per 1,000 virtual bytes; null or left out while it is not known. */
  readonly feePerKvb?: bigint | null;
}

/** A transaction in the ledger whose fate is open: live, and unconfirmed or in a block about to be undone. */
export interface PendingTransaction {
  readonly txid: string;
  readonly rawTx: Uint8Array;
  readonly rawAncestors: readonly Uint8Array[];
}

/** A payment and the transaction of a block that spends its coins, or those of an unconfirmed ancestor. */
export interface Conflict {
  readonly txid: string;
  readonly by: string;
}

/** Conflicts are looked for with so many of the payments that left: a flood of them must not slow the walk down. */
export const MAX_LEFT = 1000;

interface IssuedScript {
  readonly script: Uint8Array;
  readonly scriptHex: string;
  readonly recipientId: string;
}

/** What was issued, and the mark to ask with the next time. */
interface IssuedSince {
  readonly scripts: readonly IssuedScript[];
  readonly mark: string | null;
}

/** Writes of one transaction. Those that touch rows answer the payees concerned. */
export interface LedgerTransaction {
  /** The very first write. False when another watcher was first. */
  start(network: string, block: ChainBlock): Promise<boolean>;
  /**
   * Compare-and-set: takes the cursor's row lock and moves it, if it is still at the revision given. False when another
   * watcher committed since; the caller then gives up its transaction.
   */
  moveCursor(revision: number, to: { height: number; hash: string; reconciledAt?: Date }): Promise<boolean>;
  /**
   * Forgets the blocks above a height and takes their outputs and conflicts out of the chain. The outputs stay live,
   * unconfirmed, until the mempool says otherwise; a coinbase's can't come back by itself and leave.
   */
  removeBlocksAbove(height: number, at: Date): Promise<readonly string[]>;
  /** In the order of their heights. */
  addBlocks(blocks: readonly ChainBlock[]): Promise<void>;
  /** Outputs in a block: new ones are first seen at `firstSeen`, known ones keep theirs. `arrivedAfter` as in `Arrival`. */
  addBlockOutputs(
    outputs: readonly FoundOutput[],
    block: ChainBlock,
    firstSeen: Date,
    arrivedAfter?: Date | null,
  ): Promise<readonly string[]>;
  /** Outputs in the mempool: new ones are first seen at `firstSeen`, unless they say when; those that had left are live again. */
  addMempoolOutputs(outputs: readonly MempoolOutput[], firstSeen: Date): Promise<readonly string[]>;
  /** The live, unconfirmed outputs of these transactions are not live any more. */
  markLeft(left: readonly { txid: string; because: LeftBecause }[], at: Date): Promise<readonly string[]>;
  /** A block at the height holds what spends the coins of these payments, which are not live. */
  markConflicts(conflicts: readonly Conflict[], height: number): Promise<readonly string[]>;
  /** Payees with a live output that is unconfirmed or in a block above the height, or with a conflict above it. */
  recipientsAbove(height: number): Promise<readonly string[]>;
}

/** The ledger as the chain walk needs it. `Tx` is what the store's transactions are to others, such as a database's. */
export interface LedgerStore<Tx> {
  /** All or nothing: what throws in it undoes it. */
  transaction<T>(work: (ledger: LedgerTransaction, tx: Tx) => Promise<T>): Promise<T>;
  cursor(): Promise<ChainCursor | null>;
  /** Hash of our block at a height; null where none is kept. */
  hashAt(height: number): Promise<string | null>;
  /** Scripts that have become visible since the mark was given; all with null. Some may be told again, none is missed. */
  scriptsSince(mark: string | null): Promise<IssuedSince>;
  /** When the first address was issued; null when none was. */
  oldestIssue(): Promise<Date | null>;
  /** Whether no live output is unconfirmed or in a block above the height, and no conflict is. */
  isQuietAbove(height: number): Promise<boolean>;
  /** Live transactions that are unconfirmed or in a block above the height; no coinbase. */
  pendingAbove(height: number): Promise<readonly PendingTransaction[]>;
  /**
   * Transactions that left, with no conflict in a block up to the height: one above it may spend their coins. At most
   * `MOST_LEFT`, those that left last.
   */
  leftAbove(height: number): Promise<readonly PendingTransaction[]>;
}
