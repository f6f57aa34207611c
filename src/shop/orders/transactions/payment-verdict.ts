import type { PaymentStatus } from '../kinds.ts';
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

/** Reasons of the chain precede those of the order. */
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
  counts: 'Confirmed. It counts towards the order.',
  unconfirmed: 'Unconfirmed. It counts once it is confirmed.',
  confirming: 'In a block, but it needs more confirmations for this order.',
  immature: 'Mining reward. It counts after 100 blocks.',
  dust: 'Below 294 satoshis: too small to pay for anything or to refund.',
  replaced: 'Replaced: another transaction spent the same coins. This one did not arrive.',
  dropped: 'Dropped by the network before it was confirmed. It did not arrive.',
  late: 'Arrived after the payment window. Open the order to see what you can do.',
  'order-cancelled': 'Arrived after the order was cancelled. Accept it as paid, or refund it.',
  'order-expired': 'Arrived in time, but did not cover the amount due before the order expired.',
  'order-refunded': 'Arrived. The payment of this order is being refunded or was refunded.',
};

export const describeVerdict = (verdict: PaymentVerdict): string => MESSAGES[verdict];
