/** Withdrawals of whose price nothing, or too little to be sent, is left. */
import type { Refunds } from '#src/shop/refunds/service.ts';
import { planRefund } from '../plan-refund.ts';
import { listActions } from '../return-state.ts';
import { toPosition } from '../show-return.service.ts';
import type { ReturnRow } from '../store.ts';

/**
 * Whether a withdrawal could be refunded now if it were not for the amount: the shop keeps the whole price for damage
 * (2011/83/EU, article 14(2)), wallets refuse so small an output, or other refunds took what it would return, such as a
 * refund that was given up and arrived nevertheless. Such a withdrawal can be closed.
 */
export async function isTooLittle(previews: Refunds['previews'], row: ReturnRow): Promise<boolean> {
  const position = toPosition(row);
  if (position.cause !== 'withdrawal' || position.unitsOwed === 0) return false;
  if (!listActions(position, 'staff').includes('refund')) return false;
  const lines = planRefund(row, await previews.readLines(row.orderId));
  const computed = await previews.computeLines(row.orderId, lines);
  if (computed.ok && computed.totalCents === 0n) return true;
  const request = { covers: 'lines', lines: { ...lines, reason: row.reference, restocks: false } } as const;
  return previews.isTooLittle(row.orderId, request);
}
