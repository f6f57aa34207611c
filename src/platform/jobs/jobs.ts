/**
 * Work that must happen later or again: pg-boss, polling, in its own schema of the shop's database. A job is enqueued
 * in the transaction that causes it, so the one never exists without the other. Jobs run at least once: handlers are
 * idempotent.
 */
import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { Pool } from 'pg';
import type { PoolConfig } from 'pg';
import { PgBoss } from 'pg-boss';
import type { JobResult, JobWithMetadata } from 'pg-boss';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';

export type JobData = Readonly<Record<string, string>>;

interface EnqueueOptions {
  /** Seconds of real time until it may run; 0 when left out. */
  readonly delaySeconds?: number;
}

interface JobToEnqueue {
  readonly data: JobData;
  /** What the job is about: while one of the same queue and subject waits, runs or is remembered, another is not made. */
  readonly deduplicationKey: string;
}

interface WorkOptions {
  /** How many run side by side, begun in the order in which they were enqueued; 1 when left out. */
  readonly concurrency?: number;
  /** Whether this process looks for work as soon as it has enqueued some, once a second at most. */
  readonly isPrompt?: boolean;
}

/** What a service needs of the jobs. */
export interface JobQueue {
  /** Enqueues in the transaction given: without its commit there is no job. The queue must have been named at the start. */
  enqueue(tx: Db, name: string, data: JobData, options?: EnqueueOptions): Promise<void>;
  /** Many in one statement, to run as soon as may be. */
  enqueueAll(tx: Db, name: string, jobs: readonly JobToEnqueue[]): Promise<void>;
}

export interface Jobs extends JobQueue {
  /** Creates or upgrades the schema and the queues; nothing runs before `work`. */
  start(): Promise<void>;
  /** Runs the jobs of a queue, beside those of all others. A handler that throws is called again later, for days. */
  work(name: string, handler: (data: JobData) => Promise<void>, options?: WorkOptions): Promise<void>;
  /** Takes no new jobs, waits some seconds for those that run, closes its connections. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  /** How to reach the shop's database; a small pool of its own is made, with PostgreSQL's plain types. */
  readonly connection: PoolConfig;
  readonly queues: readonly string[];
  readonly log: Log;
  /** How often a queue looks for work; 2 s when left out. */
  readonly pollSeconds?: number;
}

// Every 10 s, then slower, up to every 5 minutes: about 10 days of trying.
const RETRIES = { retryLimit: 3000, retryDelay: 10, retryBackoff: true, retryDelayMax: 300 } as const;
// A process that dies says nothing of what it had in hand: who has not been heard of for so long has died.
const HEARTBEATS = { heartbeatSeconds: 20 } as const;
const HEARTBEAT_CHECK_SECONDS = 10;
// A deferred job is kept this long after it was due.
const RETENTION_SECONDS = 30 * 24 * 3600;
const STOP_TIMEOUT_MS = 5000;
const WAKE_DELAY_MS = 100;
const WAKE_INTERVAL_MS = 1000;

const isJobData = (data: unknown): data is JobData =>
  typeof data === 'object' && data !== null && Object.values(data).every((value) => typeof value === 'string');

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** The same id for the same subject: the insert of the second finds the first. */
function createJobId(name: string, subject: string): string {
  const hex = createHash('sha256').update(`${name}\0${subject}`).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** For pg-boss: its statements as part of a transaction. */
const toExecutor = (tx: Db) => ({
  executeSql: async (text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> =>
    tx.executeQuery(CompiledQuery.raw(text, values)),
});

export function openJobs({ connection, queues, log, pollSeconds = 2 }: JobsOptions): Jobs {
  const logError = (error: unknown): void => log.error({ error: messageOf(error) }, 'the job queue failed');
  const pool = new Pool({ max: 3, ...connection, application_name: 'crypto-market jobs' });
  pool.on('error', logError);
  // A client in use whose backend dies emits too, and without a listener takes the process with it.
  pool.on('connect', (client) => client.on('error', logError));

  const boss = new PgBoss({
    schema: 'pgboss',
    schedule: false,
    superviseIntervalSeconds: HEARTBEAT_CHECK_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_CHECK_SECONDS,
    db: { executeSql: (text, values) => pool.query(text, values) },
  });
  boss.on('error', logError);
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'the job queue warns'));
  let isStopped = false;
  /** Wakes the worker of a queue. */
  const prompts = new Map<string, () => void>();

  return {
    start: async () => {
      await boss.start();
      for (const name of queues) await boss.createQueue(name);
    },

    enqueue: async (tx, name, data, { delaySeconds = 0 } = {}) => {
      const startAfter = Math.max(0, Math.ceil(delaySeconds));
      await boss.send(name, data, {
        ...RETRIES,
        ...HEARTBEATS,
        retentionSeconds: RETENTION_SECONDS,
        startAfter,
        db: toExecutor(tx),
      });
      if (delaySeconds <= 0) prompts.get(name)?.();
    },

    enqueueAll: async (tx, name, jobs) => {
      if (jobs.length === 0) return;
      // Of one subject the first; pg-boss takes no list that holds an id twice.
      const first = new Map(jobs.toReversed().map(({ data, deduplicationKey }) => [deduplicationKey, data]));
      const rows = [...first]
        .toReversed()
        .map(([once, data]) => ({ ...RETRIES, ...HEARTBEATS, data, id: createJobId(name, once) }));
      await boss.insert(name, rows, { db: toExecutor(tx) });
      prompts.get(name)?.();
    },

    work: async (name, handler, { concurrency = 1, isPrompt = false } = {}) => {
      const run = async (job: JobWithMetadata<unknown>): Promise<JobResult> => {
        try {
          if (!isJobData(job.data)) throw new TypeError(`job ${name} carries no data`);
          await handler(job.data);
          return { id: job.id, status: 'completed' };
        } catch (error) {
          log.warn({ job: name, attempt: job.retryCount, error: messageOf(error) }, 'a job failed and will be retried');
          return { id: job.id, status: 'failed', output: { message: messageOf(error) } };
        }
      };
      const fetching = { batchSize: concurrency, includeMetadata: true, perJobResults: true } as const;
      const polling = { ...fetching, pollingIntervalSeconds: pollSeconds };
      const worker = await boss.work(name, polling, (batch: JobWithMetadata<unknown>[]) =>
        Promise.all(batch.toSorted((a, b) => a.createdOn.getTime() - b.createdOn.getTime()).map(run)),
      );
      if (isPrompt)
        prompts.set(
          name,
          debounceWake(() => isStopped || boss.notifyWorker(worker)),
        );
    },

    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      try {
        await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
      } catch (error) {
        // The database may be gone before us; what ran then is run again after the next start.
        logError(error);
      } finally {
        await pool.end();
      }
    },
  };
}

/** Not at once, since what is enqueued is not committed yet, and not again and again; polling finds what this misses. */
function debounceWake(wake: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let wokenMs = -Infinity;
  return () => {
    if (timer !== null) return;
    const waitMs = Math.max(WAKE_DELAY_MS, wokenMs + WAKE_INTERVAL_MS - performance.now());
    timer = setTimeout(() => {
      timer = null;
      wokenMs = performance.now();
      wake();
    }, waitMs).unref();
  };
}
