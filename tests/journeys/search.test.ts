import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { listCards, waitForCards, waitForCount } from '../support/pages/filters.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const PHONE = { width: 390, height: 844 };

let shop: TestShop;
let names: readonly string[];
before(async () => {
  shop = await shareTestShop();
  names = listAt((await shop.api('GET', '/products?limit=500')).body).map((product) => textAt(product, 'name'));
});

const getSearchBox = (page: Page): Locator => page.getByPlaceholder('Search in Crypto Market');
const getOptions = (page: Page): Locator => page.getByRole('listbox', { name: 'Products' }).getByRole('option');
const isReady = (page: Page) => page.waitForFunction(() => document.documentElement.hasAttribute('data-ready'));
const listTitles = (page: Page): Promise<string[]> =>
  getOptions(page).evaluateAll((all) => all.map((option) => option.querySelector('span > span')?.textContent ?? ''));
const waitForTitles = (page: Page, expected: readonly string[]) =>
  waitUntil(async () => (await listTitles(page)).join() === expected.join());
const isCleared = (page: Page) => waitUntil(async () => (await getSearchBox(page).inputValue()) === '');
const listNamesWith = (text: string): string[] =>
  names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));

async function open(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await isReady(page);
}

async function typeQuery(page: Page, text: string): Promise<void> {
  await getSearchBox(page).fill(text);
  await page.locator('[role=listbox]:not([data-stale]) [role=option]').first().waitFor();
}

test('[SRCH-01] [LAY-04] lists products containing the typed text in any case', async () => {
  const { page, close } = await openPage(shop);
  await open(page);
  await getSearchBox(page).click();
  await getSearchBox(page).pressSequentially('mAcBoOk P');
  await waitForTitles(page, listNamesWith('macbook p'));
  await typeQuery(page, 'iphone 17 pro');
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 2);
  const first = getOptions(page).first();
  assert.deepEqual(
    (await first.innerText())
      .split(/\n+/)
      .map((line) => line.trim())
      .filter(Boolean),
    ['iPhone 17 Pro', 'A19 Pro, three 48 MP cameras, aluminum unibody', '0.009901 BTC', 'or $1,099.00'],
  );
  assert.match(
    (await first.locator('img').first().getAttribute('src')) ?? '',
    /^\/api\/images\/products\/iphone-17-pro\//,
  );
  await first.getByText('iPhone 17 Pro', { exact: true }).click();
  await page.waitForURL('**/catalog/product/iphone-17-pro');
  await isCleared(page);
  await getOptions(page).first().waitFor({ state: 'detached' });
  await close();
});

