import { after } from 'node:test';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { findSharedServer, silentLog, startServer, templateName } from './database-server.ts';
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

/**
 * A new, migrated, empty database, created from a template. Its server has no fsync and belongs
 * to the test run, if that shares one, else to this process. All is closed after the tests.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  return create((name, owner) => sql`create database ${name} owner ${owner} template ${sql.id(templateName)}`);
}

/** The same without tables. @param isOwned whether the user of the connection owns it */
export async function createEmptyDatabase(isOwned = true): Promise<TestDatabase> {
  return create((name, owner) =>
    isOwned
      ? sql`create database ${name} owner ${owner} template template0`
      : sql`create database ${name} template template0`,
  );
}

async function create(
  createStatement: (name: RawBuilder<unknown>, owner: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<TestDatabase> {
  const shared = findSharedServer();
  server ??= shared ?? startServer();
  const { shop, admin } = await server;
  administration ??= openDatabase({ connection: admin, log: silentLog, poolSize: 1 });
  const { db } = administration;
  const name = `test_${process.pid}_${++count}`;
  await createStatement(sql.id(name), sql.id(shop.user)).execute(db);
  const connection = { ...shop, database: name };
  const database = openDatabase({ connection, log: silentLog });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= database.close());
  closings.push(async () => {
    await close();
    // A server of this process is stopped as a whole.
    if (shared !== null) await sql`drop database ${sql.id(name)} with (force)`.execute(db);
  });
  return { ...database, close, connection };
}

/**
 * Closes the databases so far. The files that `scripts/test-groups.ts` generates call it after each
 * test file.
 * @public
 */
export async function closeTestDatabases(): Promise<void> {
  // Sequential: they share one connection, and a query waits at most five seconds for it.
  for (const close of closings.splice(0)) await close();
}

after(async () => {
  await closeTestDatabases();
  await administration?.close();
  await (await server)?.stop();
});
