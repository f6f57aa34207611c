import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import { isDust } from '#src/shop/payments/ledger/dust.ts';
import { COINBASE_MATURITY, countConfirmations } from '#src/shop/payments/ledger/payment-state.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';

/** Whether an output counts towards its order, or why not. */
export const paymentVerdicts = [
  'counts',
  'unconfirmed',
  'confirming',
  'immature',
  'dust',
  'replaced',
  'dropped',
  'late',
  'order-cancelled',
  'order-expired',
  'order-refunded',
] as const;
export type PaymentVerdict = (typeof paymentVerdicts)[number];

export interface OrderPaid {
  readonly payment_status: PaymentStatus;
  readonly refund_state: 'refunding' | 'refunded' | null;
  readonly required_confirmations: number;
  readonly expires_at: Date;
  readonly paid_at: Date | null;
}

/** The chain's reasons come first, then the order's. */
export function judgePayment(
  output: LedgerOutput,
  order: OrderPaid,
  tip: { readonly height: number } | null,
): PaymentVerdict {
  if (!output.isLive) return output.leftBecause ?? 'dropped';
  if (isDust(output)) return 'dust';
  const confirmations = countConfirmations(output, tip);
  if (output.isCoinbase && confirmations < COINBASE_MATURITY) return 'immature';
  if (confirmations === 0) return 'unconfirmed';
  if (confirmations < order.required_confirmations) return 'confirming';
  if (order.refund_state !== null) return 'order-refunded';
  if (order.payment_status === 'cancelled') return 'order-cancelled';
  if (order.paid_at !== null) return 'counts';
  if (output.firstSeen > order.expires_at) return 'late';
  return order.payment_status === 'expired' ? 'order-expired' : 'counts';
}

const MESSAGES: Readonly<Record<PaymentVerdict, string>> = {
  counts: 'Confirmed, and counts towards the order.',
  unconfirmed: 'Seen, but in no block yet. It counts once it is confirmed.',
  confirming: 'In a block, but not as deep as this order asks for.',
  immature: 'A miner’s reward: it counts after 100 blocks.',
  dust: 'Below 294 satoshis: too little to pay for anything or to be sent back.',
  replaced: 'Replaced: another transaction spent the same coins, so this one did not arrive.',
  dropped: 'Dropped by the network before it was confirmed. It did not arrive.',
  late: 'Arrived after the time to pay was over. See the order for what can be done.',
  'order-cancelled': 'Arrived, but the order is cancelled. Accept it for the order, or send it back.',
  'order-expired': 'Arrived in time, but did not cover what was due before the order expired.',
  'order-refunded': 'Arrived; the money of this order goes back or went back to its buyer.',
};

export const describeVerdict = (verdict: PaymentVerdict): string => MESSAGES[verdict];
