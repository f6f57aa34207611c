import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

/** Why nothing else can be done with an order: what was received goes back, or was written off as unclaimed. */
export type RefundBlock = 'refunding' | 'written-off';

/** Null while neither is so. */
export function findRefundBlock(refund: WholeRefundState | null): RefundBlock | null {
  if (refund === null) return null;
  return refund === 'written_off' ? 'written-off' : 'refunding';
}
