/**
 * `npm run db -- move DATABASE_URL`: moves the embedded database into an empty external one, and `move --undo`.
 *
 * The target is marked as unfinished before the first row is copied, the embedded data as moved once the copy was
 * compared, and the first mark is removed last. So at most one of the two can be started at any time, and an
 * interrupted move can be repeated.
 */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { streamBackup } from '#src/platform/database/backup.ts';
import { findDifferences, summarizeDatabase } from '#src/platform/database/compare-databases.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { findDatabaseUrlProblem, formatDatabasePlace, readDatabaseUrl } from '#src/platform/database/database-url.ts';
import type { DatabaseConnection } from '#src/platform/database/database-url.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { readSchemaStatus } from '#src/platform/database/migrate.ts';
import {
  beginMove,
  findUnfinishedMove,
  finishMove,
  readMovedMark,
  removeMovedMark,
  writeMovedMark,
} from '#src/platform/database/moved-mark.ts';
import type { MovedMark } from '#src/platform/database/moved-mark.ts';
import { choosePostgresPlace } from '#src/platform/database/postgres-place.ts';
import { PrimaryClient } from '#src/platform/database/primary-client.ts';
import { clearDatabase, restore } from '#src/platform/database/restore.ts';
import { formatTooOldError, formatUntestedError } from '#src/platform/database/server-version.ts';
import { copyJobs } from '#src/platform/jobs/copy-jobs.ts';
import type { Settings } from '#src/app/settings.ts';
import { Refused } from './command.ts';
import { reachDatabase, silentLog } from './reach-database.ts';

/** Serializes moves into one target. */
const MOVE_LOCK = 7_305_011_223;
/** A transaction of one side is idle while the other side works. */
const IDLE_MS = 600_000;
const LINES_AHEAD = 1_000;

export interface MoveOptions {
  readonly settings: Settings;
  /** Directory of the migrations. */
  readonly migrations: string;
  /** @throws Refused if a shop uses the database */
  readonly refuseBesideShop: (db: Db) => Promise<void>;
  readonly printLine: (line: string) => void;
}

interface Target {
  readonly url: string;
  readonly connection: DatabaseConnection;
  readonly db: Db;
  close(): Promise<void>;
}

export async function moveDatabase(url: string, options: MoveOptions): Promise<void> {
  const { printLine, settings } = options;
  if (settings.databaseUrl !== null) {
    throw new Refused(
      'DATABASE_URL is set, so this shop does not use the embedded database. There is nothing to move.',
    );
  }
  const place = await choosePostgresPlace(settings);
  const mark = await readMovedMark(place);
  if (mark === null && !(await isSetUp(settings))) {
    throw new Refused('There is no embedded database yet. Set DATABASE_URL and run "npm start".');
  }
  const target = await openTarget(url);
  try {
    const unfinished = await findUnfinishedMove(target.db);
    if (mark !== null) {
      if (unfinished !== mark.id)
        throw new Refused(`The data was moved to ${mark.to} on ${mark.at.slice(0, 10)} already.`);
      // The command was interrupted after the copy was compared.
      const access = await reachDatabase(settings, { isAlone: true, isMovedAllowed: true, progress: printLine });
      await access.stop();
    } else {
      await refuseUnusable(target.db, unfinished !== null);
      await copyInto(target, place, unfinished !== null, options);
    }
    await finishMove(target.db);
  } finally {
    await target.close();
  }
  const quote = url.includes("'") ? '"' : "'";
  printLine('The data was moved. The embedded database is unchanged and marked: it no longer starts.');
  printLine('Add this line to .env and start the shop:');
  printLine(`DATABASE_URL=${quote}${url}${quote}`);
}

/** The target with a lock against other moves. */
async function openTarget(url: string): Promise<Target> {
  const problem = findDatabaseUrlProblem(url);
  if (problem !== null) throw new Refused(`This is no URL of a PostgreSQL database: it ${problem}.`);
  const connection = readDatabaseUrl(url);
  const holder = new PrimaryClient({
    ...connection,
    application_name: 'crypto-market move',
    connectionTimeoutMillis: 10_000,
  });
  holder.on('error', () => {});
  await holder.connect();
  const { rows } = await holder.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MOVE_LOCK]);
  if (rows[0]?.taken !== true) {
    await holder.end();
    throw new Refused('Another move into this database runs at the moment.');
  }
  const database = openDatabase({ connection, log: silentLog, poolSize: 1, idleInTransactionMs: IDLE_MS });
  const close = async (): Promise<void> => {
    await database.close();
    await holder.end().catch(() => {});
  };
  return { url, connection, db: database.db, close };
}

interface TargetFacts {
  readonly version: string;
  readonly encoding: string;
  readonly isOwned: boolean;
  readonly isReadOnly: boolean;
  readonly isUsed: boolean;
}

