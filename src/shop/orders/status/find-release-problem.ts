import type { OrderLedger, StoredOrder } from '../stored-order.ts';

/** Why staff can't release the reservation of an order. */
export type ReleaseProblem = 'not-reserved' | 'payment-seen';

/** Only reservations of unpaid orders without a seen payment can be released. */
export function findReleaseProblem(
  order: Pick<StoredOrder, 'is_open'>,
  { outputs }: Pick<OrderLedger, 'outputs'>,
): ReleaseProblem | null {
  if (!order.is_open) return 'not-reserved';
  return outputs.some(({ isLive }) => isLive) ? 'payment-seen' : null;
}
