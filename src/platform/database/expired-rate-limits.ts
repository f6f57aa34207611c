import { sql } from 'kysely';
import type { Db } from './database.ts';

const HOUR_MS = 3_600_000;

/** Removes counts of limits whose time was over an hour ago. They run by real time. */
export async function deleteExpiredRateLimits(db: Db): Promise<void> {
  await sql`delete from rate_limits where expire < ${Date.now() - HOUR_MS}`.execute(db);
}
