/**
 * Marks of a move of the embedded database to an external one: a file beside the cluster, after which only the new
 * database may be used, and a schema in a target whose move has not finished.
 */
import { open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { DatabaseRefusedError } from './database-refused-error.ts';
import { isErrno } from './errno.ts';
import type { PostgresPlace } from './postgres-place.ts';

/** A finished copy. */
export interface MovedMark {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** The target, without user and password. */
  readonly to: string;
}

const FILE = 'postgres.moved';
const UNFINISHED_SCHEMA = 'crypto_market_move';
const SECTION = 'see "Growing beyond one process" in docs/operating.md';

const isMark = (value: unknown): value is MovedMark =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'at', 'to'].every((key) => typeof Reflect.get(value, key) === 'string');

/** Null if the embedded database was not moved. @throws DatabaseRefusedError for an unreadable mark */
export async function readMovedMark({ home }: Pick<PostgresPlace, 'home'>): Promise<MovedMark | null> {
  const file = path.join(home, FILE);
  try {
    const mark: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isMark(mark)) return mark;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DatabaseRefusedError(`${file} is damaged. The data beside it was moved to another database: ${SECTION}.`);
}

/** Durable when the promise resolves. */
export async function writeMovedMark({ home }: Pick<PostgresPlace, 'home'>, mark: MovedMark): Promise<void> {
  const file = await open(path.join(home, FILE), 'w', 0o644);
  try {
    await file.writeFile(`${JSON.stringify(mark)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  // Windows cannot open directories.
  if (process.platform === 'win32') return;
  const directory = await open(home);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export const removeMovedMark = ({ home }: Pick<PostgresPlace, 'home'>): Promise<void> => rm(path.join(home, FILE));

/** @throws DatabaseRefusedError if the data was moved, since a second copy would lose orders */
export async function refuseMoved(place: Pick<PostgresPlace, 'home'>): Promise<void> {
  const mark = await readMovedMark(place);
  if (mark === null) return;
  throw new DatabaseRefusedError(
    `The data in ${place.home} was moved to ${mark.to} on ${mark.at.slice(0, 10)}: set DATABASE_URL. ` +
      `To use the data here again, ${SECTION}.`,
  );
}

/** Marks a target. From here until `finishMove` no shop starts on it. */
export async function beginMove(target: Db, id: string): Promise<void> {
  await target.transaction().execute(async (tx) => {
    await sql`create schema ${sql.id(UNFINISHED_SCHEMA)}`.execute(tx);
    await sql`comment on schema ${sql.id(UNFINISHED_SCHEMA)} is ${sql.lit(id)}`.execute(tx);
  });
}

/** The id of a move into this database that has not finished. Null if there is none. */
export async function findUnfinishedMove(target: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select obj_description(oid, 'pg_namespace') as id from pg_namespace where nspname = ${UNFINISHED_SCHEMA}
  `.execute(target);
  return rows[0] === undefined ? null : (rows[0].id ?? '');
}

export async function finishMove(target: Db): Promise<void> {
  await sql`drop schema if exists ${sql.id(UNFINISHED_SCHEMA)}`.execute(target);
}

/** @throws DatabaseRefusedError if a move into this database has not finished */
export async function refuseUnfinishedMove(target: Db): Promise<void> {
  if ((await findUnfinishedMove(target)) === null) return;
  throw new DatabaseRefusedError(
    'DATABASE_URL: a move into this database did not finish. Without DATABASE_URL in .env, run ' +
      '"npm run db -- move" with this URL again: it finishes the move or starts it again.',
  );
}
