/**
 * How far the job queue is behind, from its tables: the same for all processes. Each condition is that of the index
 * by which jobs are fetched, which holds no finished jobs. No job of the shop is ever blocked by another one.
 */
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
    from pgboss.job where name = ${queue} and state = 'retry' and not blocked
  `.execute(db);
  return rows[0] ?? { retried: 0, retriedSince: null };
}

export interface QueueDepth {
  readonly queue: string;
  /** Jobs that wait for their first or next attempt. */
  readonly waiting: number;
  /** How long the longest waiting job is due; 0 if none is due. */
  readonly ageSeconds: number;
}

/** Larger counts are cut off. */
const MAX_DEPTH = 10_000;

/** Depth and age of every queue, by the index of jobs that wait. */
export async function readQueueDepths(db: Db): Promise<QueueDepth[]> {
  const { rows } = await sql<QueueDepth>`
    select queue.name as queue, depth.waiting,
      greatest(0, coalesce(extract(epoch from now() - depth.due), 0))::float8 as "ageSeconds"
    from pgboss.queue queue
    cross join lateral (
      select count(*)::integer as waiting, min(start_after) as due
      from (
        select start_after from pgboss.job where name = queue.name and state < 'active' and not blocked
        limit ${MAX_DEPTH}
      ) jobs
    ) depth
    order by queue.name
  `.execute(db);
  return rows;
}

/** When the oldest overdue job of any queue was due; null if none is. */
async function findOverdueSince(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(start_after) as since from pgboss.job
    where state < 'active' and not blocked and start_after < now() - ${OVERDUE_SECONDS} * interval '1 second'
  `.execute(db);
  return rows[0]?.since ?? null;
}

/** Whether the processes keep up with the jobs. */
export class QueueWatch {
  readonly #db: Db;
  readonly #getElapsedMs: () => number;
  readonly #startedMs: number;

  /** @param getElapsedMs a monotonic clock */
  constructor(db: Db, getElapsedMs = () => performance.now()) {
    this.#db = db;
    this.#getElapsedMs = getElapsedMs;
    this.#startedMs = getElapsedMs();
  }

  /**
   * When the oldest overdue job was due; null if none is. Jobs that became due while the shop was stopped
   * are no failure: until this process has had the time to fetch them, it repeats what was recorded.
   */
  async findOverdueSince(wasBehind: boolean): Promise<Date | null> {
    const isStarting = this.#getElapsedMs() - this.#startedMs < OVERDUE_SECONDS * 1000;
    return isStarting && !wasBehind ? null : findOverdueSince(this.#db);
  }
}
