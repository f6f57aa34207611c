/** What the product page shows of variants, with a second process on the same database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { listAt, textAt, valueAt } from '../support/read-json.ts';
import { startSecondProcess } from '../support/second-process.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';
import type { ShopProcess } from '../support/shop-process.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { createStockBuyer } from '../support/stock-stress.ts';
import { BILLING } from '../support/stress-buyer.ts';
import { waitUntil } from '../support/wait-until.ts';

const PHONE = '/catalog/product/iphone-17-pro';

let shop: TestShop;
let second: ShopProcess;
before(async () => {
  shop = await startTestShop();
  second = await startSecondProcess(shop);
});
after(async () => {
  await second.stop();
  await shop.stop();
});

const fetchText = async (url: string): Promise<string> => (await fetch(url)).text();

/** Tracks a variant with this number of available units, as staff. */
async function setAvailable(sku: string, quantity: number): Promise<void> {
  const token = await getStaffToken(shop);
  const { body } = await shop.api('GET', `/inventory?q=${sku}`, { token });
  const found = listAt(body, 'variants').find((one) => textAt(one, 'sku') === sku);
  const set = { of: 'available', quantity, seen: null, reason: 'counted' };
  const response = await shop.api('PUT', `/inventory/${textAt(found, 'variant_id')}`, { token, body: set });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}

test('[OPS-08] shows the last unit as sold out on the page of another process', async () => {
  const { body: product } = await shop.api('GET', '/products/iphone-17-pro');
  const [id, sku] = [textAt(product, 'id'), textAt(product, 'variants', 0, 'sku')];
  await setAvailable(sku, 1);
  const url = `${second.url}${PHONE}`;
  const isSoldOut = async (): Promise<boolean> => (await fetchText(url)).includes('OutOfStock');
  const readFirstSku = async (): Promise<string> => /"sku":"([^"]+)"/.exec(await fetchText(url))?.[1] ?? '';
  assert.equal(await readFirstSku(), sku);
  const [one, two] = [await createStockBuyer(shop, 'first', id), await createStockBuyer(shop, 'second', id)];
  assert.equal((await shop.api('POST', '/cart/checkout', { token: one, body: BILLING })).status, 201);
  const began = performance.now();
  // The page opens with the next variant that can be ordered.
  await waitUntil(async () => (await readFirstSku()) !== sku);
  assert.ok(performance.now() - began < 10_000, 'a page of the other process is current within a moment');
  assert.equal(await isSoldOut(), false, 'other variants can be ordered');
  const refused = await shop.api('POST', '/cart/checkout', { token: two, body: BILLING });
  assert.equal(`${refused.status} ${textAt(refused.body, 'error', 'code')}`, '409 sold-out');
  assert.match(textAt(refused.body, 'error', 'message'), /iPhone 17 Pro \(.*Cosmic Orange.*\) is sold out/);
});

test('[OPS-08] [OPS-10] says what is sold out before it is chosen', async () => {
  const { page, close } = await openPage(shop, { width: 390 });
  await visit(page, PHONE);
  const orange = page.getByRole('radio', { name: /Cosmic Orange/ });
  await page.getByText('Sold out').first().waitFor();
  assert.equal(await orange.isChecked(), false, 'the page opens with a variant that can be ordered');
  assert.ok(await page.getByRole('button', { name: 'Add to Cart', exact: true }).isEnabled());
  await orange.check();
  assert.ok(await page.getByRole('button', { name: 'Sold out', exact: true }).isDisabled());
  await page.getByRole('link', { name: 'Log in to get a mail when it is back' }).waitFor();
  await assertAccessible(page);
  await close();
});

test('[CARD-03] [OPS-08] a card adds the first variant that is available', async () => {
  for (const javaScript of [true, false]) {
    const { page, close } = await openPage(shop, { width: 390, javaScript });
    if (javaScript) await visit(page, '/search-results?query=iphone+17+pro');
    else await page.goto(`${shop.url}/search-results?query=iphone+17+pro`);
    const add = page.getByRole('button', { name: 'Add iPhone 17 Pro (256GB, Deep Blue) to cart', exact: true }).first();
    await add.click();
    if (javaScript) {
      await page
        .getByRole('button', { name: 'Remove iPhone 17 Pro (256GB, Deep Blue) from cart', exact: true })
        .first()
        .waitFor();
      await visit(page, '/cart');
    }
    await page.getByText('256GB, Deep Blue').waitFor();
    assert.equal(await page.getByText('Sold out').count(), 0);
    await close();
  }
});

test('[CART-09] an outdated product page does not add what is sold out', async () => {
  const plain = await openPage(shop, { javaScript: false, expectedStatuses: [409] });
  await plain.page.goto(`${shop.url}${PHONE}`);
  const { page, close } = await openPage(shop, { width: 390, expectedStatuses: [409] });
  await visit(page, PHONE);
  const { body: product } = await shop.api('GET', '/products/iphone-17-pro');
  const shown = listAt(product, 'variants').find((variant) => valueAt(variant, 'is_available') === true);
  await setAvailable(textAt(shown, 'sku'), 0);
  const [add, addPlain] = [page, plain.page].map((of) => of.getByRole('button', { name: 'Add to Cart', exact: true }));
  await add?.click();
  await page.getByRole('alert').getByText('Sold out', { exact: true }).waitFor();
  await assertAccessible(page);
  await visit(page, '/cart');
  await page.getByText('No items in cart').waitFor();
  await close();
  await addPlain?.click();
  await plain.page.getByRole('alert').getByText('Sold out', { exact: true }).waitFor();
  await plain.close();
});
