import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import { startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { isAlive, isPostmasterOf, readPostmasterFile } from '#src/platform/database/postgres-process.ts';
import { removeSocketDir } from '#src/platform/database/postgres-server.ts';
import type { Log } from '#src/platform/log.ts';

export const migrationsDirectory = path.resolve(import.meta.dirname, '../../db/migrations');
const templateName = 'migrated_template';
const dataDirPrefix = 'crypto-market-test-';

/** A log that keeps quiet. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export interface TestDatabase extends Database {
  /** For opening more pools, or a server, on the same database. */
  readonly connection: EmbeddedConnection;
}

/** A server with a migrated template; `shop` and `admin` are what connects to it. */
interface TestServer {
  readonly shop: EmbeddedConnection;
  readonly admin: EmbeddedConnection;
  stop(): Promise<void>;
}

const sharedServer = 'CRYPTO_MARKET_TEST_SERVER';
let server: Promise<TestServer> | null = null;
let administration: Database | null = null;
let count = 0;
const closings: (() => Promise<void>)[] = [];

/**
 * A fresh, migrated, empty database, made from a template. Its server has no fsync and a temporary directory; it belongs
 * to the test run, if that shares one, else to this process. All is closed after the tests.
 */
export async function testDatabase(): Promise<TestDatabase> {
  server ??= findShared() ?? startServer();
  const { shop, admin } = await server;
  administration ??= openDatabase({ connection: admin, log: silentLog, poolSize: 1 });
  const { db } = administration;
  const name = `test_${process.pid}_${++count}`;
  await sql`create database ${sql.id(name)} owner ${sql.id(shop.user)} template ${sql.id(templateName)}`.execute(db);
  const connection = { ...shop, database: name };
  const database = openDatabase({ connection, log: silentLog });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= database.close());
  closings.push(async () => {
    await close();
    await sql`drop database ${sql.id(name)} with (force)`.execute(db);
  });
  return { ...database, close, connection };
}

/**
 * Starts one server for many test processes, which find it by their environment: saves each of them the set-up.
 * @returns what stops it.
 */
export async function shareTestServer(): Promise<() => Promise<void>> {
  const { shop, admin, stop } = await startServer();
  process.env[sharedServer] = JSON.stringify({ shop, admin });
  return stop;
}

function findShared(): Promise<TestServer> | null {
  const found = process.env[sharedServer];
  if (found === undefined) return null;
  const { shop, admin }: Pick<TestServer, 'shop' | 'admin'> = JSON.parse(found);
  return Promise.resolve({ shop, admin, stop: async () => {} });
}

after(async () => {
  await Promise.all(closings.map((close) => close()));
  await administration?.close();
  await (await server)?.stop();
});

async function startServer(): Promise<TestServer> {
  await sweep();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), `${dataDirPrefix}${process.pid}-`));
  // As root the database is somebody else, who must be let in.
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit: true, isDurable: false, log: silentLog });
  const { connection: shop, adminConnection: admin } = postgres;
  const pid = Number(readFileSync(path.join(postgres.location, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  // A process that ends without its hooks must not leave a server behind.
  const killNow = (): void => {
    process.kill(pid, 'SIGQUIT');
    rmSync(shop.host, { recursive: true, force: true });
  };
  process.once('exit', killNow);
  const template = { ...shop, database: templateName };
  const maker = openDatabase({ connection: admin, log: silentLog, poolSize: 1 });
  await sql`create database ${sql.id(templateName)} owner ${sql.id(shop.user)}`.execute(maker.db);
  await maker.close();
  const migrating = openDatabase({ connection: template, log: silentLog, poolSize: 1 });
  await migrate(migrating.db, migrationsDirectory);
  await migrating.close();
  const stop = async (): Promise<void> => {
    process.off('exit', killNow);
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { shop, admin, stop };
}

/** Clears away what test processes left that were killed outright. */
async function sweep(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const owner = new RegExp(`^${dataDirPrefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const dataDir = path.join(os.tmpdir(), name);
    const cluster = path.join(dataDir, 'postgres');
    // Not ours to touch, or swept by another test process at this moment: let it be.
    await (async () => {
      const file = await readPostmasterFile(cluster);
      if (file !== null && file !== 'empty' && (await isPostmasterOf(cluster, file.pid)))
        process.kill(file.pid, 'SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    })().catch(() => {});
  }
}
