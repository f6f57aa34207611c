import type { FirstSeenRange } from './ledger-store.ts';

/** What the chain source knows of a payment that the shop sees for the first time. */
export interface SourceMempoolEntry {
  /** When it arrived there, by the shop's clock; null when the source does not say. */
  readonly arrivedAt: Date | null;
  /** Sats per 1,000 virtual bytes; null when it is not known. */
  readonly feePerKvb: bigint | null;
}

export const NO_ENTRY: SourceMempoolEntry = { arrivedAt: null, feePerKvb: null };

/** Of an output that was not there at one moment, as far as anybody looked, and is there at another. */
export const estimateFirstSeen = (reconciledAt: Date | null, firstSeen: Date): FirstSeenRange => ({
  firstSeen,
  arrivedAfter: reconciledAt !== null && reconciledAt < firstSeen ? reconciledAt : null,
});

/** Of an output in the mempool: when its source had it, if that is known. Nothing arrives later than it is seen. */
export function computeFirstSeenInMempool(
  { arrivedAt }: SourceMempoolEntry,
  reconciledAt: Date | null,
  asked: Date,
): FirstSeenRange {
  if (arrivedAt === null) return estimateFirstSeen(reconciledAt, asked);
  return { firstSeen: arrivedAt < asked ? arrivedAt : asked, arrivedAfter: null };
}
