import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import type { RefusalReason } from './kinds.ts';
import type { WithdrawalPeriod } from './period.ts';

/** What decides whether the buyer of an order can withdraw from the contract. */
export interface OrderToWithdraw {
  readonly paymentStatus: PaymentStatus;
  /** Null: never paid. */
  readonly paidAt: Date | null;
  /** Refund of the whole order. */
  readonly refundState: WholeRefundState | null;
  /** Of a business, which has no right of withdrawal (Directive 2011/83/EU, articles 2(1) and 9(1)). */
  readonly vatNumber: string | null;
}

/** Units of a line that no refund and no return has. */
export interface UnitsLeft {
  readonly position: number;
  readonly unshipped: number;
  readonly shipped: number;
}

type Problem = Exclude<RefusalReason, 'not-found'>;

/**
 * Why a withdrawal from the units that are left has no effect; null if it has. A payment that a reorganization removed
 * counts as paid: the contract stands.
 */
export function findWithdrawalProblem(
  order: OrderToWithdraw,
  left: readonly UnitsLeft[],
  period: WithdrawalPeriod,
  isOffered: boolean,
): Problem | null {
  if (!isOffered) return 'switched-off';
  if (order.vatNumber !== null) return 'business';
  if (order.refundState !== null || order.paymentStatus === 'refunded') return 'nothing-left';
  if (order.paidAt === null || (order.paymentStatus !== 'paid' && order.paymentStatus !== 'user_paid'))
    return 'not-paid';
  if (left.every(({ shipped, unshipped }) => shipped + unshipped === 0)) return 'nothing-left';
  return period.isOver ? 'period-over' : null;
}
