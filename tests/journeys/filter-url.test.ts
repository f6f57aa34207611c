import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import {
  getCheckbox,
  waitForCards,
  waitForCount,
  listValueIdsByApi,
  waitForReady,
  listNamesByApi,
  openFilters,
  getOpener,
  getPanel,
  getToField,
  countByApi,
} from '../support/pages/filters.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[CAT-06] [LAY-11] keeps a filtered view in the URL, with scroll position', async () => {
  const { page, close } = await openPage(shop, WIDE);
  await openFilters(page, '/catalog/category/iphone');
  await getCheckbox(page, /^512GB/).check();
  await page.waitForURL(/values=/);
  await page.evaluate(() => window.scrollTo(0, 150));
  await page.waitForFunction(() => window.scrollY === 150);
  await page.getByLabel('Sort by').selectOption('Price: high to low');
  await page.waitForURL(/sort=price_desc/);
  const expectedNames = await listNamesByApi(shop, `category=iphone&${new URL(page.url()).searchParams}`);
  await waitForCards(page, expectedNames);
  assert.equal(await page.evaluate(() => window.scrollY), 150);
  const address = page.url();

  const shared = await openPage(shop, PHONE);
  await shared.page.goto(address);
  await waitForCards(shared.page, expectedNames);
  assert.ok(await shared.page.getByRole('link', { name: 'Remove filter 512GB' }).isVisible());
  await shared.close();

  await page.reload();
  await waitForCards(page, expectedNames);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('select')?.value === '');
  await page.goBack();
  await page.waitForURL((url) => url.search === '');
  await waitForCount(page, await countByApi(shop, 'category=iphone'));
  await close();
});

test('[CAT-06] shows active filters as removable chips', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/catalog?brand=apple&brand=nomad&price_min=100&price_max=900&sort=newest');
  await waitForReady(page);
  const chips = page.getByRole('list', { name: 'Active filters' });
  assert.deepEqual(await chips.getByRole('link').allInnerTexts(), ['$100 to $900', 'Apple', 'Nomad', 'Clear all']);
  await chips.getByRole('link', { name: 'Remove filter Apple' }).click();
  await page.waitForURL('**/catalog?brand=nomad&price_min=100&price_max=900&sort=newest');
  // The pressed chip is removed, and the focus moves.
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BUTTON');
  await chips.getByRole('link', { name: 'Clear all' }).click();
  await page.waitForURL('**/catalog?sort=newest');
  await chips.waitFor({ state: 'detached' });
  await close();
});

test('[CAT-06] sorts by price, newest and best selling', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/catalog/category/accessories');
  await waitForReady(page);
  for (const [label, sort] of Object.entries({
    'Price: low to high': 'price_asc',
    'Price: high to low': 'price_desc',
    Newest: 'newest',
    'Best selling': 'best_sold',
  })) {
    await page.getByLabel('Sort by').selectOption(label);
    await page.waitForURL(`**?sort=${sort}`);
    await waitForCards(page, await listNamesByApi(shop, `category=accessories&limit=24&sort=${sort}`));
  }
  await close();
});

test('[CAT-06] submits the same view without JavaScript', async () => {
  const { page, close } = await openPage(shop, { ...PHONE, javaScript: false });
  await page.goto('/catalog/category/iphone?sort=price_asc');
  await getOpener(page).click();
  await getCheckbox(page, /^512GB/).check();
  await getToField(page).fill('1300');
  await getPanel(page)
    .getByRole('button', { name: /^Show \d+ products$/ })
    .click();
  const [id = ''] = await listValueIdsByApi(shop, 'Memory Capacity', '512GB');
  const query = `category=iphone&price_max=1300&values=${id}`;
  const expected = await listNamesByApi(shop, `${query}&sort=price_asc`);
  await waitForCards(page, expected);
  await waitForCount(page, expected.length);
  assert.equal(await page.getByLabel('Sort by').inputValue(), 'price_asc');
  const remaining = await countByApi(shop, 'category=iphone&price_max=1300');
  assert.notEqual(remaining, expected.length);
  await page.getByRole('link', { name: 'Remove filter 512GB' }).click();
  await waitForCount(page, remaining);
  await page.getByLabel('Sort by').selectOption('newest');
  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get('sort') === 'newest');
  await waitForCount(page, remaining);
  await close();
});

test('[CAT-06] ignores invalid parameters', async () => {
  const all = await countByApi(shop, '');
  for (const nonsense of ['brand=nobody', 'values=x,y', 'price_min=5&price_max=%00', 'sort=%F0', 'offset=-1&q=%25']) {
    const response = await fetch(`${shop.url}/catalog?${nonsense}`);
    assert.equal(response.status, 200, nonsense);
    assert.ok((await response.text()).includes(`${all} products`), nonsense);
  }
  for (const odd of ['price_min=9&price_max=1', 'offset=999999999', `values=${'0'.repeat(5000)}`, '%', 'q=%ED%A0%80']) {
    assert.equal((await fetch(`${shop.url}/catalog/category/iphone?${odd}`)).status, 200, odd);
  }
});
