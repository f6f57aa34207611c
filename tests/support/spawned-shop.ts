/** The shop as a process of its own, on its own database server, for tests of starts, stops, kills and signals. */
import { createApiClient } from './api-client.ts';
import { findConnection } from './find-connection.ts';
import { removeData, removeDataNow } from './remove-data.ts';
import type { TestShop } from './shop.ts';
import { endOrphanedDatabase, startShopProcess } from './shop-process.ts';
import type { Settings, ShopProcess } from './shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from './template.ts';

export interface SpawnedShop extends TestShop {
  /** Id of its process, another one after a restart. */
  getPid(): number;
  /** Kills the shop like a power loss; `restart` starts it again on the same data. */
  kill9(): Promise<void>;
}

export interface SpawnedShopOptions {
  /** Settings of the shop, as environment variables. */
  readonly settings?: Settings;
  /** Limit of open files of the shop's process. */
  readonly openFiles?: number;
  /** True: on an empty data directory, like a first start; else on a copy of a prepared one. */
  readonly fresh?: boolean;
  /** Fills the empty data directory before the first start. */
  readonly prepare?: (dataDir: string) => Promise<void>;
}

const dataDirs = new Set<string>();
process.on('exit', () => {
  for (const directory of dataDirs) {
    endOrphanedDatabase(directory);
    removeDataNow(directory);
  }
});

export async function startSpawnedShop({
  settings = {},
  openFiles,
  fresh = false,
  prepare,
}: SpawnedShopOptions = {}): Promise<SpawnedShop> {
  const dataDir = makeTemporaryDirectory();
  dataDirs.add(dataDir);
  if (prepare) await prepare(dataDir);
  else if (!fresh) await fillFromTemplate(dataDir);
  let shop: ShopProcess = await startShopProcess(dataDir, settings, { openFiles });
  let isKilled = false;
  let starts = 1;
  return {
    url: shop.url,
    getPid: () => shop.pid,
    dataDir,
    place: { DATA_DIR: dataDir, DATABASE_URL: '' },
    getConnection: () => findConnection(dataDir),
    api: createApiClient(shop.url),
    readOutput: () => shop.readOutput(),
    countStarts: () => starts,
    kill9: async () => {
      await shop.kill9();
      isKilled = true;
    },
    restart: async (overrides = {}) => {
      if (!isKilled) await shop.stop();
      shop = await startShopProcess(dataDir, { ...settings, ...overrides, PORT: String(shop.port) }, { openFiles });
      isKilled = false;
      starts += 1;
    },
    stop: async () => {
      try {
        await shop.stop();
      } finally {
        endOrphanedDatabase(dataDir);
        await removeData(dataDir);
        dataDirs.delete(dataDir);
      }
    },
  };
}
