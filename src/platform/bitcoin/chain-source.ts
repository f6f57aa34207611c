/**
 * Where blocks and transactions come from. Three sources fill it: the devchain, a Bitcoin Core (or Knots) node, an
 * Esplora server. The watcher walks blocks and compares mempool sets, and works the same on each of them.
 *
 * Hashes and txids are lower-case hex in the order that explorers show (reversed bytes). Every call may throw
 * `ChainSourceError` when the source is down, slow, or answers nonsense.
 */
export interface ChainSource {
  readonly name: 'devchain' | 'core' | 'esplora';
  /** How often it may be asked for news while nothing hints at any, in milliseconds. */
  readonly pollMs: number;
  /** Tip of the best chain as the source sees it now. */
  tip(): Promise<{ readonly height: number; readonly hash: string }>;
  /** Hash of the best chain's block at a height; null above the tip. */
  blockHash(height: number): Promise<string | null>;
  /** A block in network serialisation, witness included. */
  rawBlock(hash: string): Promise<Uint8Array>;
  /**
   * The unconfirmed transactions that can matter to the scripts given: the whole mempool where the source has one of
   * its own (it then asks for neither), else those that touch the scripts or spend what these, or the payments that wait,
   * stand on.
   */
  mempoolTxids(
    scripts: () => Promise<readonly Uint8Array[]>,
    waiting?: () => readonly WaitingPayment[],
  ): Promise<ReadonlySet<string>>;
  /** A transaction in network serialisation; null if it is neither in the mempool nor known to the source. */
  rawTransaction(txid: string): Promise<Uint8Array | null>;
  /** Hands a signed transaction to the network; answers its txid. */
  broadcast(raw: Uint8Array): Promise<string>;
  /** Whether an output of a known transaction is in the best chain, and spent neither there nor in the mempool. */
  isUnspent(outpoint: { readonly txid: string; readonly vout: number }): Promise<boolean>;
  /**
   * What the source knows of transactions in its mempool; those that it does not have are left out. Asked for payments that
   * the shop sees for the first time, and now and then for those that wait.
   */
  mempoolEntries(txids: readonly string[]): Promise<ReadonlyMap<string, MempoolEntry>>;
  /** The time by the source's own clock; null when it does not say. */
  time(): Promise<Date | null>;
  /** Sats per virtual byte for a block within so many, six unless said; null when the source does not know. */
  feeRate(blocks?: number): Promise<number | null>;
  /** A transaction as the source knows it now; null when it does not. A node without txindex knows only unspent outputs. */
  findTransaction(txid: string): Promise<FoundTransaction | null>;
  /** Height of the oldest block that can be read: more than 0 for a pruned node. */
  oldestBlock(): Promise<number>;
  /** What in the source's own settings makes the shop notice payments late or not at all; mostly empty. */
  limitations(): Promise<readonly SourceLimitation[]>;
  /** Calls back when something may have changed. A hint wakes the watcher and is never the truth. Answers an unsubscribe. */
  onHint(listener: () => void): () => void;
}

export interface FoundTransaction {
  /** 0 while it is in the mempool. */
  readonly confirmations: number;
  /** Of its block; null while it is in the mempool. */
  readonly height: number | null;
  /** False when only some of its outputs are known. */
  readonly isComplete: boolean;
  readonly outputs: readonly { readonly vout: number; readonly amountSats: bigint; readonly scriptHex: string }[];
}

/** blocks-only: it relays no transactions. small-mempool: it drops all but those with high fees. */
export type SourceLimitation = 'blocks-only' | 'small-mempool';

export interface MempoolEntry {
  /** When the source first had it, by the source's own clock; null when it does not say. */
  readonly arrivedAt: Date | null;
  /** Sats per 1,000 virtual bytes, as miners see it with what it spends and what spends it; null when it is not known. */
  readonly feePerKvb: bigint | null;
}

/** A payment that was in the mempool when it was last looked for. */
export interface WaitingPayment {
  readonly txid: string;
  /** What it and its unconfirmed ancestors spend: `txid:vout` each. */
  readonly outpoints: readonly string[];
}

/** Its message is written to the log: it never holds a password, nor an address of a customer. */
export class ChainSourceError extends Error {
  override readonly name = 'ChainSourceError';
}
