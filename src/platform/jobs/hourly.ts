/**
 * Tasks that run once an hour for all processes together, as jobs. A failed task is retried and does
 * not delay others. Each process enqueues them at startup and every hour; duplicates are ignored.
 */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Jobs } from './jobs.ts';

export const HOURLY_JOB = 'hourly';
const HOUR_MS = 3_600_000;
/** Tasks at the same time in a process. All tasks are done soon after a start, and a long one delays few others. */
const CONCURRENCY = 4;

export type HourlyTasks = Readonly<Record<string, () => Promise<void>>>;

export interface HourlyOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'enqueueAll' | 'work'>;
  readonly onError: (error: unknown) => void;
}

/** Starts the tasks and returns a function that stops them. `HOURLY_JOB` must be among the queues. */
export async function startHourlyTasks(
  { db, clock, jobs, onError }: HourlyOptions,
  tasks: HourlyTasks,
): Promise<() => void> {
  await jobs.work(HOURLY_JOB, async ({ task = '' }) => tasks[task]?.(), { concurrency: CONCURRENCY });
  const enqueue = async (): Promise<void> => {
    const hour = Math.floor(clock.now().getTime() / HOUR_MS);
    const due = Object.keys(tasks).map((task) => ({ data: { task }, deduplicationKey: `${task}.${hour}` }));
    await transact(db, (tx) => jobs.enqueueAll(tx, HOURLY_JOB, due));
  };
  await enqueue();
  const timer = setInterval(() => void enqueue().catch(onError), HOUR_MS).unref();
  return () => clearInterval(timer);
}
