import { createHash, randomInt } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { getOldestProgram } from './contract-lines.ts';
import type { Db } from './database.ts';
import { DatabaseRefusedError } from './database-refused-error.ts';
import { formatTooOldError } from './server-version.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly text: string;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly applied_at: Date;
  /**
   * The newest migration that a program must know to work with the schema after this one; 0: any program. Null: applied
   * by a release that did not record it.
   */
  readonly oldest_program: number | null;
}

export interface SchemaStatus {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly Migration[];
  /** Reason why this program must not use this database. Null if there is none. */
  readonly problem: string | null;
}

/** Advisory lock that serializes migrations of parallel starts. */
const migrationLock = 7_305_011_222;
/**
 * While a migration waits for a lock on a table, the running shop waits behind it. Below `deadlock_timeout`, so that of
 * a migration and a request that wait for each other the migration gives up.
 */
const lockTimeoutMs = 500;
const lockAttempts = 60;
const retryAfterMs = 1_000;
const migrationTimeoutMs = 600_000;

/**
 * Applies the pending migrations of a directory in order. Each one and its row in
 * `schema_migrations` are one transaction. One that waits longer than half a second for a lock on a table, or is the victim
 * of a deadlock, starts again a moment later, up to 60 times.
 * @param count applies the first `count` migrations only, for a backup of an older release
 * @returns the migrations applied by this call
 * @throws DatabaseRefusedError if PostgreSQL is too old, the schema is newer than the directory, an
 * applied migration was changed, or the numbers have gaps or duplicates. A newer schema is accepted if its migrations
 * record that this program works with it
 */
export async function migrate(db: Db, directory: string, count = Infinity): Promise<readonly Migration[]> {
  await refuseOldServer(db);
  const files = (await readMigrations(directory)).slice(0, count);
  const before = computeStatus(files, await readAppliedMigrations(db));
  const appliedNow: Migration[] = [];
  for (let status = before; ;) {
    if (status.problem !== null) throw new DatabaseRefusedError(status.problem);
    if (status.pending.length === 0) return appliedNow;
    const step = await applyNextPatiently(db, files);
    if (step.applied !== null) appliedNow.push(step.applied);
    status = step.status;
  }
}

async function refuseOldServer(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version`.execute(db);
  const problem = formatTooOldError(Number(rows[0]?.version));
  if (problem !== null) throw new DatabaseRefusedError(problem);
}

/** Compares the schema with the migrations of a directory, for readiness and `db status`. Read-only. */
export async function readSchemaStatus(db: Db, directory: string): Promise<SchemaStatus> {
  return computeStatus(await readMigrations(directory), await readAppliedMigrations(db));
}

/**
 * Reads `NNNN_name.sql`, numbered from 0001 without gaps.
 * @throws DatabaseRefusedError for other names, gaps and duplicates.
 */
async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  const migrations: Migration[] = [];
  for (const file of names) {
    const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
    const number = Number(match?.[1]);
    const name = match?.[2];
    if (name === undefined) throw new DatabaseRefusedError(`Migration ${file} is not named like 0001_name.sql.`);
    const expected = migrations.length + 1;
    if (number !== expected) {
      const reason = number < expected ? 'its number is taken' : `${String(expected).padStart(4, '0')} is missing`;
      throw new DatabaseRefusedError(`Migration ${file} is out of order: ${reason}.`);
    }
    // Git on Windows may have changed the line ends, which must not change the hash.
    const text = (await readFile(path.join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
    migrations.push({ number, name, text, sha256: createHash('sha256').update(text).digest('hex') });
  }
  return migrations;
}

function computeStatus(files: readonly Migration[], applied: readonly AppliedMigration[]): SchemaStatus {
  const pending = files.filter(({ number }) => !applied.some((row) => row.number === number));
  return { applied, pending, problem: findProblem(files, applied) };
}

/** Whether a program without this migration works with the schema after it. */
const isCompatible = ({ oldest_program: oldest }: AppliedMigration, newestKnown: number): boolean =>
  oldest !== null && oldest <= newestKnown;

function findProblem(files: readonly Migration[], applied: readonly AppliedMigration[]): string | null {
  const unknown = applied.filter(({ number }) => number > files.length);
  const breaking = unknown.find((row) => !isCompatible(row, files.length));
  if (breaking !== undefined) {
    return (
      `The database's schema is newer than this program: it has migration ${formatLabel(breaking)}, which this ` +
      `program, with ${files.length}, does not work with. Start the newer release, or restore a backup that this one made.`
    );
  }
  for (const [index, row] of applied.entries()) {
    if (row.number !== index + 1)
      return `The database lacks migration ${index + 1}, and has ${formatLabel(row)}: its table of migrations was changed.`;
    const file = files[index];
    if (file !== undefined && (file.sha256 !== row.sha256 || file.name !== row.name)) {
      return `Migration ${formatLabel(file)} was changed after it was applied: put the file back and write a new migration.`;
    }
  }
  return null;
}

