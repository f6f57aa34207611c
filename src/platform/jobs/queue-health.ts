/** How far the job queue is behind, from its tables: the same for all processes. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** A job that is due for this long was not fetched by any process. */
const OVERDUE_SECONDS = 60;

export interface QueueHealth {
  /** Jobs of the queue that failed and are retried. */
  readonly retried: number;
  /** When the first of them was enqueued; null if none is retried. */
  readonly retriedSince: Date | null;
}

/** Jobs of one queue that failed and wait for their next attempt. */
export async function readQueueHealth(db: Db, queue: string): Promise<QueueHealth> {
  const { rows } = await sql<QueueHealth>`
    select count(*)::integer as retried, min(created_on) as "retriedSince"
    from pgboss.job where name = ${queue} and state = 'retry'
  `.execute(db);
  return rows[0] ?? { retried: 0, retriedSince: null };
}

/** When the oldest overdue job of any queue was due; null if none is. */
export async function findOverdueSince(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(start_after) as since from pgboss.job
    where state in ('created', 'retry') and start_after < now() - ${OVERDUE_SECONDS} * interval '1 second'
  `.execute(db);
  return rows[0]?.since ?? null;
}
