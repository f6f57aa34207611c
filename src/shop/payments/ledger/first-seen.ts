import type { FirstSeenRange } from './ledger-store.ts';

/** Mempool entry of a payment in the chain source. */
export interface SourceMempoolEntry {
  /** Arrival time by the shop's clock; null if the source does not report it. */
  readonly arrivedAt: Date | null;
  /** Sats per 1,000 virtual bytes; null if unknown. */
  readonly feePerKvb: bigint | null;
}

export const NO_ENTRY: SourceMempoolEntry = { arrivedAt: null, feePerKvb: null };

/** Range of the arrival of an output that was absent at one sync and present at the next. */
export const estimateFirstSeen = (reconciledAt: Date | null, firstSeen: Date): FirstSeenRange => ({
  firstSeen,
  arrivedAfter: reconciledAt !== null && reconciledAt < firstSeen ? reconciledAt : null,
});

/**
 * Arrival of an output in the mempool: the source's time if known, and never after the shop saw it.
 */
export function computeFirstSeenInMempool(
  { arrivedAt }: SourceMempoolEntry,
  reconciledAt: Date | null,
  readAt: Date,
): FirstSeenRange {
  if (arrivedAt === null) return estimateFirstSeen(reconciledAt, readAt);
  return { firstSeen: arrivedAt < readAt ? arrivedAt : readAt, arrivedAfter: null };
}
