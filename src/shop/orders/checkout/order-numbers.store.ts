import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** More orders than a shop makes between two backups. */
const NUMBERS_SKIPPED = 10_000;

/** Skips numbers after a restored backup: numbers issued since the backup must not be reused. */
export async function skipOrderNumbers(tx: Db): Promise<void> {
  await sql`
    select setval('order_number', last_value + ${NUMBERS_SKIPPED}::bigint, true) from order_number
  `.execute(tx);
}
