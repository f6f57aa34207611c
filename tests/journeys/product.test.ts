import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { keysAt, listAt, numberAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const PHONE = '/catalog/product/iphone-17-pro';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getChooser = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });
const getOption = (page: Page, name: string): Locator => page.getByRole('radio', { name });
const getPrice = (page: Page): Locator => page.locator('[aria-live] p').first();
const waitForPrice = (page: Page, text: string) => waitUntil(async () => (await getPrice(page).innerText()) === text);
const addToCart = (page: Page): Locator => page.getByRole('button', { name: 'Add to Cart', exact: true });
const getQuantityControl = (page: Page): Locator => page.getByRole('group', { name: /^Quantity of/ });
const isCartStored = (page: Page, lines: number) =>
  page.waitForFunction((count) => localStorage.getItem('cart_mark')?.startsWith(`${count}@`), lines);
const readLines = async (page: Page): Promise<readonly unknown[]> =>
  listAt(await (await page.request.get(`${shop.url}/api/cart`)).json(), 'cart_items');

test('[PROD-01] redirects the short path permanently', async () => {
  const moved = await fetch(`${shop.url}/product/iphone-17-pro?from=mail`, { redirect: 'manual' });
  assert.equal(moved.status, 301);
  assert.equal(new URL(moved.headers.get('location') ?? '', shop.url).pathname, PHONE);
  const html = await (await fetch(`${shop.url}${PHONE}`)).text();
  assert.match(html, /<link rel="canonical" href="http:\/\/[^"/]+\/catalog\/product\/iphone-17-pro"/);
});

test('[PROD-01] [LAY-12] returns 404 with a catalogue link for unknown products', async () => {
  for (const slug of ['iphone-1', 'a'.repeat(200), '%00', '%F0%9F%93%B1', '..%2F..%2Fetc']) {
    assert.equal((await fetch(`${shop.url}/catalog/product/${slug}`)).status, 404, slug);
  }
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await page.goto('/catalog/product/iphone-1');
  await page.getByRole('main').getByRole('link').click();
  await page.getByRole('heading', { name: 'Explore our catalog of Different Devices' }).waitFor();
  await close();
});

const waitForPicture = (page: Page, index: number) =>
  page.waitForFunction((expected) => {
    const track = document.querySelector('[aria-label="Large pictures"]');
    return track !== null && Math.abs(track.scrollLeft - expected * track.clientWidth) < 2;
  }, index);

test('[PROD-02] shows the large picture of a thumbnail', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PHONE);
  const gallery = page.getByRole('region', { name: 'Pictures of iPhone 17 Pro' });
  assert.equal(await gallery.getByRole('list', { name: 'Large pictures' }).getByRole('img').count(), 6);
  assert.equal(await gallery.getByRole('link', { name: /^Show picture/ }).count(), 6);
  await gallery.getByRole('link', { name: 'Show picture 3' }).click();
  await waitForPicture(page, 2);
  await gallery.locator('[aria-current="true"][aria-label="Show picture 3"]').waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await close();
});

test('[PROD-02] shows the chosen colour here and in the cart', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PHONE);
  const first = page.getByRole('list', { name: 'Large pictures' }).getByRole('img').first();
  assert.match((await first.getAttribute('src')) ?? '', /iphone-17-pro\/back-640\.avif$/);
  await page.getByRole('radio', { name: 'Deep Blue' }).check();
  await page.getByRole('region', { name: 'Pictures of iPhone 17 Pro in Deep Blue' }).waitFor();
  const isShown = async () =>
    (await first.getAttribute('src'))?.endsWith('iphone-17-pro/deep-blue/back-640.avif') === true;
  await waitUntil(isShown);
  await page.getByRole('radio', { name: '512GB' }).check();
  await waitForPrice(page, '0.011703 BTC\nor $1,299.00');
  assert.ok(await isShown());
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('link', { name: 'Go to cart' }).click();
  await page.getByRole('heading', { name: 'Order details' }).waitFor();
  await page.locator('main img[src$="iphone-17-pro/deep-blue/back-640.avif"]').waitFor();
  await close();
});

