/** Pages of an overloaded shop. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

for (const [status, reason] of [
  [503, 'The shop is very busy.'],
  [429, 'You opened too many pages in a short time.'],
] as const) {
  test(`[OPS-26] a page refused with ${status} shows why and can be retried`, async () => {
    const { page, close } = await openPage(shop, { expectedStatuses: [status] });
    await page.goto('/terms');
    await page.route('**/contact.data*', (route) =>
      route.fulfill({ status, body: 'Refused', contentType: 'text/plain' }),
    );
    await page.getByRole('link', { name: 'Contact' }).first().click();
    await page.getByRole('alert').getByText(reason, { exact: false }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/terms');
    await page.unroute('**/contact.data*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/contact');
    await close().catch((error: unknown) => assert.match(String(error), /a page could not be loaded/));
  });
}
