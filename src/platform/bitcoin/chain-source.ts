/**
 * Where blocks and transactions come from: devchain, Bitcoin Core (or Knots), or Esplora. Hashes
 * and txids are lower-case hex in display order. Every call may throw `ChainSourceError`.
 */
export interface ChainSource {
  readonly name: 'devchain' | 'core' | 'esplora';
  /** Poll interval in ms without hints. */
  readonly pollMs: number;
  /** Tip of the best chain. */
  readTip(): Promise<{ readonly height: number; readonly hash: string }>;
  /** Hash of a block of the best chain; null above the tip. */
  readBlockHash(height: number): Promise<string | null>;
  /** A serialized block with witness. */
  readRawBlock(hash: string): Promise<Uint8Array>;
  /**
   * Unconfirmed transactions that may concern the scripts: the whole mempool of an own node,
   * otherwise those that touch the scripts or conflict with waiting payments.
   */
  listMempoolTxids(
    scripts: () => Promise<readonly Uint8Array[]>,
    waiting?: () => readonly WaitingPayment[],
  ): Promise<ReadonlySet<string>>;
  /** A serialized transaction; null if unknown. */
  readRawTransaction(txid: string): Promise<Uint8Array | null>;
  /** Broadcasts a signed transaction; returns its txid. */
  broadcast(raw: Uint8Array): Promise<string>;
  /** Whether an output is in the best chain and unspent there and in the mempool. */
  isUnspent(outpoint: { readonly txid: string; readonly vout: number }): Promise<boolean>;
  /**
   * Mempool entries; unknown transactions are missing. Requested for new payments, and periodically
   * for unconfirmed ones.
   */
  readMempoolEntries(txids: readonly string[]): Promise<ReadonlyMap<string, MempoolEntry>>;
  /** The source's clock; null if not reported. */
  readTime(): Promise<Date | null>;
  /**
   * Sats per virtual byte for confirmation within a number of blocks (default six); null if
   * unknown.
   */
  estimateFeeRate(blocks?: number): Promise<number | null>;
  /** A transaction; null if unknown. A node without txindex finds unspent outputs only. */
  findTransaction(txid: string): Promise<FoundTransaction | null>;
  /** Height of the oldest readable block; above 0 on pruned nodes. */
  findOldestBlock(): Promise<number>;
  /** Settings of the source that delay or hide payments. */
  listLimitations(): Promise<readonly SourceLimitation[]>;
  /**
   * Calls the listener on a possible change, which only wakes chain sync. Returns an unsubscribe
   * function.
   */
  onHint(listener: () => void): () => void;
}

export interface FoundTransaction {
  /** 0 in the mempool. */
  readonly confirmations: number;
  /** Height of its block; null in the mempool. */
  readonly height: number | null;
  /** False if only some of its outputs are known. */
  readonly isComplete: boolean;
  readonly outputs: readonly { readonly vout: number; readonly amountSats: bigint; readonly scriptHex: string }[];
}

/** blocks-only: relays no transactions. small-mempool: drops all but high fees. */
export type SourceLimitation = 'blocks-only' | 'small-mempool';

export interface MempoolEntry {
  /** Arrival by the source's clock; null if not reported. */
  readonly arrivedAt: Date | null;
  /**
   * Effective fee with ancestors and descendants in sats per 1,000 virtual bytes; null if unknown.
   */
  readonly feePerKvb: bigint | null;
}

/** A payment that was in the mempool at the last sync. */
export interface WaitingPayment {
  readonly txid: string;
  /** Outpoints (`txid:vout`) that it and its unconfirmed ancestors spend. */
  readonly outpoints: readonly string[];
}

/** The message is logged: it never contains a password or a customer's address. */
export class ChainSourceError extends Error {
  override readonly name = 'ChainSourceError';
}