test('[PROD-02] slides pictures one by one up to 767 px', async () => {
  const { page, close } = await openPage(shop, { width: 767, height: 900, reducedMotion: true });
  await page.goto(PHONE);
  const large = page.getByRole('list', { name: 'Large pictures' });
  assert.deepEqual(
    await large.evaluate((track) => {
      const { overflowX, scrollSnapType } = getComputedStyle(track);
      return { overflowX, scrollSnapType, pictures: Math.round(track.scrollWidth / track.clientWidth) };
    }),
    { overflowX: 'auto', scrollSnapType: 'x mandatory', pictures: 6 },
  );
  await large.focus();
  await page.keyboard.press('ArrowRight');
  await waitForPicture(page, 1);
  await close();
});

test('[PROD-03] [CAT-05] selects first values and updates the price', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PHONE);
  const capacity = getChooser(page, 'Memory Capacity');
  assert.deepEqual(await capacity.locator('label').allInnerTexts(), ['256GB', '512GB\n+$200.00', '1TB\n+$400.00']);
  assert.deepEqual(await getChooser(page, 'Color').locator('label').allInnerTexts(), [
    'Cosmic Orange',
    'Deep Blue',
    'Silver',
  ]);
  assert.ok(await getOption(page, '256GB').isChecked());
  assert.ok(await getOption(page, 'Cosmic Orange').isChecked());
  assert.equal(await getPrice(page).innerText(), '0.009901 BTC\nor $1,099.00');

  await capacity.getByText('1TB').click();
  await waitForPrice(page, '0.013505 BTC\nor $1,499.00');
  await getChooser(page, 'Color').getByText('Silver').click();
  await waitUntil(() => getOption(page, 'Silver').isChecked());
  await waitForPrice(page, '0.013505 BTC\nor $1,499.00');
  // Arrow keys choose, as in any radio group.
  await getOption(page, '1TB').focus();
  await page.keyboard.press('ArrowLeft');
  await waitUntil(() => getOption(page, '512GB').isChecked());
  await waitForPrice(page, '0.011703 BTC\nor $1,299.00');
  assert.deepEqual(await capacity.locator('label').allInnerTexts(), ['256GB\n−$200.00', '512GB', '1TB\n+$200.00']);
  await close();
});

test('scrolls a focused value clear of sticky bars', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await page.goto('/catalog/product/imac-24-m4-10-core');
  for (const name of ['1TB', '32GB', 'Silver', '512GB']) {
    await getOption(page, name).focus();
    const isOnTop = await getOption(page, name).evaluate((radio) => {
      const { left, right, top, bottom } = radio.getBoundingClientRect();
      return (
        document.elementFromPoint((left + right) / 2, top + 2) === radio &&
        document.elementFromPoint((left + right) / 2, bottom - 2) === radio
      );
    });
    assert.ok(isOnTop, name);
  }
  await close();
});

test('[PROD-03] resets for another product; shows single values as text', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PHONE);
  await getOption(page, '1TB').check();
  await page.getByRole('region', { name: 'Check out other iPhone' }).getByRole('link', { name: 'iPhone Air' }).click();
  await page.getByRole('heading', { level: 1, name: 'iPhone Air' }).waitFor();
  await waitForPrice(page, '0.009000 BTC\nor $999.00');
  await page.goto('/catalog/product/airpods-4');
  assert.equal(await page.getByRole('radio').count(), 0);
  assert.equal(await page.getByRole('term').filter({ hasText: 'Color' }).count(), 1);
  assert.equal(
    await page
      .getByRole('definition')
      .filter({ hasText: /^White$/ })
      .count(),
    1,
  );
  await close();
});

