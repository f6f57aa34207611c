/** Withdrawals of whose price nothing, or too little to be sent, is left. */
import type { Db } from '#src/platform/database/database.ts';
import type { Refunds } from '#src/shop/refunds/service.ts';
import { planRefund } from './plan-refund.ts';
import { listActions } from './return-state.ts';
import { toPosition } from './show-return.service.ts';
import type { ReturnRow } from './store.ts';

type Previews = Refunds['previews'];

/** The refund of a return. */
async function createRequest(previews: Previews, row: ReturnRow, db: Db | undefined) {
  const lines = planRefund(row, await previews.readLines(row.orderId, db));
  const request = { covers: 'lines', lines: { ...lines, reason: row.reference, restocks: false } } as const;
  return { lines, request };
}

/**
 * Whether a withdrawal could be refunded now if it were not for the amount: the shop keeps the whole price for damage
 * (2011/83/EU, article 14(2)), wallets refuse so small an output, or other refunds took what it would return, such as a
 * refund that was given up and arrived nevertheless. Such a withdrawal can be closed.
 * @param db the transaction of the caller, if it has one
 */
export async function isTooLittle(previews: Previews, row: ReturnRow, db?: Db): Promise<boolean> {
  const position = toPosition(row);
  if (position.cause !== 'withdrawal' || position.unitsOwed === 0) return false;
  if (!listActions(position, 'staff').includes('refund')) return false;
  const { lines, request } = await createRequest(previews, row, db);
  const computed = await previews.computeLines(row.orderId, lines, db);
  if (computed.ok && computed.totalCents === 0n) return true;
  return previews.isTooLittle(row.orderId, request, db);
}

/** Whether enough of the price of a return is left again, after others had taken it. */
export async function isLeftAgain(previews: Previews, row: ReturnRow, tx: Db): Promise<boolean> {
  const { request } = await createRequest(previews, row, tx);
  return previews.isLeft(row.orderId, request, tx);
}
