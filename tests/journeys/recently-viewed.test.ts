/** Recently viewed products of this browser. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, visit } from '../support/buyer.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { resize } from '../support/pages/frames.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getRow = (page: Page) => page.getByRole('region', { name: 'Recently viewed' });
const listNames = (page: Page) => getRow(page).getByRole('heading', { level: 3 }).allInnerTexts();
const look = (page: Page, slug: string) => visit(page, `/catalog/product/${slug}`);
const isRemembered = (page: Page, count: number) =>
  page.waitForFunction((expected) => localStorage.getItem('recent_products')?.split(',').length === expected, count);

test('[PROD-13] shows viewed products on later ones, newest first', async () => {
  const { page, close } = await openPage(shop);
  await look(page, 'iphone-air');
  await isRemembered(page, 1);
  assert.equal(await getRow(page).count(), 0, 'nothing was viewed before');
  await look(page, 'airpods-4');
  await getRow(page).waitFor();
  assert.deepEqual(await listNames(page), ['iPhone Air']);
  await isRemembered(page, 2);
  await look(page, 'iphone-17-pro');
  await getRow(page).waitFor();
  assert.deepEqual(await listNames(page), ['AirPods 4', 'iPhone Air']);
  await getRow(page).getByRole('link', { name: 'iPhone Air' }).click();
  await page.getByRole('heading', { level: 1, name: 'iPhone Air' }).waitFor();
  await getRow(page).getByRole('link', { name: 'iPhone 17 Pro' }).waitFor();
  assert.deepEqual(await listNames(page), ['iPhone 17 Pro', 'AirPods 4']);
  await close();
});

test('[PROD-13] shows at most eight products that are on sale', async () => {
  const { page, close } = await openPage(shop);
  const ids = listAt((await shop.api('GET', '/products?limit=12')).body).map((entry) => textAt(entry, 'id'));
  const stored = ['nonsense', '019a0000-0000-7000-8000-000000000000', ...ids].join(',');
  await page.addInitScript((text) => localStorage.setItem('recent_products', text), stored);
  await visit(page, '/cart');
  await getRow(page).waitFor();
  assert.equal((await listNames(page)).length, 7);
  await close();
});

test('[PROD-13] shows viewed products in the reserved space of an empty cart', async () => {
  const { page, close } = await openPage(shop);
  await look(page, 'iphone-air');
  await isRemembered(page, 1);
  const shiftsOf = await watchLayoutShifts(page);
  for (const width of [390, 1440]) {
    await resize(page, width, 900);
    await visit(page, '/cart');
    await getRow(page).waitFor();
    assert.deepEqual(await listNames(page), ['iPhone Air']);
    const total = (await shiftsOf()).reduce((sum, { value }) => sum + value, 0);
    assert.ok(total < 0.01, `${width} px: moved by ${total}`);
  }
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).click();
  await getRow(page).waitFor({ state: 'detached' });
  await close();
});

test('[PROD-13] sends ids without identifying the visitor', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await look(page, 'iphone-air');
  await isRemembered(page, 1);
  const request = page.waitForRequest('**/api/product-cards?**');
  await look(page, 'airpods-4');
  const headers = await (await request).allHeaders();
  for (const name of ['authorization', 'cookie', 'referer']) assert.equal(headers[name], undefined, name);
  await getRow(page).waitFor();
  assert.deepEqual(await listNames(page), ['iPhone Air']);
  // No data is left for the next user of the computer.
  await visit(page, '/dashboard');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login');
  assert.equal(await page.evaluate(() => localStorage.getItem('recent_products')), null);
  await close();
});

test('[PROD-13] works without storage until the page is left', async () => {
  const { page, close } = await openPage(shop);
  await page.addInitScript(() => {
    const callers: string[] = [];
    Object.assign(globalThis, { callers });
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        callers.push(new Error('read').stack ?? '');
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
  });
  await look(page, 'iphone-air');
  // The list is loaded late; it has tried to store the product.
  await page.waitForFunction(() => {
    const callers: unknown = Reflect.get(globalThis, 'callers');
    return Array.isArray(callers) && callers.some((stack) => String(stack).includes('/assets/recent-'));
  });
  await page
    .getByRole('region', { name: 'Check out other iPhone' })
    .getByRole('link', { name: 'iPhone 17 Pro', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'iPhone 17 Pro' }).waitFor();
  await getRow(page).waitFor();
  assert.deepEqual(await listNames(page), ['iPhone Air']);
  await close();
});
