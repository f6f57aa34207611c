/** Another process of the shop on the same database, as behind a load balancer. */
import { toDatabaseUrl } from './database-proxy.ts';
import { startShopProcess } from './shop-process.ts';
import type { Settings, ShopProcess } from './shop-process.ts';
import type { TestShop } from './shop.ts';

export async function startSecondProcess(
  shop: Pick<TestShop, 'dataDir' | 'getConnection'>,
  settings: Settings = {},
): Promise<ShopProcess> {
  const DATABASE_URL = toDatabaseUrl(await shop.getConnection());
  return startShopProcess(shop.dataDir, { ...settings, DATABASE_URL });
}