test('[PROD-12] a filtered card leads to its variant, and the URL names each choice', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/catalog/category/iphone?price_min=1300&price_max=1500');
  const list = page.url();
  const card = page
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: 'iPhone 17 Pro', exact: true }) });
  const name = (await card.locator('h3 + p').innerText()).split(',');
  assert.equal(name[0], '1TB');
  await card.getByRole('link').first().click();
  await page.waitForURL(/variant=/);
  await page.waitForFunction(() => document.querySelector('input[type=radio]:checked') !== null);
  assert.ok(await getOption(page, '1TB').isChecked());
  const opened = page.url();
  await getChooser(page, 'Memory Capacity').getByText('512GB').click();
  await page.waitForURL((url) => url.href !== opened);
  const price = await getPrice(page).innerText();
  const shared = page.url();
  // The server renders what the URL names; the canonical URL is the product.
  const html = await (await fetch(shared)).text();
  assert.ok(html.includes(price.split(' ')[0] ?? price));
  assert.match(html, /<link rel="canonical" href="[^"?]+iphone-17-pro"/);
  await page.reload();
  await waitForPrice(page, price);
  assert.ok(await getOption(page, '512GB').isChecked());
  await page.goBack();
  await page.waitForURL(list);
  await card.waitFor();
  await page.goForward();
  await page.waitForURL(shared);
  await waitForPrice(page, price);
  assert.ok(await getOption(page, '512GB').isChecked());
  await close();
});

test('[PROD-04] adds one, then changes the quantity, removes below one', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/catalog/product/apple-pencil-pro');
  await addToCart(page).click();
  await getQuantityControl(page).getByText('1', { exact: true }).waitFor();
  assert.equal(await addToCart(page).count(), 0);
  // The focus moves when the button is replaced.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Increase quantity');
  const updateResponse = page.waitForResponse('**/api/cart/update');
  await page.keyboard.press('Enter');
  await getQuantityControl(page).getByText('2', { exact: true }).waitFor();
  await updateResponse;
  await page.reload();
  await getQuantityControl(page).getByText('2', { exact: true }).waitFor();
  await getQuantityControl(page).getByRole('button', { name: 'Decrease quantity' }).click();
  await getQuantityControl(page).getByText('1', { exact: true }).waitFor();
  await getQuantityControl(page).getByRole('button', { name: 'Decrease quantity' }).click();
  await addToCart(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Add to Cart');
  await isCartStored(page, 0);
  await close();
});

test('[PROD-08] makes a separate line per choice at its price', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PHONE);
  await addToCart(page).click();
  await isCartStored(page, 1);
  await getOption(page, '1TB').check();
  await addToCart(page).waitFor();
  await addToCart(page).click();
  await getQuantityControl(page).getByRole('button', { name: 'Increase quantity' }).click();
  await getQuantityControl(page).getByText('2', { exact: true }).waitFor();
  await isCartStored(page, 2);
  await getOption(page, '256GB').check();
  await getQuantityControl(page).getByText('1', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Go to cart' }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  await page.getByText('$4,097.00').first().waitFor();
  const inCart = await readLines(page);
  assert.deepEqual(
    inCart
      .map((line) => [numberAt(line, 'quantity'), numberAt(line, 'price_usd'), numberAt(line, 'price_btc')])
      .toSorted(([a = 0], [b = 0]) => a - b),
    [
      [1, 1099, 0.009901],
      [2, 1499, 0.013505],
    ],
  );
  await close();
});

test('[PROD-05] [PROD-06] shows about text, specifications and other products', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PHONE);
  const { body } = await shop.api('GET', '/products/iphone-17-pro');
  assert.equal(await page.title(), 'iPhone 17 Pro · Crypto Market');
  assert.ok(await page.getByText(textAt(body, 'sub_description'), { exact: true }).isVisible());
  const about = page.getByRole('region', { name: 'About iPhone 17 Pro' });
  assert.equal((await about.getByRole('paragraph').allInnerTexts()).join('\n\n'), textAt(body, 'description'));
  const specifications = page.getByRole('region', { name: 'Specifications' });
  for (const key of keysAt(body, 'specifications')) {
    assert.ok(await specifications.getByText(key, { exact: true }).isVisible(), key);
    const value = textAt(body, 'specifications', key);
    assert.ok(await specifications.getByText(value, { exact: true }).isVisible(), value);
  }
  const otherProducts = page.getByRole('region', { name: 'Check out other iPhone' });
  const names = await otherProducts.getByRole('heading', { level: 3 }).allInnerTexts();
  assert.ok(names.length >= 4 && !names.includes('iPhone 17 Pro'), names.join());
  await close();
});

