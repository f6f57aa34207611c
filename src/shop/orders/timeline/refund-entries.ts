import type { Sats } from '#src/shop/money.ts';
import type { RefundCovers, RefundState } from '../kinds.ts';

export interface RefundEntry {
  readonly covers: RefundCovers;
  readonly amountSats: Sats;
  readonly state: RefundState;
  readonly txid: string | null;
  readonly at: Date;
}

/** What a timeline shows of the refunds of its order; the refunds slice provides it. */
export interface RefundEntries {
  /** Oldest first, without withdrawn ones. */
  readonly refunds: readonly RefundEntry[];
  /** Refund address, confirmed or not; null without one. */
  readonly address: string | null;
}
