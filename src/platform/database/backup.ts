/**
 * Writes a consistent snapshot of all tables as lines of text. It needs no PostgreSQL program and
 * can be restored into another PostgreSQL version. Queued jobs are not included.
 *
 *     {"backup":"crypto-market", …}   format, time and migrations of the schema
 *     T table                         starts a table; referenced tables come first
 *     R{…}                            a row as PostgreSQL's JSON; numbers are never parsed here
 *     S sequence value is_called
 *     E sha256 rows                   checksum of all previous lines
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { DatabaseRefusedError } from './database-refused-error.ts';
import { readAppliedMigrations } from './migrate.ts';

export const BACKUP_FORMAT = 1;
const BATCH_ROWS = 500;

/** Counts the rows and hashes the lines of a backup. */
export class LineChecksum {
  readonly #hash = createHash('sha256');
  rows = 0;

  add(line: string): void {
    this.#hash.update(line).update('\n');
    if (line.startsWith('R')) this.rows += 1;
  }

  /** The last line of the backup. */
  digest(): string {
    return `E ${this.#hash.digest('hex')} ${this.rows}`;
  }
}

/** Sorts the tables so that referenced tables come first. @throws on a cycle of foreign keys */
async function listTablesInOrder(tx: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; refers: readonly string[] }>`
    select c.relname as name, array(
      select distinct other.relname::text from pg_constraint con join pg_class other on other.oid = con.confrelid
      where con.conrelid = c.oid and con.contype = 'f' and con.confrelid <> c.oid) as refers
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'schema_migrations'
    order by c.relname
  `.execute(tx);
  const ordered = new Set<string>();
  for (let remaining = rows; remaining.length > 0;) {
    const next = remaining.filter(({ refers }) => refers.every((other) => ordered.has(other)));
    if (next.length === 0) throw new Error('the foreign keys of the tables form a cycle');
    for (const { name } of next) ordered.add(name);
    remaining = remaining.filter(({ name }) => !ordered.has(name));
  }
  return [...ordered];
}

/** @param tx a transaction of isolation level repeatable read */
async function* generateLines(tx: Db, now: Date): AsyncGenerator<string> {
  const migrations = await readAppliedMigrations(tx);
  if (migrations.length === 0) throw new DatabaseRefusedError('The database is empty: there is nothing to back up.');
  yield JSON.stringify({
    backup: 'crypto-market',
    format: BACKUP_FORMAT,
    at: now.toISOString(),
    migrations: migrations.map(({ number, name, sha256 }) => ({ number, name, sha256 })),
  });
  for (const table of await listTablesInOrder(tx)) {
    yield `T ${table}`;
    await sql`declare backup_rows no scroll cursor for select to_jsonb(stored)::text as line from ${sql.id('public', table)} stored`.execute(
      tx,
    );
    for (;;) {
      const { rows } = await sql<{ line: string }>`fetch ${sql.lit(BATCH_ROWS)} from backup_rows`.execute(tx);
      for (const { line } of rows) yield `R${line}`;
      if (rows.length < BATCH_ROWS) break;
    }
    await sql`close backup_rows`.execute(tx);
  }
  const { rows: sequences } = await sql<{ name: string }>`
    select sequencename::text as name from pg_sequences where schemaname = 'public' order by 1
  `.execute(tx);
  for (const { name } of sequences) {
    const { rows } = await sql<{ line: string }>`
      select last_value || ' ' || is_called as line from ${sql.id('public', name)}
    `.execute(tx);
    yield `S ${name} ${rows[0]?.line ?? ''}`;
  }
}

/**
 * Writes a backup line by line. Its locks block no reads or writes, so the shop can stay open.
 * @param begin called first in the transaction of the backup
 * @returns the number of rows
 */
export async function streamBackup(
  db: Db,
  now: Date,
  write: (line: string) => Promise<void>,
  begin: (tx: Db) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const sum = new LineChecksum();
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', '0', true), set_config('timezone', 'UTC', true)`.execute(tx);
      await begin(tx);
      for await (const line of generateLines(tx, now)) {
        sum.add(line);
        await write(line);
      }
    });
  await write(sum.digest());
  return sum.rows;
}
