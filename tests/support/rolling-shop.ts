/** Two processes of the shop on a database of its own, so that each of them can be replaced, behind a load balancer. */
import { rmSync } from 'node:fs';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { silentLog } from './database-server.ts';
import { HealthBalancer } from './health-balancer.ts';
import { endOrphanedDatabase, findFreePort, startShopProcess } from './shop-process.ts';
import type { Settings, ShopProcess } from './shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from './template.ts';
import { waitUntil } from './wait-until.ts';

export interface RollingShop {
  readonly balancer: HealthBalancer;
  readonly db: Db;
  readonly processes: readonly [ShopProcess, ShopProcess];
  /** Stops a process in order, starts its successor on the same port, and waits for the load balancer. */
  replace(index: 0 | 1): Promise<void>;
  stop(): Promise<void>;
}

export interface SeparateDatabase {
  readonly dataDir: string;
  readonly connection: EmbeddedConnection;
  /** For the setting DATABASE_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The seeded database of a shop, which no process of the shop stops. @param isDurable whether it waits for the disk */
export async function startSeparateDatabase(isDurable = false): Promise<SeparateDatabase> {
  const dataDir = makeTemporaryDirectory();
  const removeNow = (): void => {
    endOrphanedDatabase(dataDir);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  // Of a process that ends early.
  process.on('exit', removeNow);
  await fillFromTemplate(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit: true, isDurable, log: silentLog });
  const { host, port, user, database, password } = postgres.connection;
  const login = [user, password].map(encodeURIComponent).join(':');
  return {
    dataDir,
    connection: postgres.connection,
    // The host query parameter is the socket directory.
    url: `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    stop: async () => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
      process.off('exit', removeNow);
    },
  };
}

export async function startRollingShop(own: Settings = {}): Promise<RollingShop> {
  const database = await startSeparateDatabase();
  const balancer = await HealthBalancer.open();
  const opened = openDatabase({ connection: database.connection, log: silentLog, poolSize: 2 });
  const settings = { DATABASE_URL: database.url, PUBLIC_URL: balancer.url, DRAIN_SECONDS: '5', ...own };
  const start = async (at: number): Promise<ShopProcess> =>
    startShopProcess(database.dataDir, { ...settings, PORT: String(at) });
  const processes: [ShopProcess, ShopProcess] = [await start(await findFreePort()), await start(await findFreePort())];
  const ports = processes.map((one) => one.port);
  const waitForBoth = (): Promise<void> => waitUntil(() => balancer.healthy.length === ports.length);
  balancer.watch(ports);
  await waitForBoth();
  return {
    balancer,
    db: opened.db,
    processes,
    replace: async (index) => {
      const { port: at } = processes[index];
      await processes[index].stop();
      processes[index] = await start(at);
      await waitForBoth();
    },
    stop: async () => {
      await balancer.close();
      for (const one of processes) await one.stop();
      await opened.close();
      await database.stop();
    },
  };
}
