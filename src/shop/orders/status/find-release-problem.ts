import type { OrderLedger, StoredOrder } from '../stored-order.ts';

/** Why staff can't release what an order reserves. */
export type ReleaseProblem = 'not-reserved' | 'payment-seen';

/** Only what waits for a payment of which nothing was seen is released. */
export function findReleaseProblem(
  order: Pick<StoredOrder, 'is_open'>,
  { outputs }: Pick<OrderLedger, 'outputs'>,
): ReleaseProblem | null {
  if (!order.is_open) return 'not-reserved';
  return outputs.some(({ isLive }) => isLive) ? 'payment-seen' : null;
}
