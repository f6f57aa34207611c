/** Another process of the shop on the same database, as behind a load balancer. */
import assert from 'node:assert/strict';
import { attachEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import { toDatabaseUrl } from './database-proxy.ts';
import { startShopProcess } from './shop-process.ts';
import type { Settings, ShopProcess } from './shop-process.ts';
import type { TestShop } from './shop.ts';

export async function startSecondProcess(
  shop: Pick<TestShop, 'dataDir'>,
  settings: Settings = {},
): Promise<ShopProcess> {
  const attached = await attachEmbeddedPostgres({ dataDir: shop.dataDir, isDataDirExplicit: true });
  const DATABASE_URL = toDatabaseUrl(attached?.connection ?? assert.fail('no database runs'));
  return startShopProcess(shop.dataDir, { ...settings, DATABASE_URL });
}
