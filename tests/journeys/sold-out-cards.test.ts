/** Cards of sold-out products, with a second process on the same database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { listAt, textAt, valueAt } from '../support/read-json.ts';
import { startSecondProcess } from '../support/second-process.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';
import type { ShopProcess } from '../support/shop-process.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const NAME = 'AirPods Pro 3';
const SLUG = 'airpods-pro-3';

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

/** Sets what is available of every variant, as staff. */
async function setAvailable(slug: string, quantity: number): Promise<void> {
  const token = await getStaffToken(shop);
  const { body: product } = await shop.api('GET', `/products/${slug}`);
  for (const variant of listAt(product, 'variants')) {
    const sku = textAt(variant, 'sku');
    const { body } = await shop.api('GET', `/inventory?q=${sku}`, { token });
    const found = listAt(body, 'variants').find((one) => textAt(one, 'sku') === sku);
    const set = { of: 'available', quantity, seen: valueAt(found, 'available'), reason: 'counted' };
    const { status } = await shop.api('PUT', `/inventory/${textAt(found, 'variant_id')}`, { token, body: set });
    assert.equal(status, 200);
  }
}

const getCard = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: NAME, exact: true }) })
    .first();

test('[OPS-10] [CARD-03] cards of every process say what is sold out', async () => {
  const { body: product } = await shop.api('GET', `/products/${SLUG}`);
  const { body: categories } = await shop.api('GET', '/categories');
  const category = listAt(categories).find((one) => textAt(one, 'id') === textAt(product, 'category_id'));
  const list = `/catalog/category/${textAt(category, 'slug')}`;
  const isSoldOutAt = async (url: string) => /Sold out/.test(await (await fetch(`${url}${list}`)).text());
  const processes = [shop.url, second.url];
  for (const url of processes) assert.equal(await isSoldOutAt(url), false);
  await setAvailable(SLUG, 0);
  // Each process reads the changes at its own time.
  for (const url of processes) await waitUntil(() => isSoldOutAt(url));

  const { page, close } = await openPage(shop, { width: 390 });
  for (const place of ['/', '/catalog', list, '/search-results?query=airpods', '/catalog/product/airpods-4']) {
    await visit(page, place);
    await getCard(page).getByText('Sold out', { exact: true }).waitFor();
    assert.equal(
      await getCard(page)
        .getByRole('button', { name: `Add ${NAME} to cart` })
        .count(),
      0,
      place,
    );
  }
  await visit(page, list);
  await assertAccessible(page);
  await getCard(page).getByRole('link', { name: NAME }).click();
  await page.getByRole('link', { name: 'Log in to get a mail when it is back' }).waitFor();
  await visit(page, '/catalog/product/airpods-4');
  await page.getByRole('region', { name: 'Recently viewed' }).getByText('Sold out').waitFor();
  await close();

  const plain = await openPage(shop, { javaScript: false });
  await plain.page.goto(`${shop.url}${list}`);
  await getCard(plain.page).getByText('Sold out', { exact: true }).waitFor();
  assert.equal(await getCard(plain.page).getByRole('button').count(), 0);
  await plain.close();

  await setAvailable(SLUG, 2);
  for (const url of processes) await waitUntil(async () => !(await isSoldOutAt(url)));
});
