/**
 * Work that must happen later or again: pg-boss, polling, in its own schema of the shop's database. A job is enqueued
 * in the transaction that causes it, so the one never exists without the other. Jobs run at least once: handlers are
 * idempotent.
 */
import { CompiledQuery } from 'kysely';
import { Pool } from 'pg';
import type { PoolConfig } from 'pg';
import { PgBoss } from 'pg-boss';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/log.ts';

export type JobData = Readonly<Record<string, string>>;

interface EnqueueOptions {
  /** Seconds of real time until it may run; 0 when left out. */
  readonly delaySeconds?: number;
}

/** What a service needs of the jobs. */
export interface JobQueue {
  /** Enqueues in the transaction given: without its commit there is no job. The queue must have been named at the start. */
  enqueue(tx: Db, name: string, data: JobData, options?: EnqueueOptions): Promise<void>;
}

export interface Jobs extends JobQueue {
  /** Creates or upgrades the schema and the queues; nothing runs before `work`. */
  start(): Promise<void>;
  /** Runs the jobs of a queue, one at a time. A handler that throws is called again later, for days. */
  work(name: string, handler: (data: JobData) => Promise<void>): Promise<void>;
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
// A deferred job is kept this long after it was due.
const RETENTION_SECONDS = 30 * 24 * 3600;
const STOP_TIMEOUT_MS = 5000;

const isJobData = (data: unknown): data is JobData =>
  typeof data === 'object' && data !== null && Object.values(data).every((value) => typeof value === 'string');

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

export function openJobs({ connection, queues, log, pollSeconds = 2 }: JobsOptions): Jobs {
  const logError = (error: unknown): void => log.error({ error: messageOf(error) }, 'jobs');
  const pool = new Pool({ max: 3, ...connection, application_name: 'crypto-market jobs' });
  pool.on('error', logError);
  // A client in use whose backend dies emits too, and without a listener takes the process with it.
  pool.on('connect', (client) => client.on('error', logError));

  const boss = new PgBoss({
    schema: 'pgboss',
    schedule: false,
    db: { executeSql: (text, values) => pool.query(text, values) },
  });
  boss.on('error', logError);
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'jobs'));
  let isStopped = false;

  return {
    start: async () => {
      await boss.start();
      for (const name of queues) await boss.createQueue(name);
    },

    enqueue: async (tx, name, data, { delaySeconds = 0 } = {}) => {
      const executeSql = async (text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> =>
        tx.executeQuery(CompiledQuery.raw(text, values));
      await boss.send(name, data, {
        ...RETRIES,
        retentionSeconds: RETENTION_SECONDS,
        startAfter: Math.max(0, Math.ceil(delaySeconds)),
        db: { executeSql },
      });
    },

    work: async (name, handler) => {
      await boss.work<unknown>(name, { pollingIntervalSeconds: pollSeconds, batchSize: 1 }, async (batch) => {
        for (const job of batch) {
          if (!isJobData(job.data)) throw new TypeError(`job ${name} carries no data`);
          try {
            await handler(job.data);
          } catch (error) {
            log.warn({ job: name, attempt: job.retryCount, error: messageOf(error) }, 'a job will be tried again');
            throw error;
          }
        }
      });
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
