import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
let categories: readonly unknown[];
before(async () => {
  shop = await shareTestShop();
  categories = listAt((await shop.api('GET', '/categories')).body);
});

const listCards = (page: Page): Promise<string[]> => page.getByRole('article').getByRole('heading').allInnerTexts();

test('[CAT-03] shows the slug as title, all products, back link', async () => {
  const { page, close } = await openPage(shop);
  for (const category of categories) {
    const slug = textAt(category, 'slug');
    await page.goto(`/catalog/category/${slug}`);
    const title = slug.slice(0, 1).toUpperCase() + slug.slice(1);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), title);
    assert.equal(await page.title(), `${textAt(category, 'name')} · Crypto Market`);
    const expected = listAt((await shop.api('GET', `/products?category=${slug}&limit=24`)).body);
    assert.deepEqual(
      await listCards(page),
      expected.map((product) => textAt(product, 'name')),
    );
  }
  await page.getByRole('main').getByRole('link', { name: 'Back to catalog' }).click();
  await page.waitForURL('**/catalog');
  await close();
});

test('[CAT-03] filters by price and every property of the category', async () => {
  const { page, close } = await openPage(shop);
  for (const category of categories) {
    await page.goto(`/catalog/category/${textAt(category, 'slug')}`);
    const legends = page.getByRole('dialog', { name: 'Filters' }).locator('fieldset > legend');
    await legends.first().waitFor();
    const properties = listAt(category, 'properties').map((property) => textAt(property, 'name'));
    assert.deepEqual(await legends.allInnerTexts(), ['Price', ...properties]);
  }
  await close();
});

test("[CAT-03] returns 404 'Category not found.' for an unknown category", async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  for (const slug of ['none', 'iphone-', '%00', 'a'.repeat(300), '..%2Fiphone']) {
    const response = await page.goto(`/catalog/category/${slug}`);
    assert.equal(response?.status(), 404, slug);
    await page.getByText('Category not found.', { exact: true }).waitFor();
  }
  await page.getByRole('main').getByRole('link', { name: 'Go to the catalog' }).click();
  await page.waitForURL('**/catalog');
  await close();
});

test("[CAT-03] shows 'No products found' with a link out", async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/catalog/category/ipad?price_min=9000000');
  await page.getByText('No products found', { exact: true }).waitFor();
  assert.equal(await page.getByRole('article').count(), 0);
  await page.getByRole('main').getByRole('link', { name: 'Clear all filters' }).click();
  await page.waitForURL('**/catalog/category/ipad');
  await page.getByRole('article').first().waitFor();
  await close();
});

test('[CAT-04] uses price bounds 0 to 9000 without products', async () => {
  const { page, close } = await openPage(shop);
  // A value that products with this name do not have.
  const accessories = categories.find((category) => textAt(category, 'slug') === 'accessories');
  const length = listAt(accessories, 'properties').find((property) => textAt(property, 'name') === 'Length');
  const [value] = listAt(length, 'values');
  await page.goto(`/catalog/category/accessories?q=AirTag&values=${textAt(value, 'id')}`);
  await page.getByText('No products found', { exact: true }).waitFor();
  const panel = page.getByRole('dialog', { name: 'Filters' });
  assert.equal(await panel.getByLabel('From, $').inputValue(), '0');
  assert.equal(await panel.getByLabel('To, $').inputValue(), '9000');
  await close();
});

test('a missing category and an empty list are accessible', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  for (const path of ['/catalog/category/none', '/catalog/category/ipad?price_min=9000000']) {
    await page.goto(path);
    await assertAccessibleInBothSchemes(page);
  }
  await close();
});
