import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export async function deleteKeysBefore(db: Db, before: Date): Promise<void> {
  await sql`delete from idempotency_keys where created_at < ${before}`.execute(db);
}
