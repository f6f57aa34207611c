import { NO_SATS, subtractSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { findRefundBlock } from './find-refund-block.ts';
import type { PaymentStatus } from '../kinds.ts';
import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

export const acceptAsPaidProblems = [
  'already-paid',
  'refunded',
  'refunding',
  'written-off',
  'nothing-received',
  'not-confirmed',
] as const;
export type AcceptAsPaidProblem = (typeof acceptAsPaidProblems)[number];

/**
 * What decides whether staff can accept the received amount; the caller holds the order's row lock.
 */
export interface OrderToAccept {
  readonly payment_status: PaymentStatus;
  readonly due_sats: Sats;
  readonly refund_state: WholeRefundState | null;
  readonly returned_sats: Sats;
}

export interface ReceivedAmounts {
  /** In the mempool or in the best chain. */
  readonly receivedSats: Sats;
  /** With the required confirmations. */
  readonly finalSats: Sats;
}

export type AcceptAsPaidDecision =
  | { readonly ok: true; readonly acceptedSats: Sats }
  | { readonly ok: false; readonly reason: AcceptAsPaidProblem };

/**
 * The amount that staff can accept as full payment, or why they can't: final, not refunded, at most
 * the amount due. Waits for unconfirmed payments that would cover the amount due, since they would
 * become a surplus.
 */
export function decideAcceptAsPaid(
  order: OrderToAccept,
  { receivedSats, finalSats }: ReceivedAmounts,
): AcceptAsPaidDecision {
  if (order.payment_status === 'paid') return { ok: false, reason: 'already-paid' };
  if (order.payment_status === 'refunded' || order.refund_state === 'refunded')
    return { ok: false, reason: 'refunded' };
  const frozen = findRefundBlock(order.refund_state);
  if (frozen !== null) return { ok: false, reason: frozen };
  const here = subtractSats(receivedSats, order.returned_sats);
  const acceptable = subtractSats(finalSats, order.returned_sats);
  if (here === NO_SATS) return { ok: false, reason: 'nothing-received' };
  const isOnItsWay = here >= order.due_sats && acceptable < order.due_sats;
  if (acceptable === NO_SATS || isOnItsWay) return { ok: false, reason: 'not-confirmed' };
  return { ok: true, acceptedSats: acceptable < order.due_sats ? acceptable : order.due_sats };
}

/** Details of the timeline event. */
export const createAcceptanceDetails = (accepted: Sats, due: Sats, received: Sats) => ({
  settled_sats: String(accepted),
  due_sats: String(due),
  received_sats: String(received),
});
