/** A shop in this process, for tests that change its data in the database and reload it. Serves pages and calls only. */
import assert from 'node:assert/strict';
import { composeShop } from '#src/app/compose.ts';
import type { Shop } from '#src/app/compose.ts';
import { openShopServer } from '#src/app/http.ts';
import { seedDemo } from '#src/app/seed-demo.ts';
import { readSettings } from '#src/app/settings.ts';
import type { Db } from '#src/platform/database/database.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { openPasswords } from '#src/platform/security/passwords.ts';
import { noTelemetry } from '#src/platform/telemetry/telemetry.ts';
import { createTestDatabase, silentLog } from './database.ts';

export interface PageShop {
  readonly url: string;
  readonly shop: Shop;
  readonly db: Db;
  stop(): Promise<void>;
}

export async function openPageShop(environment: Readonly<Record<string, string>> = {}): Promise<PageShop> {
  const settings = readSettings({ RATE_LIMITS: 'off', DEVCHAIN_AUTOMINE: 'off', ...environment });
  const database = await createTestDatabase();
  const { connection } = database;
  const indexes = openDatabase({ connection, log: silentLog, poolSize: 1 });
  const clock = new AdjustableClock();
  const passwords = openPasswords();
  const telemetry = noTelemetry;
  const indexDb = indexes.db;
  const resources = { settings, log: silentLog, clock, database, connection, indexDb, passwords, telemetry };
  await seedDemo(resources);
  const shop = await composeShop(resources);
  const server = await openShopServer({
    settings,
    log: silentLog,
    clock,
    shop,
    checkReadiness: () => Promise.resolve({ isReady: true, parts: {} }),
    isDiskFull: () => false,
    isDraining: () => false,
    telemetry,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    shop,
    db: database.db,
    stop: async () => {
      await server.close();
      await shop.devchain?.stop();
      await indexes.close();
    },
  };
}
