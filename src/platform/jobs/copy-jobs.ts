/** Copies the job queue to another database, so that a move loses no mail. */
import { sql } from 'kysely';
import type { PoolConfig } from 'pg';
import type { Db } from '#src/platform/database/database.ts';
import { DatabaseRefusedError } from '#src/platform/database/database-refused-error.ts';
import type { Log } from '#src/platform/process/log.ts';
import { openJobs } from './jobs.ts';

const BATCH_ROWS = 500;
/** Queues that pg-boss creates for itself. */
const OWN_QUEUES = '__pgboss%';

export interface JobsTarget {
  readonly db: Db;
  readonly connection: PoolConfig;
  readonly log: Log;
}

/** Version of the schema of pg-boss; null without one. */
async function readVersion(db: Db): Promise<number | null> {
  const { rows: found } = await sql`select where to_regclass('pgboss.version') is not null`.execute(db);
  if (found.length === 0) return null;
  const { rows } = await sql<{ version: number }>`select version from pgboss.version`.execute(db);
  return rows[0]?.version ?? null;
}

async function countJobs(db: Db): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from pgboss.job where name not like ${OWN_QUEUES}`.execute(db);
  return rows[0]?.count ?? 0n;
}

/**
 * Creates the job queue of the target and copies all jobs, also completed ones: their ids prevent duplicates. No
 * process may use either queue.
 * @returns the number of jobs
 * @throws DatabaseRefusedError if the queue is that of another release
 */
export async function copyJobs(source: Db, target: JobsTarget): Promise<bigint> {
  const version = await readVersion(source);
  if (version === null) return 0n;
  const { rows: queues } = await sql<{ name: string }>`
    select name from pgboss.queue where name not like ${OWN_QUEUES} order by 1`.execute(source);
  const jobs = openJobs({ connection: target.connection, queues: queues.map(({ name }) => name), log: target.log });
  try {
    await jobs.start();
  } finally {
    await jobs.stop();
  }
  if ((await readVersion(target.db)) !== version) {
    throw new DatabaseRefusedError('The job queue is that of an earlier release. Start the shop once and stop it.');
  }
  const { rows: columns } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
  `.execute(source);
  const list = sql.join(columns.map(({ name }) => sql.id(name)));
  return source.transaction().execute(async (reading) => {
    await sql`
      declare moved_jobs no scroll cursor for
      select to_jsonb(job)::text as line from pgboss.job where name not like ${sql.lit(OWN_QUEUES)}
    `.execute(reading);
    await target.db.transaction().execute(async (writing) => {
      for (;;) {
        const { rows } = await sql<{ line: string }>`fetch ${sql.lit(BATCH_ROWS)} from moved_jobs`.execute(reading);
        if (rows.length > 0) {
          const lines = `[${rows.map(({ line }) => line).join(',')}]`;
          await sql`
            insert into pgboss.job (${list})
            select ${list} from jsonb_populate_recordset(null::pgboss.job, ${lines}::jsonb)
          `.execute(writing);
        }
        if (rows.length < BATCH_ROWS) break;
      }
      if ((await countJobs(writing)) !== (await countJobs(reading))) throw new Error('the copied jobs differ');
    });
    return countJobs(reading);
  });
}
