import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PHONE = { width: 390, height: 844 };

let shop: TestShop;
let products: readonly { readonly name: string; readonly category: string }[];
before(async () => {
  shop = await shareTestShop();
  const response = await shop.api('GET', '/products?limit=500');
  products = listAt(response.body).map((entry) => ({
    name: textAt(entry, 'name'),
    category: textAt(entry, 'category_name'),
  }));
});

const getRow = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true });
const listCardNames = (place: Locator): Promise<string[]> => place.getByRole('heading', { level: 3 }).allInnerTexts();
const readPrice = (page: Page): Promise<string> => page.locator('[aria-live] p').first().innerText();
const addToCart = (page: Page): Locator => page.getByRole('button', { name: 'Add to Cart', exact: true });
const waitForCartMark = (page: Page, lines: number) =>
  page.waitForFunction((count) => localStorage.getItem('cart_mark')?.startsWith(`${count}@`), lines);

test('[HOME-01] shows the hero with links to the catalogue', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const hero = getRow(page, 'Buy out gadgets with cryptocurrency');
  assert.equal(await hero.getByRole('heading', { level: 1 }).innerText(), 'Buy out gadgets with cryptocurrency');
  assert.ok(await hero.getByText('From 0.009 BTC or $999', { exact: true }).isVisible());
  assert.ok(await hero.getByText('Apple Intelligence available now', { exact: true }).isVisible());
  for (const name of ['Shop now', 'Catalog']) {
    assert.equal(await hero.getByRole('link', { name, exact: true }).getAttribute('href'), '/catalog');
  }
  await close();
});

test('[HOME-02] [HOME-03] [HOME-04] shows four product sliders with a gap of 16', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/');
  const rows = {
    'Apple Products': '',
    'Buy new Iphone': 'iphone',
    'Buy new Macbook': 'macbook',
    'Buy new iPad': 'ipad',
  };
  for (const [title, part] of Object.entries(rows)) {
    const expected = products.filter(({ category }) => category.toLowerCase().includes(part)).slice(0, 4);
    assert.deepEqual(
      await listCardNames(getRow(page, title)),
      expected.map(({ name }) => name),
      title,
    );
    const all = getRow(page, title).getByRole('link', { name: 'View all', exact: true });
    assert.equal(await all.getAttribute('href'), '/catalog');
    const slider = getRow(page, title).getByRole('list').first();
    assert.equal(await slider.evaluate((list) => getComputedStyle(list).columnGap), '16px');
    assert.ok(await slider.evaluate((list) => list.scrollWidth > list.clientWidth), 'it scrolls sideways');
  }
  await close();
});

test('[CARD-01] [CARD-02] shows a card with picture, prices and product link', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const card = getRow(page, 'Buy new Iphone').getByRole('article').filter({ hasText: 'iPhone 17 Pro' }).first();
  assert.equal(await card.getByRole('heading').innerText(), 'iPhone 17 Pro');
  for (const text of ['A19 Pro, three 48 MP cameras, aluminum unibody', '0.009901 BTC', 'or $1,099.00']) {
    assert.ok(await card.getByText(text, { exact: true }).isVisible(), text);
  }
  const picture = card.locator('img').first();
  assert.match((await picture.getAttribute('src')) ?? '', /^\/api\/images\/products\/iphone-17-pro\/back-\d+\.avif$/);
  await picture.scrollIntoViewIfNeeded();
  await page.waitForFunction(
    (image) => image instanceof HTMLImageElement && image.naturalWidth > 0,
    await picture.elementHandle(),
  );
  await card.getByRole('link').first().click();
  await page.waitForURL('**/catalog/product/iphone-17-pro');
  await page.getByRole('heading', { level: 1, name: 'iPhone 17 Pro' }).waitFor();
  await close();
});

test("[CARD-03] adds or removes by the card's button without following the link", async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/catalog');
  await page.getByRole('button', { name: 'Add AirTag to cart' }).click();
  await page.getByRole('button', { name: 'Remove AirTag from cart' }).waitFor();
  await waitForCartMark(page, 1);
  assert.equal(new URL(page.url()).pathname, '/catalog');
  await page.goto('/cart');
  assert.equal(await page.getByRole('group', { name: 'Quantity of AirTag' }).innerText(), '1');
  await page.goto('/catalog');
  await page.getByRole('button', { name: 'Remove AirTag from cart' }).click();
  await page.getByRole('button', { name: 'Add AirTag to cart' }).waitFor();
  await waitForCartMark(page, 0);
  await close();
});

test('[CAT-01] lists all products by category with View all', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/catalog');
  assert.equal(
    await page
      .getByRole('heading', { level: 1 })
      .innerText()
      .then((text) => text.replaceAll(/\s+/g, ' ')),
    'Explore our catalog of Different Devices',
  );
  // Tests before this one may have left categories without products, which the page leaves out.
  const categories = listAt((await shop.api('GET', '/categories')).body).filter((one) =>
    products.some(({ category }) => category === textAt(one, 'name')),
  );
  assert.deepEqual(
    (await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()).filter(
      (name) => name !== 'Filters',
    ),
    categories.map((category) => textAt(category, 'name')),
  );
  for (const category of categories) {
    const name = textAt(category, 'name');
    const expected = products.filter((product) => product.category === name);
    assert.deepEqual(
      await listCardNames(getRow(page, name)),
      expected.map((product) => product.name),
      name,
    );
    const all = getRow(page, name).getByRole('link', { name: 'View all', exact: true });
    assert.equal(await all.getAttribute('href'), `/catalog/category/${textAt(category, 'slug')}`);
  }
  await close();
});

test('jumps to a category of the catalogue', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/catalog?brand=apple');
  await page
    .getByRole('navigation', { name: 'Categories on this page' })
    .getByRole('link', { name: 'iPad Pro' })
    .click();
  await page.waitForFunction(() => {
    const top = document.querySelector('#ipad-pro')?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < innerHeight / 2;
  });
  assert.equal(new URL(page.url()).search, '?brand=apple');
  await close();
});

for (const size of [PHONE, { width: 1440, height: 900 }]) {
  test(`products are accessible, also in the cart, ${size.width} px wide`, async () => {
    const { page, close } = await openPage(shop, { ...size, reducedMotion: true });
    for (const path of ['/catalog/product/imac-24-m4-10-core', '/catalog/product/airpods-4']) {
      await page.goto(path);
      await assertAccessibleInBothSchemes(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} is too wide`);
    }
    await addToCart(page).click();
    await page.getByRole('group', { name: /^Quantity/ }).waitFor();
    await assertAccessibleInBothSchemes(page);
    await waitForCartMark(page, 1);
    await close();
  });
}

test('[FMT-01] [FMT-03] shows six decimals of bitcoin and two of dollars', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/catalog');
  const texts = await page.getByRole('article').locator('p:has(span[translate="no"])').allInnerTexts();
  assert.equal(texts.length, products.length);
  for (const text of texts) assert.match(text, /^\d+\.\d{6} BTC\nor \$(?:\d,)?\d{1,3}\.\d{2}$/);
  await page.goto('/catalog/product/airtag');
  assert.match(await readPrice(page), /^0\.\d{6} BTC\nor \$29\.00$/);
  await close();
});
