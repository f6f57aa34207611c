/** Which units of an order its refunds pay for: units of returns, or others that were refunded before them. */
import type { Db } from '#src/platform/database/database.ts';
import { ReturningUnitsService } from '#src/shop/orders/status/returning-units.service.ts';
import { countRefundedBefore } from './count-refunded-before.ts';
import { listRefundedUnits, listReturnedUnits } from './taken-units.store.ts';
import type { TakenUnits } from './taken-units.store.ts';

const units = new ReturningUnitsService();

/**
 * Once a refund that was made before a return is undone, the refunds after the return pay for its units. Called in the
 * transaction that changes the refunds of an order, which holds its row lock. Idempotent.
 */
export async function limitRefundedBefore(tx: Db, orderId: string): Promise<void> {
  const returned = await listReturnedUnits(tx, orderId);
  if (returned.length === 0) return;
  const refunded = await listRefundedUnits(tx, orderId);
  const count = (position: number, isShipped: boolean): number => {
    const isOfLine = (one: TakenUnits): boolean => one.position === position && one.isShipped === isShipped;
    return countRefundedBefore(refunded.filter(isOfLine), returned.filter(isOfLine));
  };
  const positions = [...new Set(returned.map(({ position }) => position))];
  const limits = positions.map((position) => ({
    position,
    unshipped: count(position, false),
    shipped: count(position, true),
  }));
  await units.limitRefundedBefore(tx, orderId, limits);
}
