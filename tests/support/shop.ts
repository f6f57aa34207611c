/**
 * The real shop for a test, in the process of the test: its own database, port and data directory, real requests. A
 * test of starts, stops, signals or kills takes `startSpawnedShop`.
 */
import { rm } from 'node:fs/promises';
import { readSettings } from '#src/app/settings.ts';
import type { DatabaseConnection } from '#src/platform/database/database-url.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { noShedding } from '#src/platform/http/load-shedder.ts';
import { Drain } from '#src/platform/process/drain.ts';
import { openLog } from '#src/platform/process/log.ts';
import { Shutdown } from '#src/platform/process/shutdown.ts';
import { createApiClient } from './api-client.ts';
import type { CallApi } from './api-client.ts';
import { toDatabaseUrl } from './database-proxy.ts';
import { beforeDatabasesEnd, copyDatabase, LONG_WAITS } from './database.ts';
import type { DatabaseCopy } from './database.ts';
import { findFreePort, TEST_SETTINGS } from './shop-process.ts';
import type { Settings } from './shop-process.ts';
import { makeTemporaryDirectory } from './template.ts';

export interface TestShop {
  readonly url: string;
  /** The directory of its uploads; of a spawned shop also of its database. */
  readonly dataDir: string;
  /** Settings with which another process finds its data. */
  readonly place: Settings;
  /** For a test that reads or changes the database. */
  getConnection(): Promise<EmbeddedConnection>;
  readonly api: CallApi;
  /** Log since the last start; of a spawned shop all that it printed. */
  readOutput(): string;
  /** Starts so far, the first included. */
  countStarts(): number;
  /** Stops the shop, and starts it on the same data and the same port. */
  restart(overrides?: Settings): Promise<void>;
  /** Stops the shop and removes its data. */
  stop(): Promise<void>;
}

export interface TestShopOptions {
  /** Settings of the shop, as environment variables. */
  readonly settings?: Settings;
  /** True: on an empty database, like a first start; else on a copy of a seeded one. */
  readonly fresh?: boolean;
  /** A running shop whose database this one uses too, as another process of it would. */
  readonly beside?: TestShop;
}

const running = new Set<TestShop>();
// A shop that its test has not stopped would keep the process alive.
beforeDatabasesEnd(async () => {
  await Promise.all([...running].map((shop) => shop.stop()));
});

export async function startTestShop(options: TestShopOptions = {}): Promise<TestShop> {
  const { settings = {} } = options;
  const [database, port] = await Promise.all([openShopDatabase(options), findFreePort()]);
  const dataDir = makeTemporaryDirectory();
  const base: Settings = { ...TEST_SETTINGS, DATA_DIR: dataDir, PORT: String(port), ...settings };
  const { connection } = database;
  let current = await run(base, connection);
  let starts = 1;
  const url = `http://127.0.0.1:${base['PORT']}`;
  const shop: TestShop = {
    url,
    dataDir,
    place: { DATA_DIR: dataDir, DATABASE_URL: toDatabaseUrl(connection) },
    getConnection: () => Promise.resolve(connection),
    api: createApiClient(url),
    readOutput: () => current.readOutput(),
    countStarts: () => starts,
    restart: async (overrides = {}) => {
      await current.stop();
      current = await run({ ...base, ...overrides }, connection);
      starts += 1;
    },
    stop: async () => {
      if (!running.delete(shop)) return;
      await current.stop();
      await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
  running.add(shop);
  return shop;
}

const keep = (): Promise<void> => Promise.resolve();

/** A copy of a template, or a database that belongs to another shop or to the test. */
async function openShopDatabase({ settings, fresh, beside }: TestShopOptions): Promise<DatabaseCopy> {
  if (beside !== undefined) return { connection: await beside.getConnection(), drop: keep };
  const url = settings?.['DATABASE_URL'];
  if (url === undefined) return copyDatabase(fresh === true ? 'migrated' : 'seeded');
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const connection: EmbeddedConnection = {
    host: searchParams.get('host') ?? hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    ssl: false,
  };
  return { connection, drop: keep };
}

async function run(environment: Settings, connection: DatabaseConnection) {
  // React chooses its slow development build without it.
  process.env.NODE_ENV = 'production';
  const { runShop } = await import('#src/app/run-shop.ts');
  const settings = readSettings(environment);
  let output = '';
  const log = openLog(settings.logLevel, { write: (line) => void (output += line) });
  const shutdown = new Shutdown(log);
  const demoSeed = settings.mode === 'demo' ? await import('#src/app/seed-demo.ts') : null;
  try {
    const drain = new Drain(settings.drainSeconds);
    const patience = { shedder: noShedding, databaseWaits: LONG_WAITS };
    await runShop({ settings, log, connection, embedded: null, shutdown, drain, demoSeed, ...patience });
  } catch (error) {
    await shutdown.run();
    throw error;
  }
  return { readOutput: () => output, stop: () => shutdown.run() };
}
