import type { RefundOfWhole } from '#src/shop/payments/ledger/payment-state.ts';

/** Why nothing else can be done with an order: what was received goes back, or was written off as unclaimed. */
export type Frozen = 'refunding' | 'written-off';

/** Null while neither is so. */
export function frozenBy(refund: RefundOfWhole | null): Frozen | null {
  if (refund === null) return null;
  return refund === 'written_off' ? 'written-off' : 'refunding';
}
