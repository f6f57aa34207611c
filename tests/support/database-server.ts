/** The database server for tests, for one test process or a whole run. */
import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { openDatabase } from '#src/platform/database/database.ts';
import { startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { isAlive, isPostmasterOf, readPostmasterFile } from '#src/platform/database/postgres-process.ts';
import { removeSocketDir } from '#src/platform/database/postgres-server.ts';
import type { Log } from '#src/platform/process/log.ts';
import { fillFrom, fillFromTemplate } from './template.ts';
import { getTemporaryRoot } from './temporary-root.ts';

export const migrationsDirectory = path.resolve(import.meta.dirname, '../../db/migrations');
/** Databases of the server that others are copied from: with all tables, and with the data of the demo shop. */
export const TEMPLATES = { migrated: 'migrated_template', seeded: 'seeded_template' } as const;
const dataDirPrefix = 'crypto-market-test-';
const sharedServer = 'CRYPTO_MARKET_TEST_SERVER';

/** A silent log. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A server with the templates; `shop` and `admin` are connections to it. */
export interface TestServer {
  /** Of its main process. */
  readonly pid: number;
  readonly shop: EmbeddedConnection;
  readonly admin: EmbeddedConnection;
  stop(): Promise<void>;
}

/** Starts one server for many test processes, which find it by their environment. */
export async function shareTestServer(): Promise<TestServer> {
  const shared = await startServer();
  process.env[sharedServer] = JSON.stringify({ pid: shared.pid, shop: shared.shop, admin: shared.admin });
  return shared;
}

export const address = z.object({
  host: z.string(),
  port: z.number(),
  user: z.string(),
  password: z.string(),
  database: z.string(),
  ssl: z.literal(false),
});
const addresses = z.object({ pid: z.number(), shop: address, admin: address });

/** The server that the test run shares with this process; null for none. */
export function findSharedServer(): Promise<TestServer> | null {
  const found = process.env[sharedServer];
  if (found === undefined) return null;
  return Promise.resolve({ ...addresses.parse(JSON.parse(found)), stop: async () => {} });
}

/** Starts a server without fsync on a temporary directory, with a database of each template. */
export async function startServer(): Promise<TestServer> {
  await sweep();
  const dataDir = await mkdtemp(path.join(getTemporaryRoot(), `${dataDirPrefix}${process.pid}-`));
  // As root the database runs as another user, who needs access.
  await chmod(dataDir, 0o755);
  await fillFrom('server', dataDir, makeTemplates);
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit: true, isDurable: false, log: silentLog });
  const { connection: shop, adminConnection: admin } = postgres;
  const pid = Number(readFileSync(path.join(postgres.location, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  // Stops the server even if the process exits without running its hooks.
  const killNow = (): void => {
    process.kill(pid, 'SIGQUIT');
    rmSync(shop.host, { recursive: true, force: true });
  };
  process.once('exit', killNow);
  const stop = async (): Promise<void> => {
    process.off('exit', killNow);
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { pid, shop, admin, stop };
}

/** Adds the templates to the data of a shop after its first start, whose database is the seeded one. */
async function makeTemplates(dataDir: string): Promise<void> {
  await fillFromTemplate(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit: true, isDurable: false, log: silentLog });
  const { connection: shop, adminConnection: admin } = postgres;
  const maker = openDatabase({ connection: admin, log: silentLog, poolSize: 1 });
  await sql`alter database ${sql.id(shop.database)} rename to ${sql.id(TEMPLATES.seeded)}`.execute(maker.db);
  for (const name of [shop.database, TEMPLATES.migrated]) {
    await sql`create database ${sql.id(name)} owner ${sql.id(shop.user)} template template0`.execute(maker.db);
  }
  await maker.close();
  const connection = { ...shop, database: TEMPLATES.migrated };
  const migrating = openDatabase({ connection, log: silentLog, poolSize: 1 });
  await migrate(migrating.db, migrationsDirectory);
  await migrating.close();
  await postgres.stop();
}

/** Removes directories of killed test processes. */
async function sweep(): Promise<void> {
  const root = getTemporaryRoot();
  for (const name of await readdir(root)) {
    const owner = new RegExp(`^${dataDirPrefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const dataDir = path.join(root, name);
    const cluster = path.join(dataDir, 'postgres');
    // Not ours, or being removed by another test process.
    await (async () => {
      const file = await readPostmasterFile(cluster);
      if (file !== null && file !== 'empty' && (await isPostmasterOf(cluster, file.pid))) {
        process.kill(file.pid, 'SIGKILL');
        await removeSocketDir(file.socketDir);
      }
      await rm(dataDir, { recursive: true, force: true });
    })().catch(() => {});
  }
}
