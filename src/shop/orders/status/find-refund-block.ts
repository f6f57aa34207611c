import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

/** Why an order can't change: its payment is being refunded or was written off. */
export type RefundBlock = 'refunding' | 'written-off';

/** Null without a refund or write-off of the whole order. */
export function findRefundBlock(refund: WholeRefundState | null): RefundBlock | null {
  if (refund === null) return null;
  return refund === 'written_off' ? 'written-off' : 'refunding';
}
