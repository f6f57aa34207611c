/** Restores a backup into an empty database. `backup.ts` describes the format. */
import { sql } from 'kysely';
import { BACKUP_FORMAT, LineChecksum } from './backup.ts';
import type { Db } from './database.ts';
import { DatabaseRefusedError } from './database-refused-error.ts';
import { readAppliedMigrations, migrate } from './migrate.ts';

/** Maximum characters of rows in one INSERT. */
const BATCH_LENGTH = 1_000_000;

const createDamagedBackupError = (): DatabaseRefusedError =>
  new DatabaseRefusedError('This backup is damaged or truncated. Nothing was restored.');

interface BackupHeader {
  readonly at: string;
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly sha256: string }[];
}

const isMigration = (value: unknown): value is BackupHeader['migrations'][number] =>
  typeof value === 'object' &&
  value !== null &&
  'number' in value &&
  typeof value.number === 'number' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'sha256' in value &&
  typeof value.sha256 === 'string';

function parseHeader(line: string | undefined): BackupHeader {
  let head: unknown;
  try {
    head = JSON.parse(line ?? '');
  } catch {
    head = null;
  }
  if (typeof head !== 'object' || head === null || !('backup' in head) || head.backup !== 'crypto-market')
    throw new DatabaseRefusedError('This file is not a backup of a shop.');
  if (!('format' in head) || head.format !== BACKUP_FORMAT) {
    throw new DatabaseRefusedError('This backup was made by a newer release. Restore it with that release.');
  }
  const at = 'at' in head && typeof head.at === 'string' ? head.at : '';
  const migrations = 'migrations' in head && Array.isArray(head.migrations) ? head.migrations.filter(isMigration) : [];
  if (migrations.length === 0) throw createDamagedBackupError();
  return { at, migrations };
}

/** Whether the database has never held data. */
async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') limit 1
  `.execute(db);
  return rows.length === 0;
}

/** Drops everything that the shop's user owns: tables and jobs. */
export async function clearDatabase(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows: schemas } = await sql<{ name: string }>`
      select nspname as name from pg_namespace
      where nspname in ('public', 'pgboss') and pg_has_role(nspowner, 'member')
    `.execute(trx);
    for (const { name } of schemas) await sql`drop schema ${sql.id(name)} cascade`.execute(trx);
    await sql`create schema if not exists public`.execute(trx);
  });
}

/**
 * Columns to restore. A transaction id is replaced by the current one, since it is valid in its database only. A
 * generated column is computed again.
 */
async function listColumns(tx: Db, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = to_regclass(${`public.${table}`}) and attnum > 0 and not attisdropped and attgenerated = '' and atttypid <> 'xid8'::regtype
    order by attnum
  `.execute(tx);
  if (rows.length === 0) throw createDamagedBackupError();
  return rows.map(({ name }) => name);
}

/** Writes the rows table by table in few statements. */
class Loader {
  readonly #tx: Db;
  #table = '';
  #columns: readonly string[] = [];
  #rows: string[] = [];
  #length = 0;

  constructor(tx: Db) {
    this.#tx = tx;
  }

  async startTable(table: string): Promise<void> {
    await this.flush();
    this.#table = table;
    this.#columns = await listColumns(this.#tx, table);
  }

  async add(row: string): Promise<void> {
    this.#rows.push(row);
    this.#length += row.length;
    if (this.#length >= BATCH_LENGTH) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const columns = sql.join(this.#columns.map((name) => sql.id(name)));
    const table = sql.id('public', this.#table);
    await sql`
      insert into ${table} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${table}, ${`[${this.#rows.join(',')}]`}::jsonb)
    `.execute(this.#tx);
    this.#rows = [];
    this.#length = 0;
  }
}

async function setSequence(tx: Db, line: string): Promise<void> {
  const [, name, value, isCalled] = /^S (\w+) (\d+) (true|false)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw createDamagedBackupError();
  await sql`select setval(to_regclass(${`public.${name}`}), ${value}::bigint, ${isCalled === 'true'})`.execute(tx);
}

/** Only triggers of migrations: foreign keys are always checked. */
async function setTriggers(tx: Db, tables: readonly { readonly name: string }[], to: 'disable' | 'enable') {
  for (const { name } of tables) {
    await sql`alter table ${sql.id('public', name)} ${sql.raw(to)} trigger user`.execute(tx);
  }
}

async function load(tx: Db, lines: AsyncIterator<string>, sum: LineChecksum): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'
  `.execute(tx);
  // The backup also holds the rows that triggers and migrations inserted.
  await setTriggers(tx, tables, 'disable');
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.id('public', name)))} cascade`.execute(tx);
  const loader = new Loader(tx);
  for (;;) {
    const next = await lines.next();
    if (next.done === true) throw createDamagedBackupError();
    const line = next.value;
    if (line.startsWith('E')) {
      if (line !== sum.digest()) throw createDamagedBackupError();
      return setTriggers(tx, tables, 'enable');
    }
    sum.add(line);
    if (line.startsWith('R')) await loader.add(line.slice(1));
    else if (line.startsWith('T ')) await loader.startTable(line.slice(2));
    else {
      await loader.flush();
      await setSequence(tx, line);
    }
  }
}

export interface RestoreResult {
  /** When the backup was made. */
  readonly at: string;
  readonly rows: number;
}

/**
 * Restores a backup of this release or an older one: its schema, its rows, then the newer migrations. If it fails,
 * the database is empty.
 * @param complete runs in the transaction of the rows, on the schema of the backup; gets the time of the backup
 * @throws DatabaseRefusedError if the database is not empty, or the file is damaged, newer or no backup
 */
export async function restore(
  db: Db,
  migrations: string,
  source: AsyncIterable<string>,
  complete: (tx: Db, at: string) => Promise<void>,
): Promise<RestoreResult> {
  if (!(await isEmpty(db))) {
    throw new DatabaseRefusedError(
      'The database is not empty. Restore into another DATA_DIR or another database. In demo mode you can empty it with "npm run db -- reset --yes".',
    );
  }
  const lines = source[Symbol.asyncIterator]();
  const sum = new LineChecksum();
  const first: unknown = (await lines.next()).value;
  const firstLine = typeof first === 'string' ? first : '';
  const head = parseHeader(firstLine);
  sum.add(firstLine);
  try {
    await migrate(db, migrations, head.migrations.length);
    const now = await readAppliedMigrations(db);
    const isSame = head.migrations.every(({ sha256 }, index) => now[index]?.sha256 === sha256);
    if (!isSame) {
      throw new DatabaseRefusedError(
        'This backup has a schema that this release does not know. Restore it with a newer release.',
      );
    }
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', '0', true)`.execute(tx);
      await load(tx, lines, sum);
      await complete(tx, head.at);
    });
    await migrate(db, migrations);
    await sql`analyze`.execute(db);
    return { at: head.at, rows: sum.rows };
  } catch (error) {
    await clearDatabase(db);
    throw error;
  }
}
