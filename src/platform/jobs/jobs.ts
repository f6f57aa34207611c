/**
 * The job queue: pg-boss in its own schema of the shop's database. A job is enqueued in the
 * transaction that causes it. Jobs run at least once, so handlers must be idempotent.
 */
import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { Pool } from 'pg';
import type { PoolConfig } from 'pg';
import { PgBoss } from 'pg-boss';
import type { JobResult, JobWithMetadata } from 'pg-boss';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import { noTelemetry } from '#src/platform/telemetry/telemetry.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';

export type JobData = Readonly<Record<string, string>>;

interface EnqueueOptions {
  /** Delay in seconds of real time; default 0. */
  readonly delaySeconds?: number;
}

interface JobToEnqueue {
  readonly data: JobData;
  /** Deduplication key. No second job with the same queue and key is created while the first is stored. */
  readonly deduplicationKey: string;
}

interface WorkOptions {
  /** Concurrent jobs, started in the order of enqueueing; default 1. */
  readonly concurrency?: number;
  /** Whether this process polls right after it has enqueued a job, at most once a second. */
  readonly isPrompt?: boolean;
}

/** Enqueues jobs; the part of the queue that services use. */
export interface JobQueue {
  /** Enqueues in the given transaction: without its commit there is no job. The queue must exist. */
  enqueue(tx: Db, name: string, data: JobData, options?: EnqueueOptions): Promise<void>;
  /** Enqueues many jobs in one statement, without a delay. */
  enqueueAll(tx: Db, name: string, jobs: readonly JobToEnqueue[]): Promise<void>;
}

export interface Jobs extends JobQueue {
  /** Creates or upgrades the schema and the queues. No job runs before `work`. */
  start(): Promise<void>;
  /** Runs the jobs of a queue. A handler that throws is retried for days. */
  work(name: string, handler: (data: JobData) => Promise<void>, options?: WorkOptions): Promise<void>;
  /** Fetches no more jobs, waits some seconds for running ones, closes the connections. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  /** Connection to the shop's database, for a small separate pool. */
  readonly connection: PoolConfig;
  readonly queues: readonly string[];
  readonly log: Log;
  /** Polling interval; default 2 s. */
  readonly pollSeconds?: number;
  readonly telemetry?: Pick<Telemetry, 'createTimer'>;
}

// Every 10 s at first, up to every 5 minutes later: about 10 days in total.
const RETRIES = { retryLimit: 3000, retryDelay: 10, retryBackoff: true, retryDelayMax: 300 } as const;
// The jobs of a process without a heartbeat for this long are run by another one.
const HEARTBEATS = { heartbeatSeconds: 20 } as const;
const HEARTBEAT_CHECK_SECONDS = 10;
// A deferred job is deleted this long after it was due.
const RETENTION_SECONDS = 30 * 24 * 3600;
const JOB_TIMER = {
  name: 'shop_job_duration_seconds',
  help: 'Duration of jobs by queue. A failed job is retried',
  label: 'queue',
  span: 'job',
};
const STOP_TIMEOUT_MS = 5000;
const WAKE_DELAY_MS = 100;
const WAKE_INTERVAL_MS = 1000;

const isJobData = (data: unknown): data is JobData =>
  typeof data === 'object' && data !== null && Object.values(data).every((value) => typeof value === 'string');

const formatError = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** Derives the job id from the deduplication key, so that a second insert conflicts with the first. */
function createJobId(name: string, subject: string): string {
  const hex = createHash('sha256').update(`${name}\0${subject}`).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** Lets pg-boss run its statements in a transaction of the caller. */
const toExecutor = (tx: Db) => ({
  executeSql: async (text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> =>
    tx.executeQuery(CompiledQuery.raw(text, values)),
});

export function openJobs({ connection, queues, log, pollSeconds = 2, telemetry = noTelemetry }: JobsOptions): Jobs {
  const timeJob = telemetry.createTimer(JOB_TIMER);
  const logError = (error: unknown): void => log.error({ error: formatError(error) }, 'the job queue failed');
  const pool = new Pool({ max: 3, ...connection, application_name: 'crypto-market jobs' });
  pool.on('error', logError);
  // A client whose backend dies emits 'error', which ends the process if nothing listens.
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
      // One job per subject; pg-boss rejects a list with duplicate ids.
      const first = new Map(jobs.toReversed().map(({ data, deduplicationKey }) => [deduplicationKey, data]));
      const rows = [...first]
        .toReversed()
        .map(([once, data]) => ({ ...RETRIES, ...HEARTBEATS, data, id: createJobId(name, once) }));
      await boss.insert(name, rows, { db: toExecutor(tx) });
      prompts.get(name)?.();
    },

    work: async (name, handler, { concurrency = 1, isPrompt = false } = {}) => {
      const run = async ({ data, id, retryCount: attempt }: JobWithMetadata<unknown>): Promise<JobResult> => {
        try {
          if (!isJobData(data)) throw new TypeError(`job ${name} has no data`);
          await timeJob(name, () => handler(data));
          return { id, status: 'completed' };
        } catch (error) {
          log.warn({ job: name, attempt, error: formatError(error) }, 'a job failed and will be retried');
          return { id, status: 'failed', output: { message: formatError(error) } };
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
        // The database may stop first. Interrupted jobs run again after the next start.
        logError(error);
      } finally {
        await pool.end();
      }
    },
  };
}

/** Delayed until the transaction has likely committed, and throttled. Polling finds jobs that this misses. */
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
