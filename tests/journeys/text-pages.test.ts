import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { scrollThrough } from '../support/pages/scroll-through.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';
import { resize } from '../support/pages/frames.ts';

const PAGES = {
  '/free-shipping': 'Free shipping',
  '/how-to-buy': 'How to buy with bitcoin',
  '/promo': 'Promotions',
  '/contact': 'Contact Us',
  '/terms': 'Terms and conditions',
  '/privacy': 'Privacy',
  '/returns': 'Returns and refunds',
} as const;
const ENTRIES = Object.entries(PAGES);

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const normaliseSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const getTitle = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const main = (page: Page): Locator => page.getByRole('main');
/** Text and URL of each link. */
const listLinks = (place: Locator): Promise<(string | null)[][]> =>
  place
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => [link.textContent.trim(), link.getAttribute('href')]));

test('[LAY-07] links Home, Free shipping, How to buy and categories', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const categories = listAt((await shop.api('GET', '/categories')).body);
  const shelf = page.getByRole('navigation', { name: 'Shop', exact: true });
  assert.deepEqual(await listLinks(shelf), [
    ['Home', '/'],
    ['Free shipping', '/free-shipping'],
    ['How to buy', '/how-to-buy'],
    ...categories.map((row) => [textAt(row, 'name'), `/catalog/category/${textAt(row, 'slug')}`]),
  ]);
  await shelf.getByRole('link', { name: 'Free shipping' }).click();
  await page.waitForURL('**/free-shipping');
  await shelf.locator('[aria-current="page"]').filter({ hasText: 'Free shipping' }).waitFor();
  await shelf.getByRole('link', { name: 'How to buy' }).click();
  await page.waitForURL('**/how-to-buy');
  await shelf.getByRole('link', { name: 'Home' }).click();
  await getTitle(page).filter({ hasText: 'Buy out gadgets' }).waitFor();
  await close();
});

for (const width of [390, 1440]) {
  test(`[LAY-08] links all required pages in the footer, ${width} px wide`, async () => {
    const { page, close } = await openPage(shop, { width, height: 900 });
    await page.goto('/');
    const footer = page.getByRole('contentinfo');
    const targets = {
      'Free shipping': '/free-shipping',
      'How to buy': '/how-to-buy',
      Contact: '/contact',
      Terms: '/terms',
      Privacy: '/privacy',
      Returns: '/returns',
      Home: '/',
    };
    for (const [name, path] of Object.entries(targets)) {
      const link = footer.getByRole('link', { name, exact: true });
      const box = await link.boundingBox();
      assert.ok(box && box.height >= 44, `${name} is large enough for a thumb`);
      await link.click();
      await page.waitForURL(`**${path}`);
    }
    assert.equal(await footer.getByRole('link', { name: 'Crypto Market' }).getAttribute('href'), '/');
    assert.ok(await footer.getByText('not affiliated with Apple Inc.').isVisible());
    await close();
  });
}

test('[PAGE-01] shows coverage, time, packaging, one question and home link', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/free-shipping');
  for (const text of [
    'Global coverage',
    'Orders are processed and shipped with in 1–2 business days',
    'Secure packaging',
  ]) {
    assert.ok(await main(page).getByText(text, { exact: true }).isVisible(), text);
  }
  assert.equal(await main(page).locator('details').count(), 1);
  const question = main(page).locator('summary');
  const item = listAt((await shop.api('GET', '/faq')).body).find(
    (row) => textAt(row, 'question') === 'How long does delivery take?',
  );
  assert.equal(await question.innerText(), textAt(item, 'question'));
  await question.click();
  await main(page).getByText(textAt(item, 'answer'), { exact: true }).waitFor();
  const home = main(page).getByRole('link', { name: 'Go to home', exact: true });
  assert.equal(await home.getAttribute('href'), '/');
  await home.click();
  await getTitle(page).filter({ hasText: 'Buy out gadgets' }).waitFor();
  await close();
});

test('[PAGE-04] never suggests combining codes', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/promo');
  await main(page).getByText('codes cannot be combined', { exact: false }).waitFor();
  assert.doesNotMatch(await main(page).innerText(), /another \d|extra discount|codes and/i);
  await close();
});

test('[PAGE-03] explains every step and possible problems', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/how-to-buy');
  assert.deepEqual(await main(page).getByRole('heading', { level: 2 }).allInnerTexts(), [
    '1. Get a wallet',
    '2. Get some bitcoin',
    '3. Order as in any shop',
    '4. Scan and send',
    '5. Choose the fee',
    '6. Wait for the confirmation',
    'If something goes wrong',
    'Your receipt',
  ]);
  for (const phrase of [
    /exactly the amount/,
    /Too little/,
    /Too much/,
    /too late/,
    /two hours/,
    /seed|12 or 24 words/,
  ]) {
    assert.match(await main(page).innerText(), phrase);
  }
  await close();
});

test('[PAGE-03] states the same confirmations that orders require', async () => {
  const html = await (await fetch(`${shop.url}/how-to-buy`)).text();
  assert.ok(
    normaliseSpaces(html).includes(
      'One confirmation is enough below $500, two from $500, three from $5,000 and six from $25,000',
    ),
  );
});

