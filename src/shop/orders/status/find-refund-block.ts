import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

/** Why an order can't change: its payment is being refunded or was written off. */
export type RefundBlock = 'refunding' | 'written-off';

const BLOCKS: Readonly<Record<WholeRefundState, RefundBlock>> = {
  refunding: 'refunding',
  refunded: 'refunding',
  written_off: 'written-off',
};

/** Null without a refund or write-off of the whole order. */
export function findRefundBlock(refund: WholeRefundState | null): RefundBlock | null {
  return refund && BLOCKS[refund];
}