/** @param isContinued whether an earlier move into it did not finish, so it may contain what that copied */
async function refuseUnusable(target: Db, isContinued: boolean): Promise<void> {
  const { rows } = await sql<TargetFacts>`
    select current_setting('server_version_num') as version, pg_encoding_to_char(encoding) as encoding,
      pg_has_role(datdba, 'member') as "isOwned",
      pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
      exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace where nspname in ('public', 'pgboss'))
        or exists (select from pg_proc p join pg_namespace n on n.oid = p.pronamespace where nspname in ('public', 'pgboss'))
        or exists (select from pg_type t join pg_namespace n on n.oid = t.typnamespace where nspname in ('public', 'pgboss'))
        as "isUsed"
    from pg_database where datname = current_database()
  `.execute(target);
  const [facts] = rows;
  if (facts === undefined) throw new Error('the server does not list the database');
  const version = formatTooOldError(Number(facts.version)) ?? formatUntestedError(Number(facts.version));
  if (version !== null) throw new Refused(version);
  if (facts.isReadOnly) throw new Refused('That database is read-only: it is a standby, or its user may not write.');
  if (facts.encoding !== 'UTF8')
    throw new Refused(`That database has the encoding ${facts.encoding}. It must be UTF8.`);
  if (!facts.isOwned) {
    throw new Refused(
      'The user of this URL does not own the database. Run "alter database … owner to …" as its owner.',
    );
  }
  if (facts.isUsed && !isContinued) throw new Refused('That database is not empty. Move into a new one.');
}

async function copyInto(
  target: Target,
  place: Parameters<typeof writeMovedMark>[0],
  isContinued: boolean,
  { migrations, printLine, refuseBesideShop, settings }: MoveOptions,
): Promise<void> {
  const access = await reachDatabase(settings, { isAlone: true, progress: printLine });
  const connection = access.connection;
  const source = openDatabase({ connection, log: silentLog, poolSize: 2, idleInTransactionMs: IDLE_MS });
  try {
    await refuseBesideShop(source.db);
    const { pending, problem } = await readSchemaStatus(source.db, migrations);
    if (problem !== null) throw new Refused(problem);
    if (pending.length > 0) {
      throw new Refused('The embedded database is that of an earlier release. Start the shop once and stop it first.');
    }
    if (isContinued) {
      printLine('An earlier move into this database did not finish. It is emptied first.');
      await clearDatabase(target.db);
      await finishMove(target.db);
    }
    const mark: MovedMark = { id: randomUUID(), at: new Date().toISOString(), to: formatDatabasePlace(target.url) };
    await beginMove(target.db, mark.id);
    try {
      await copyRows(source.db, target, { migrations, printLine });
    } catch (error) {
      // If this fails too, the next move empties it.
      await clearDatabase(target.db)
        .then(() => finishMove(target.db))
        .catch(() => {});
      throw error;
    }
    await writeMovedMark(place, mark);
  } finally {
    await source.close();
    await access.stop();
  }
}

async function copyRows(
  source: Db,
  target: Target,
  { migrations, printLine }: Pick<MoveOptions, 'migrations' | 'printLine'>,
) {
  const before = await source.transaction().execute(summarizeDatabase);
  printLine(`Copying ${before.size} tables and sequences …`);
  const lines = new PassThrough({ objectMode: true, highWaterMark: LINES_AHEAD });
  const written = writeLines(source, lines);
  const compare = async (tx: Db): Promise<void> => {
    const different = findDifferences(before, await summarizeDatabase(tx));
    if (different.length > 0) throw new Refused(`The copy differs in ${different.join(', ')}. Nothing was moved.`);
  };
  const restored = restore(target.db, migrations, lines, compare);
  // Ends the backup that waits for the reader.
  restored.catch((error: unknown) => lines.destroy(error instanceof Error ? error : undefined));
  const [{ rows }] = await Promise.all([restored, written]);
  const { connection, db } = target;
  const jobs = await copyJobs(source, { db, connection, log: silentLog });
  printLine(`Copied ${rows} rows and ${jobs} jobs. Counts, checksums and sequences of all tables are equal.`);
}

async function writeLines(source: Db, lines: PassThrough): Promise<void> {
  const write = (line: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (lines.destroyed) reject(lines.errored ?? new Error('the copy was ended'));
      else lines.write(line, (error) => (error ? reject(error) : resolve()));
    });
  try {
    await streamBackup(source, new Date(), write);
    lines.end();
  } catch (error) {
    lines.destroy(error instanceof Error ? error : undefined);
    throw error;
  }
}

export interface UndoOptions extends Pick<MoveOptions, 'refuseBesideShop' | 'settings' | 'printLine'> {
  /** Makes sure that nothing issued by the other database since then is issued again. */
  readonly skipIssued: (tx: Db, movedAt: Date) => Promise<void>;
}

/** Lets the embedded database start again. */
export async function undoMove({ printLine, refuseBesideShop, settings, skipIssued }: UndoOptions): Promise<void> {
  const place = await choosePostgresPlace(settings);
  const mark = await readMovedMark(place);
  if (mark === null) throw new Refused('The embedded database was not moved. There is nothing to undo.');
  if (settings.databaseUrl !== null) {
    const connection = readDatabaseUrl(settings.databaseUrl);
    const moved = openDatabase({ connection, log: silentLog, poolSize: 1 });
    try {
      await refuseBesideShop(moved.db);
    } finally {
      await moved.close();
    }
  }
  const embedded = { ...settings, databaseUrl: null };
  const access = await reachDatabase(embedded, { isAlone: true, isMovedAllowed: true, progress: printLine });
  const database = openDatabase({ connection: access.connection, log: silentLog, poolSize: 1 });
  try {
    await database.db.transaction().execute((tx) => skipIssued(tx, new Date(mark.at)));
    await removeMovedMark(place);
  } finally {
    await database.close();
    await access.stop();
  }
  printLine(`The embedded database can be started again, as it was on ${mark.at}. Remove DATABASE_URL from .env.`);
  printLine(`What happened on ${mark.to} since then is not in it. Do not start a shop there again.`);
  printLine(
    'The next 10,000 addresses and order numbers are skipped: import "npm run wallet -- export" into your wallet.',
  );
}