function formatLabel(migration: { readonly number: number; readonly name: string }): string {
  return `${String(migration.number).padStart(4, '0')}_${migration.name}`;
}

/** Applied migrations of the database, oldest first. */
export async function readAppliedMigrations(db: Db): Promise<readonly AppliedMigration[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('public.schema_migrations') is not null as found`.execute(db);
  if (tables[0]?.found !== true) return [];
  // The column is missing until this release applies a migration.
  const { rows } = await sql<AppliedMigration>`
    select number, name, sha256, applied_at, (to_jsonb(one) ->> 'oldest_program')::integer as oldest_program
    from public.schema_migrations one order by number`.execute(db);
  return rows;
}

/** Waited for a lock on a table for too long, or is the victim of a deadlock. */
const isLockConflict = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === '55P03' || error.code === '40P01')) || isLockConflict(error.cause));

async function applyNextPatiently(db: Db, files: readonly Migration[]): ReturnType<typeof applyNext> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyNext(db, files);
    } catch (error) {
      if (attempt >= lockAttempts || !isLockConflict(error)) throw error;
      // Those who waited behind the migration go first.
      await sleep(retryAfterMs / 2 + randomInt(retryAfterMs / 2));
    }
  }
}

async function applyNext(
  db: Db,
  files: readonly Migration[],
): Promise<{ status: SchemaStatus; applied: Migration | null }> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('statement_timeout', ${String(migrationTimeoutMs)}, true)`.execute(trx);
    await sql`select set_config('lock_timeout', ${String(migrationTimeoutMs)}, true)`.execute(trx);
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
    // From here on locks are on tables of the running shop, so waiting long would block it.
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(trx);
    await sql`
      create table if not exists public.schema_migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`.execute(trx);
    // Another process may have applied it during the wait.
    const status = computeStatus(files, await readAppliedMigrations(trx));
    const next = status.pending[0];
    if (status.problem !== null || next === undefined) return { status, applied: null };
    try {
      await sql.raw(next.text).execute(trx);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`Migration ${formatLabel(next)} failed and was rolled back: ${reason}`, { cause });
    }
    await addOldestProgram(trx);
    await sql`
      insert into public.schema_migrations (number, name, sha256, oldest_program)
      values (${next.number}, ${next.name}, ${next.sha256}, ${getOldestProgram(next.text)})`.execute(trx);
    return { status: computeStatus(files, await readAppliedMigrations(trx)), applied: next };
  });
}

/** Not a migration: the table of migrations is older than all of them. */
async function addOldestProgram(trx: Db): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from pg_attribute
      where attrelid = 'public.schema_migrations'::regclass and attname = 'oldest_program' and not attisdropped
    ) as found`.execute(trx);
  if (rows[0]?.found === true) return;
  await sql`alter table public.schema_migrations add column oldest_program integer`.execute(trx);
}
