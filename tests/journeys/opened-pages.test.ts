/** Opens every page once. every-page.test.ts and every-prepared-page.test.ts examine each of their states. */
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const seen = new Set<string>();
for (const fixture of PAGE_FIXTURES) {
  if (seen.has(fixture.route)) continue;
  seen.add(fixture.route);
  test(`opens ${fixture.route}: ${fixture.name}`, async () => {
    const { page, close } = await openPage(shop, { expectedStatuses: fixture.status ? [fixture.status] : [] });
    const path = await fixture.prepare?.(shop, page);
    await visit(page, path ?? fixture.path);
    await page.getByRole('heading', { level: 1, name: fixture.heading }).waitFor();
    await close();
  });
}
