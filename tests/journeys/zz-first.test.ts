import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { fillSales } from '../support/fill-sales.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
let shop: TestShop;
before(async () => { shop = await startTestShop(); await runWithShopDatabase(shop, (db) => fillSales(db, 3000, new Date())); });
after(() => shop.stop());
test('shots', async () => {
  for (const width of [1440, 390]) for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await openPage(shop, { width });
    await page.emulateMedia({ colorScheme });
    await signIn(shop, page, 'staff', 'crypto-market');
    for (const [name, path] of [['home', '/admin'], ['sales', '/admin/sales?period=12m'], ['orders', '/admin/orders?status=paid&fulfilment=unfulfilled']] as const) {
      await visit(page, path);
      if (name === 'sales') await page.locator('summary', { hasText: 'Figures as a table' }).click();
      await page.locator('nav[aria-label="Back office"]').waitFor();
      await page.waitForTimeout(700);
      await page.screenshot({ path: `/tmp/first/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
    await close();
  }
  void sql;
});
