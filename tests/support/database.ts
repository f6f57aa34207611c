import { after } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { findSharedServer, silentLog, startServer, TEMPLATES } from './database-server.ts';
import type { TestServer } from './database-server.ts';

export { migrationsDirectory, silentLog } from './database-server.ts';

export interface TestDatabase extends Database {
  /** For opening more pools, or a server, on the same database. */
  readonly connection: EmbeddedConnection;
}

let server: Promise<TestServer> | null = null;
let administration: Database | null = null;
let count = 0;
const closings: (() => Promise<void>)[] = [];
const endings: (() => Promise<void>)[] = [];

/** Calls a function at the end of the process, before the databases close. */
export function beforeDatabasesEnd(end: () => Promise<void>): void {
  endings.push(end);
}

/**
 * A new, migrated, empty database, created from a template. Its server has no fsync and belongs
 * to the test run, if that shares one, else to this process. All is closed after the tests.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  return open(await copyDatabase('migrated'));
}

/** The same without tables. @param isOwned whether the user of the connection owns it */
export async function createEmptyDatabase(isOwned = true): Promise<TestDatabase> {
  return open(await create('template0', isOwned));
}

/** A database whose user closes its connections and drops it. */
export interface DatabaseCopy {
  readonly connection: EmbeddedConnection;
  drop(): Promise<void>;
}

/** Copies a template: all tables, or the data of the demo shop as well. */
export const copyDatabase = (template: keyof typeof TEMPLATES): Promise<DatabaseCopy> =>
  create(TEMPLATES[template], true);

async function create(template: string, isOwned: boolean): Promise<DatabaseCopy> {
  const shared = findSharedServer();
  server ??= shared ?? startServer();
  const { shop, admin } = await server;
  administration ??= openDatabase({ connection: admin, log: silentLog, poolSize: 1 });
  const { db } = administration;
  const name = `test_${process.pid}_${++count}`;
  const owner = isOwned ? sql`owner ${sql.id(shop.user)}` : sql``;
  // Copies files instead of writing each page through the log.
  await sql`create database ${sql.id(name)} ${owner} template ${sql.id(template)} strategy file_copy`.execute(db);
  return {
    connection: { ...shop, database: name },
    // A server of this process is stopped as a whole.
    drop: async () => {
      if (shared !== null) await sql`drop database ${sql.id(name)} with (force)`.execute(db);
    },
  };
}

/** Tests of races start a hundred transactions at once, on machines that do other work. */
export const LONG_WAITS = {
  connectionWaitMs: 60_000,
  lockTimeoutMs: 60_000,
  statementTimeoutMs: 60_000,
  idleInTransactionMs: 60_000,
} as const;

function open(copy: DatabaseCopy): TestDatabase {
  const { connection } = copy;
  const database = openDatabase({ connection, log: silentLog, ...LONG_WAITS });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= database.close());
  closings.push(async () => {
    await close();
    await copy.drop();
  });
  return { ...database, close, connection };
}

/**
 * Closes the databases so far. The files that `scripts/test/test-groups.ts` generates call it after each
 * test file.
 * @public
 */
export async function closeTestDatabases(): Promise<void> {
  // Sequential: they share one connection, and a query waits at most five seconds for it.
  for (const close of closings.splice(0)) await close();
}

after(async () => {
  for (const end of endings) await end();
  await closeTestDatabases();
  await administration?.close();
  await (await server)?.stop();
});