test('[PAGE-04] shows running promotions with code and gift', async () => {
  const { page, context, close } = await openPage(shop);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/promo');
  const gains = {
    WELCOME10: '10% discount',
    GIFT: 'AirTag for free',
    MINUS50: '$50 off',
    SPRING15: '15% off',
    EXTRA5: '5% off everything',
  };
  for (const [code, gain] of Object.entries(gains)) {
    const card = main(page).getByRole('article').filter({ hasText: code });
    assert.equal(await card.getByRole('heading', { level: 2 }).innerText(), gain);
    assert.ok(await card.getByText('No end date', { exact: true }).isVisible());
    await Promise.all([
      page.getByText('Copied to clipboard!').waitFor(),
      card.getByRole('button', { name: `Copy code ${code}` }).click(),
    ]);
    // The clipboard may still hold the previous code.
    await waitUntil(() => page.evaluate(async (copied) => (await navigator.clipboard.readText()) === copied, code));
  }
  const gift = main(page).getByRole('article').filter({ hasText: 'GIFT' }).getByRole('link', { name: 'AirTag' });
  assert.equal(await gift.getAttribute('href'), '/catalog/product/airtag');
  const row = page.getByRole('region', { name: 'Use a code on our best sellers' });
  const best = listAt((await shop.api('GET', '/products?sort=best_sold&limit=8')).body);
  assert.deepEqual(
    await row.getByRole('heading', { level: 3 }).allInnerTexts(),
    best.map((entry) => textAt(entry, 'name')),
  );
  await close();
});

test('[PAGE-05] links the terms where users agree to them', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/registration');
  const link = main(page).getByRole('link', { name: 'terms and conditions' });
  assert.equal(await link.getAttribute('href'), '/terms');
  await close();
});

test('[PAGE-05] stores in the browser only what the privacy page lists', async () => {
  const { page, context, close } = await openPage(shop);
  await page.goto('/', { waitUntil: 'networkidle' });
  assert.deepEqual(await context.cookies(), [], 'browsing sets no cookies');
  await page
    .getByRole('button', { name: /^Add .* to cart$/ })
    .first()
    .click();
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('1@'));
  const stored = [
    ...(await context.cookies()).map(({ name }) => name),
    ...(await page.evaluate(() => Object.keys(localStorage))),
  ];
  await page.goto('/privacy');
  const listed = await main(page).getByRole('code').allInnerTexts();
  for (const name of stored) assert.ok(listed.includes(name), `${name} is not on the privacy page`);
  await close();
});

test('links the sections of long texts in a contents list', async () => {
  const { page, close } = await openPage(shop);
  for (const path of ['/terms', '/privacy', '/returns', '/how-to-buy']) {
    await page.goto(path);
    const contents = page.getByRole('navigation', { name: 'On this page' });
    const parts = await main(page).getByRole('heading', { level: 2 }).allInnerTexts();
    assert.deepEqual(await contents.getByRole('link').allInnerTexts(), parts, path);
    const link = contents.getByRole('link').nth(2);
    const { hash } = new URL((await link.getAttribute('href')) ?? '', page.url());
    await link.click();
    await page.waitForFunction((selector) => {
      const top = document.getElementById(selector.slice(1))?.getBoundingClientRect().top ?? -1;
      return location.hash === selector && top >= 0 && top < innerHeight / 2;
    }, hash);
  }
  await close();
});

for (const [path, name] of ENTRIES) {
  test(`${path} works without JavaScript, fits every screen, does not shift`, async () => {
    const { page, close } = await openPage(shop);
    const shifts = await watchLayoutShifts(page);
    await page.goto(path);
    await page.locator('html[data-ready]').waitFor();
    assert.equal(await getTitle(page).innerText(), name);
    assert.match(await page.title(), / · Crypto Market$/);
    assert.ok(((await page.locator('meta[name="description"]').getAttribute('content')) ?? '').length > 40);
    await scrollThrough(page);
    assert.deepEqual(await shifts(), []);
    const full = await main(page).innerText();
    for (const width of [390, 767, 768, 991, 992, 1199, 1200, 1440]) {
      await resize(page, width, 900);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
    }
    await close();

    const plain = await openPage(shop, { javaScript: false });
    await plain.page.goto(path);
    assert.equal(normaliseSpaces(await main(plain.page).innerText()), normaliseSpaces(full));
    await plain.context.close();
  });
}

test('is installable with manifest, icons and colour', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const manifest = await page.request.get((await page.locator('link[rel="manifest"]').getAttribute('href')) ?? '');
  assert.match(manifest.headers()['content-type'] ?? '', /manifest\+json/);
  const json: unknown = await manifest.json();
  assert.equal(textAt(json, 'name'), 'Crypto Market');
  const icons = [
    ...listAt(json, 'icons').map((icon) => textAt(icon, 'src')),
    ...(await page
      .locator('link[rel~="icon"], link[rel="apple-touch-icon"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))),
  ];
  assert.equal(icons.length, 6);
  for (const icon of icons) {
    const response = await page.request.get(icon);
    assert.equal(response.status(), 200, icon);
    assert.match(response.headers()['content-type'] ?? '', /^image\//, icon);
  }
  assert.equal(await page.locator('meta[name="theme-color"]').count(), 2);
  await close();
});
