import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Whether an order was ever paid. */
export async function hasPaidOrder(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (select from orders where paid_at is not null) as "isThere"
  `.execute(db);
  return rows[0]?.isThere === true;
}
