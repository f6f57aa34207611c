import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import { startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { EmbeddedConnection, EmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
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

interface TestServer {
  readonly postgres: EmbeddedPostgres;
  readonly admin: Database;
  readonly dataDir: string;
  readonly killNow: () => void;
}

let server: Promise<TestServer> | null = null;
let count = 0;
const opened: Database[] = [];

/**
 * A fresh, migrated, empty database. The first call of a test process starts a server of its own on a temporary
 * directory, without fsync; every call makes a database from a migrated template. All is closed after the tests.
 */
export async function testDatabase(): Promise<TestDatabase> {
  server ??= startServer();
  const { postgres, admin } = await server;
  const name = `test_${++count}`;
  await sql`create database ${sql.id(name)} owner ${sql.id(postgres.connection.user)} template ${sql.id(templateName)}`.execute(
    admin.db,
  );
  const connection = { ...postgres.connection, database: name };
  const database = openDatabase({ connection, log: silentLog });
  let isClosed = false;
  const once: Database = {
    ...database,
    close: async () => {
      if (!isClosed) await database.close();
      isClosed = true;
    },
  };
  opened.push(once);
  return { ...once, connection };
}

after(async () => {
  await Promise.all(opened.map((database) => database.close()));
  if (server === null) return;
  const { postgres, admin, dataDir, killNow } = await server;
  process.off('exit', killNow);
  await admin.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function startServer(): Promise<TestServer> {
  await sweep();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), `${dataDirPrefix}${process.pid}-`));
  // As root the database is somebody else, who must be let in.
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit: true, isDurable: false, log: silentLog });
  const pid = Number(readFileSync(path.join(postgres.location, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  // A test process that ends without its hooks must not leave a server behind.
  const killNow = (): void => {
    process.kill(pid, 'SIGQUIT');
    rmSync(postgres.connection.host, { recursive: true, force: true });
  };
  process.once('exit', killNow);
  const admin = openDatabase({ connection: postgres.adminConnection, log: silentLog, poolSize: 2 });
  await sql`create database ${sql.id(templateName)} owner ${sql.id(postgres.connection.user)}`.execute(admin.db);
  const template = openDatabase({ connection: { ...postgres.connection, database: templateName }, log: silentLog });
  await migrate(template.db, migrationsDirectory);
  await template.close();
  return { postgres, admin, dataDir, killNow };
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