test("[SRCH-01] [SRCH-06] shows 'No products found' with popular products by keyboard", async () => {
  const { page, close } = await openPage(shop, PHONE);
  await open(page);
  await getSearchBox(page).fill('zeppelin');
  await page.getByRole('search').getByText('No products found', { exact: true }).waitFor();
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  const popular = list.getByRole('group', { name: 'Popular products' }).getByRole('option');
  await popular.first().waitFor();
  assert.equal(await list.getByRole('group').count(), 1);
  assert.equal(await getSearchBox(page).getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('ArrowDown');
  await waitUntil(async () => (await popular.first().getAttribute('aria-selected')) === 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/catalog/product/*');
  await close();
});

test('[SRCH-06] finds misspelled products, also on the results page', async () => {
  const { page, close } = await openPage(shop);
  await open(page);
  for (const [text, expectedQuery] of [
    ['macbok', listNamesWith('macbook')],
    ['iphone17', listNamesWith('iphone 17')],
    ['air pods', listNamesWith('airpods')],
    ['ipone 17 pro', listNamesWith('iphone 17 pro')],
    ['magsafe chargr', listNamesWith('magsafe charger')],
  ] as const) {
    await getSearchBox(page).fill(text);
    await waitForTitles(page, expectedQuery);
  }
  await getSearchBox(page).press('Enter');
  await page.waitForURL('**/search-results?query=magsafe+chargr');
  await page.getByText('No exact matches for "magsafe chargr". Similar products:', { exact: true }).waitFor();
  await waitForCards(page, listNamesWith('magsafe charger'));
  await close();
});

test('[SRCH-06] lists similar results below exact ones', async () => {
  const { page, close } = await openPage(shop);
  await open(page, '/search-results?query=mini+m');
  await page.getByText('Similar products:', { exact: true }).waitFor();
  assert.deepEqual(await listCards(page), [...listNamesWith('mini m'), 'Logitech MX Keys Mini for Mac']);
  await open(page, '/search-results?query=max+pro');
  await page.getByText('No exact matches for "max pro". Similar products:', { exact: true }).waitFor();
  await waitForCards(page, ['iPhone 17 Pro Max', 'iPhone 16 Pro Max']);
  await close();
});

test('[SRCH-06] suggests nearest and popular products without results', async () => {
  const { page, close } = await openPage(shop);
  for (const path of ['/search-results?query=iphone+99', '/catalog/category/ipad?q=iphone+99']) {
    await open(page, path);
    await page.getByText('No products found').first().waitFor();
    const nearest = page.getByRole('region', { name: 'Closest matches' }).getByRole('article').getByRole('heading');
    assert.ok((await nearest.allInnerTexts()).every((name) => name.startsWith('iPhone')));
    assert.equal(await nearest.count(), 4);
    assert.equal(await page.getByRole('region', { name: 'Popular products' }).getByRole('article').count(), 4);
  }
  await page.getByRole('region', { name: 'Closest matches' }).getByRole('link').first().click();
  await page.waitForURL('**/catalog/product/iphone-*');
  await close();
});

test('[SRCH-02] opens results by Enter or icon, ignores empty text', async () => {
  const { page, close } = await openPage(shop);
  await open(page);
  for (const empty of ['', '   ']) {
    await getSearchBox(page).fill(empty);
    await getSearchBox(page).press('Enter');
    await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
  }
  assert.equal(new URL(page.url()).pathname, '/');
  await getSearchBox(page).fill('50% & more');
  await getSearchBox(page).press('Enter');
  await page.waitForURL((url) => url.pathname === '/search-results' && url.searchParams.get('query') === '50% & more');
  await isCleared(page);
  await getSearchBox(page).fill('iPad');
  await page.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click();
  await page.waitForURL('**/search-results?query=iPad');
  await isCleared(page);
  await close();
});

test('[SRCH-05] works by keyboard as an ARIA combobox', async () => {
  const { page, close } = await openPage(shop);
  await open(page);
  await page.keyboard.press('/');
  assert.equal(await getSearchBox(page).evaluate((input) => input === document.activeElement), true);
  assert.equal(await getSearchBox(page).inputValue(), '');
  assert.equal(await getSearchBox(page).getAttribute('role'), 'combobox');
  await page.keyboard.type('ipad/');
  assert.equal(await getSearchBox(page).inputValue(), 'ipad/');
  await typeQuery(page, 'ipad');
  assert.equal(await getSearchBox(page).getAttribute('aria-expanded'), 'true');
  assert.equal(
    await page.getByRole('listbox').getAttribute('id'),
    await getSearchBox(page).getAttribute('aria-controls'),
  );
  assert.equal(await getSearchBox(page).getAttribute('aria-activedescendant'), null);
  const isOn = (index: number) =>
    page.waitForFunction((expected) => {
      const all = [...document.querySelectorAll('[role=option]')];
      const active = document.querySelector('[role=combobox]')?.getAttribute('aria-activedescendant') ?? '';
      const selected = all.findIndex((option) => option.getAttribute('aria-selected') === 'true');
      return selected === expected && (all[expected]?.id ?? '') === active;
    }, index);
  await page.keyboard.press('ArrowDown');
  await isOn(0);
  await page.keyboard.press('ArrowDown');
  await isOn(1);
  await page.keyboard.press('ArrowUp');
  await isOn(0);
  await page.keyboard.press('ArrowUp');
  await isOn(-1);
  await page.keyboard.press('ArrowUp');
  await isOn(listNamesWith('ipad').length - 1);
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  assert.equal(await getSearchBox(page).inputValue(), 'ipad');
  assert.equal(await getSearchBox(page).evaluate((input) => input === document.activeElement), true);
  await page.keyboard.press('ArrowDown');
  await getOptions(page).first().waitFor();
  await isOn(0);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/catalog/product/ipad-*');
  await isCleared(page);
  await close();
});

test('[SRCH-05] ignores a slow earlier response', async () => {
  const { page, close } = await openPage(shop);
  await open(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  const queries: string[] = [];
  await page.route('**/api/products?*', async (route) => {
    const text = new URL(route.request().url()).searchParams.get('q') ?? '';
    queries.push(text);
    const response = await route.fetch();
    if (text === 'mac') await promise;
    await route.fulfill({ response: response }).catch(() => {});
  });
  await Promise.all([page.waitForRequest(/q=mac/), getSearchBox(page).fill('mac')]);
  await getSearchBox(page).fill('airtag');
  await getOptions(page).first().waitFor();
  resolve();
  // By the time a later search has its response, the late one would have been shown.
  await page.evaluate(() => fetch('/api/products?q=last').then((response) => response.text()));
  assert.deepEqual(queries, ['mac', 'airtag', 'last']);
  assert.deepEqual(await listTitles(page), listNamesWith('airtag'));
  await close();
});

test("[SRCH-05] '%', '_' and '\\' are ordinary characters", async () => {
  const { page, close } = await openPage(shop);
  await open(page);
  for (const text of ['%', '_', '\\', 'i%d', 'ipa_']) {
    assert.deepEqual(listNamesWith(text), []);
    await getSearchBox(page).fill(text);
    await page.getByRole('search').getByText('No products found', { exact: true }).waitFor();
    await page.goto(`/search-results?query=${encodeURIComponent(text)}`);
    await page.getByText(`No products found for "${text}"`, { exact: true }).waitFor();
    await isReady(page);
  }
  await close();
});

test('[SRCH-03] groups results by category with View all', async () => {
  const { page, close } = await openPage(shop);
  await open(page, '/search-results?query=pro');
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Search Results "pro"');
  const results = listAt((await shop.api('GET', '/products?q=pro&limit=500')).body);
  const groups = new Map<string, string[]>();
  for (const category of listAt((await shop.api('GET', '/categories')).body)) {
    const name = textAt(category, 'name');
    const ofCategory = results.filter((product) => textAt(product, 'category_name') === name);
    if (ofCategory.length > 0)
      groups.set(
        name,
        ofCategory.map((product) => textAt(product, 'name')),
      );
  }
  const main = page.getByRole('main');
  for (const [name, products] of groups) {
    const group = main.getByRole('region', { name, exact: true });
    assert.deepEqual(await group.getByRole('heading', { level: 3 }).allInnerTexts(), products);
    await group.getByRole('link', { name: 'View all', exact: true }).waitFor();
  }
  await main.getByRole('region', { name: 'iPad Pro', exact: true }).getByRole('link', { name: 'View all' }).click();
  await page.waitForURL('**/catalog/category/ipad-pro?q=pro');
  await page.getByRole('heading', { level: 1, name: 'Ipad-pro' }).waitFor();
  await waitForCards(page, groups.get('iPad Pro') ?? []);
  await close();
});

test('[SRCH-03] offers price, categories, brands and properties as filters', async () => {
  const { page, close } = await openPage(shop);
  await open(page, '/search-results?query=a');
  const panel = page.getByRole('dialog', { name: 'Filters' });
  const legends = panel.locator('fieldset > legend');
  await legends.nth(3).waitFor();
  const properties = listAt((await shop.api('GET', '/categories')).body)
    .flatMap((category) => listAt(category, 'properties'))
    .map((property) => textAt(property, 'name'));
  assert.deepEqual(await legends.allInnerTexts(), ['Price', 'Categories', 'Brands', ...new Set(properties)]);
  await panel.getByRole('checkbox', { name: /^MacBook/ }).check();
  await page.waitForURL('**/search-results?query=a&category=macbook');
  await page.waitForFunction(() => document.querySelectorAll('main h2').length === 2);
  await close();
});

test('[SRCH-04] compares prices including the selected increases', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await open(page, '/search-results?query=iphone+17+pro&price_max=1300');
  const listNamesUpTo1300 = () => page.getByRole('article').getByRole('heading').allInnerTexts();
  assert.deepEqual(await listNamesUpTo1300(), ['iPhone 17 Pro', 'iPhone 17 Pro Max']);
  // 1099 + 200 and 1199 + 200.
  await page
    .getByRole('dialog', { name: 'Filters' })
    .getByRole('checkbox', { name: /^512GB/ })
    .check();
  await waitForCount(page, 1);
  await waitForCards(page, ['iPhone 17 Pro']);
  await close();
});

test('[SRCH-02] [SRCH-03] submits the search box without JavaScript', async () => {
  const { page, close } = await openPage(shop, { ...PHONE, javaScript: false });
  await page.goto('/');
  await getSearchBox(page).fill('AirPods');
  await getSearchBox(page).press('Enter');
  await page.waitForURL('**/search-results?query=AirPods');
  await waitUntil(async () => (await listCards(page)).join() === listNamesWith('airpods').join());
  await page.goto('/search-results?query=');
  await page.getByText('What are you looking for?').waitFor();
  await close();
});

test('[SRCH-01] shows and logs a failed search, form still works', async () => {
  const { page, getProblems } = await openPage(shop);
  await open(page);
  await page.route('**/api/products?*', (route) => route.abort());
  await getSearchBox(page).fill('ipad');
  await page.getByRole('search').getByText('Search is unavailable').waitFor();
  await getSearchBox(page).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Search Results "ipad"' }).waitFor();
  assert.ok(getProblems().some((line) => line.includes('the search')));
  await page.close();
});

test('a very long query works', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await open(page, `/search-results?query=${'W'.repeat(400)}`);
  await page.getByText('No products found for', { exact: false }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await close();
});

for (const size of [PHONE, { width: 1440, height: 900 }]) {
  test(`the search is accessible, ${size.width} px wide`, async () => {
    const { page, close } = await openPage(shop, { ...size, reducedMotion: true });
    for (const text of ['pro', 'macbok', 'iphone 99']) {
      await open(page, `/search-results?query=${text}`);
      await assertAccessibleInBothSchemes(page);
    }
    await typeQuery(page, 'ipad');
    await page.keyboard.press('ArrowDown');
    await assertAccessibleInBothSchemes(page);
    await getSearchBox(page).fill('zeppelin');
    await page.getByRole('search').getByText('No products found').waitFor();
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor();
    await assertAccessibleInBothSchemes(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  });
}

test('[SRCH-05] lists products again for the same text', async () => {
  const { page, close } = await openPage(shop);
  await open(page);
  await typeQuery(page, 'iph');
  await page.keyboard.press('Escape');
  await getOptions(page).first().waitFor({ state: 'detached' });
  await getSearchBox(page).fill('');
  await typeQuery(page, 'iph');
  await waitForTitles(page, listNamesWith('iph'));
  await close();
});
