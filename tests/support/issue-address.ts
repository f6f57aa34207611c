import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Payments } from '#src/shop/payments/service.ts';

/** Issues the next address to an order, as a checkout does, and returns it. */
export async function issueAddress(
  db: Db,
  payments: Pick<Payments, 'takeAddress' | 'issueAddress'>,
  orderId: string,
): Promise<string> {
  const taken = await payments.takeAddress();
  await transact(db, (tx) => payments.issueAddress(tx, orderId, taken));
  return taken.address;
}
