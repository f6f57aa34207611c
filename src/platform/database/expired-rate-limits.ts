import { sql } from 'kysely';
import type { Db } from './database.ts';

const HOUR_MS = 3_600_000;

/** Deletes rate limit counts that expired over an hour ago, in real time (not shop time). */
export async function deleteExpiredRateLimits(db: Db): Promise<void> {
  await sql`delete from rate_limits where expire < ${Date.now() - HOUR_MS}`.execute(db);
}
