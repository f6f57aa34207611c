import { NO_SATS, subtractSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { frozenBy } from './frozen-by.ts';
import type { Frozen } from './frozen-by.ts';
import type { PaymentStatus } from '../kinds.ts';
import type { RefundOfWhole } from '#src/shop/payments/ledger/payment-state.ts';

export type SettleProblem = 'already-paid' | 'refunded' | Frozen | 'nothing-received' | 'not-confirmed';

/** What decides whether staff may take what was received for the whole; the caller holds the order's row lock. */
export interface OrderToTake {
  readonly payment_status: PaymentStatus;
  readonly due_sats: Sats;
  readonly refund_state: RefundOfWhole | null;
  readonly returned_sats: Sats;
}

export interface Received {
  /** In the mempool or in the best chain. */
  readonly received: Sats;
  /** With as many confirmations as the order asks for. */
  readonly deep: Sats;
}

export type Settling =
  | { readonly ok: true; readonly settled: Sats }
  | { readonly ok: false; readonly reason: SettleProblem };

/**
 * How much staff take for the whole of an order, or why they can't. Only what is deep enough and was not sent back counts,
 * and never more than was due. While what is on its way would cover what is due, it is waited for: taken now, the rest of
 * it would be a surplus.
 */
export function refuseSettling(order: OrderToTake, { received, deep }: Received): Settling {
  if (order.payment_status === 'paid') return { ok: false, reason: 'already-paid' };
  if (order.payment_status === 'refunded' || order.refund_state === 'refunded')
    return { ok: false, reason: 'refunded' };
  const frozen = frozenBy(order.refund_state);
  if (frozen !== null) return { ok: false, reason: frozen };
  const here = subtractSats(received, order.returned_sats);
  const settleable = subtractSats(deep, order.returned_sats);
  if (here === NO_SATS) return { ok: false, reason: 'nothing-received' };
  const isOnItsWay = here >= order.due_sats && settleable < order.due_sats;
  if (settleable === NO_SATS || isOnItsWay) return { ok: false, reason: 'not-confirmed' };
  return { ok: true, settled: settleable < order.due_sats ? settleable : order.due_sats };
}

/** What the timeline keeps of it. */
export const tellSettling = (settled: Sats, due: Sats, received: Sats) => ({
  settled_sats: String(settled),
  due_sats: String(due),
  received_sats: String(received),
});