test('structured data has name, price and availability', async () => {
  const html = await (await fetch(`${shop.url}${PHONE}`)).text();
  const [, written = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const json: unknown = JSON.parse(written);
  assert.equal(textAt(json, '@type'), 'Product');
  assert.equal(textAt(json, 'name'), 'iPhone 17 Pro');
  assert.equal(textAt(json, 'brand', 'name'), 'Apple');
  assert.equal(textAt(json, 'offers', 'price'), '1099.00');
  assert.equal(textAt(json, 'offers', 'priceCurrency'), 'USD');
  const picture = new URL(textAt(json, 'image', 0)).pathname;
  assert.equal((await fetch(`${shop.url}${picture}`)).status, 200);
});

test('shows the whole page without JavaScript, thumbnails are links', async () => {
  const { page, context, getProblems } = await openPage(shop, { javaScript: false });
  await page.goto(PHONE);
  assert.ok(await page.getByRole('heading', { level: 1, name: 'iPhone 17 Pro' }).isVisible());
  assert.equal(await getPrice(page).innerText(), '0.009901 BTC\nor $1,099.00');
  assert.ok(await getOption(page, 'Cosmic Orange').isChecked());
  assert.ok(await page.getByText('Ceramic Shield 2').first().isVisible());
  await page.getByRole('link', { name: 'Show picture 2' }).click();
  await page.waitForURL('**#picture-2');
  await context.close();
  // Chromium loads no scripts with JavaScript disabled.
  assert.deepEqual(
    getProblems().filter((line) => !line.endsWith('.js csp')),
    [],
  );
});

test('[PROD-15] says beside the button what is promised, and when it arrives in a chosen country', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844, reducedMotion: true });
  await page.addInitScript(() => localStorage.setItem('delivery_place', 'Europe|DE|Germany'));
  await page.goto(PHONE);
  const promises = page.getByRole('list').filter({ hasText: 'In stock' });
  for (const text of ['The manufacturer’s warranty', 'Return it within 14 days, with a free label']) {
    await promises.getByText(text, { exact: true }).waitFor();
  }
  const line = promises.getByText(/^Arrives \w{3} \d{1,2} \w{3} – \w{3} \d{1,2} \w{3}$/);
  await line.waitFor();
  // Three to six business days after today.
  const [, last = ''] = (await line.innerText()).split(' – ');
  assert.match(last, /^(?:Mon|Tue|Wed|Thu|Fri) /);
  await page.getByRole('link', { name: /^Rated \d\.\d out of 5 \d+ reviews$/ }).click();
  await page.waitForURL('**#reviews-title');
  await page.waitForFunction(() => {
    const { top = -1 } = document.querySelector('#reviews-title')?.getBoundingClientRect() ?? {};
    return top > 0 && top < 300;
  });
  await close();
});

test('[PROD-16] [PROD-17] counts reviews by rating and compares similar products', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto(PHONE);
  const bars = page.getByRole('list', { name: 'Ratings' }).getByRole('listitem');
  const counts = (await bars.allInnerTexts()).map((text) => text.split(/\s+/));
  assert.deepEqual(
    counts.map(([rating]) => rating),
    ['5', '4', '3', '2', '1'],
  );
  const reviews = listAt(await (await page.request.get(`${shop.url}/api/reviews/product/iphone-17-pro`)).json());
  assert.equal(
    counts.reduce((sum, text) => sum + Number(text.at(-1)), 0),
    reviews.length,
  );
  const strip = page.getByRole('region', { name: 'Compare with similar products' });
  const compared = strip.locator('ul > li');
  assert.equal(await compared.count(), 4);
  const facts = await compared.evaluateAll((items) =>
    items.map((item) => [...item.querySelectorAll('dd')].map((fact) => fact.textContent)),
  );
  for (const index of [0, 1, 2, 3]) assert.ok(new Set(facts.map((of) => of[index])).size > 1);
  await strip.getByRole('link', { name: 'Compare all details' }).click();
  await page.waitForURL('**/compare?products=iphone-17-pro,*');
  await close();
});
