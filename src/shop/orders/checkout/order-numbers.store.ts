import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** More orders than a shop makes between two backups. */
const NUMBERS_SKIPPED = 10_000;

/** After a backup was put back: numbers given out since it was made are passed over, or two buyers would have the same. */
export async function skipOrderNumbers(tx: Db): Promise<void> {
  await sql`
    select setval('order_number', last_value + ${NUMBERS_SKIPPED}::bigint, true) from order_number
  `.execute(tx);
}
