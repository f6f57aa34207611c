import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Whether an exchange created the order: the credit of a return pays it, and it is delivered free. */
export async function hasCredit(db: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from payment_outputs where order_id = ${orderId} and credit_refund_id is not null) as found
  `.execute(db);
  return rows[0]?.found === true;
}
