import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { createBuyer, logIn, signIn, visit } from '../support/buyer.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { startSlowProxy } from '../support/slow-proxy.ts';
import { resize } from '../support/pages/frames.ts';

const PHONE = { width: 390, height: 844 };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getHeader = (page: Page): Locator => page.getByRole('banner');
const getBottomBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });
const getHeading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name });
const readScroll = (page: Page): Promise<number> => page.evaluate(() => window.scrollY);
const scrollTo = (page: Page, y: number): Promise<void> => page.evaluate((top) => window.scrollTo(0, top), y);

test('[LAY-01] [LAY-03] the header shows address and delivery and links home and catalogue', async () => {
  const { page, close } = await openPage(shop);
  for (const path of ['/', '/catalog', '/catalog/product/airtag', '/cart', '/login']) {
    await page.goto(path);
    for (const text of ['45 Elm Street, Kensington, London, UK', 'Delivery today in 24 hours']) {
      assert.ok(await getHeader(page).getByText(text, { exact: true }).isVisible(), `${text} on ${path}`);
    }
    const logo = getHeader(page).getByRole('link', { name: 'Crypto Market', exact: true });
    assert.equal(await logo.getAttribute('href'), '/');
    const catalog = getHeader(page).getByRole('link', { name: 'Catalog', exact: true });
    assert.equal(await catalog.getAttribute('href'), '/catalog');
  }
  await close();
});

test('a page loads its typeface once, and no style sheet that it has already', async () => {
  const { page, close } = await openPage(shop);
  const requested: string[] = [];
  page.on('request', (request) => {
    if (/\.(?:css|woff2)$/.test(request.url())) requested.push(new URL(request.url()).pathname);
  });
  await visit(page, '/catalog/product/airtag');
  await page.waitForLoadState('networkidle');
  assert.deepEqual(
    requested.filter((path) => path.endsWith('.woff2')).map((path) => path.replace(/-[\w-]{8}\.woff2$/, '')),
    ['/assets/geist-latin-wght-normal'],
  );
  assert.equal(await page.evaluate(() => document.fonts.check('16px Geist')), true);
  const inlined = await page
    .locator('link[rel="stylesheet"][media="not all"]')
    .evaluateAll((links) => links.map((link) => (link.getAttribute('href') ?? '').replace('#', '')));
  assert.ok(inlined.length > 2);
  assert.deepEqual(
    requested.filter((path) => inlined.includes(path)),
    [],
  );
  await close();
});

test('component styles override page styles', async () => {
  // Wider than the widest pages.
  const { page, close } = await openPage(shop, { width: 1920, height: 900 });
  for (const path of ['/', '/catalog', '/login', '/terms']) {
    await page.goto(path);
    // The frame centres itself; the base style removes margins.
    const left = await page.getByRole('main').evaluate((main) => main.getBoundingClientRect().left);
    assert.ok(left > 60, `${path} begins ${left} px from the left`);
    const order = await page.evaluate(() => document.querySelector('style')?.sheet?.cssRules[0]?.cssText);
    assert.equal(order, '@layer tokens, base, layout, text, components;');
  }
  await close();
});

test('[LAY-05] the cart link has a dot from the first paint', async () => {
  for (const size of [{ width: 1280, height: 900 }, PHONE]) {
    const { page, close } = await openPage(shop, size);
    const place = size === PHONE ? getBottomBar(page) : getHeader(page);
    const cart = place.locator('a[href="/cart"]');
    const dot = cart.locator('svg + span');
    const waitForName = (name: string): Promise<void> => place.getByRole('link', { name, exact: true }).waitFor();
    await page.goto('/');
    await waitForName('Cart');
    assert.equal(await dot.isVisible(), false);
    await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
    await dot.waitFor({ state: 'visible' });
    await waitForName('Cart, has items');

    const release = await holdBack(page, '**/assets/*.js');
    await page.reload({ waitUntil: 'commit' });
    await dot.waitFor({ state: 'visible' });
    release();
    await page.getByRole('button', { name: 'Remove iPhone Air from cart' }).first().click();
    await dot.waitFor({ state: 'hidden' });
    await close();
  }
});

/** Holds requests until the returned function is called. */
async function holdBack(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('[LAY-06] shows Login to guests and Profile with a token', async () => {
  const username = await createBuyer(shop);
  for (const size of [{ width: 1280, height: 900 }, PHONE]) {
    const { page, close } = await openPage(shop, size);
    const place = size === PHONE ? getBottomBar(page) : getHeader(page);
    const login = place.getByRole('link', { name: 'Login', exact: true });
    const profile = place.getByRole('link', { name: 'Profile', exact: true });
    await page.goto('/');
    assert.equal(await login.getAttribute('href'), '/login');
    assert.equal(await profile.count(), 0);
    await login.click();
    await page.waitForURL('**/login');
    await logIn(page, username);
    await getHeading(page, `Hello, ${username}!`).waitFor();
    assert.equal(await profile.getAttribute('href'), '/dashboard');
    assert.equal(await login.count(), 0);

    const release = await holdBack(page, '**/assets/*.js');
    await page.goto('/', { waitUntil: 'commit' });
    await profile.waitFor();
    assert.equal(await login.count(), 0);
    release();
    await close();
  }
});

test('[LAY-10] shows one toast at the top right and removes it', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  await page.goto('/login');
  // The clock is stopped for the measurement.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  const toast = page.locator('[popover]:popover-open');
  const submit = page.getByRole('main').getByRole('button', { name: 'Login' });
  await submit.click();
  await toast.getByText('Please check your credentials').waitFor();
  const box = await toast.boundingBox();
  assert.ok(box && box.y >= 0 && box.y < 40 && box.x > 640 && box.x + box.width <= 1280);
  assert.equal(await toast.locator('progress, [role="progressbar"]').count(), 0);
  await page.getByLabel('Username').fill('nobody');
  await page.getByLabel('Password', { exact: true }).fill('nothing');
  await submit.click();
  await page.getByRole('main').getByRole('alert').waitFor();
  assert.equal(await toast.count(), 1);
  await page.clock.resume();
  await toast.waitFor({ state: 'detached' });
  assert.equal(await page.locator('[popover="manual"]').count(), 1, 'one place for toasts');
  await close();
});

test('[LAY-11] a new path starts at the top; Back restores the position', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/catalog');
  await scrollTo(page, 2400);
  await page.waitForFunction(() => window.scrollY === 2400);
  const card = page.getByRole('article').filter({ hasText: 'or $' }).getByRole('link');
  const inSight = await card.evaluateAll((links) =>
    links.findIndex((link) => link.getBoundingClientRect().top > 200 && link.getBoundingClientRect().top < 600),
  );
  await card.nth(inSight).click();
  await page.waitForURL('**/catalog/product/**');
  await page.waitForFunction(() => window.scrollY === 0);
  // The heading has the focus for screen readers.
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await scrollTo(page, 500);
  await getBottomBar(page).getByRole('link', { name: 'Home' }).click();
  await getHeading(page, 'Buy out gadgets with cryptocurrency').waitFor();
  assert.equal(await readScroll(page), 0);
  await page.goBack();
  await page.waitForFunction(() => window.scrollY === 500);
  await page.goBack();
  await page.waitForFunction(() => window.scrollY === 2400);
  await close();
});

test('[LAY-12] an unknown path is a 404 with a catalogue link', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  for (const path of ['/nowhere', '/catalog/nothing/here', '/dashboard/none', '/%F0%9F%98%80']) {
    const response = await page.goto(path);
    assert.equal(response?.status(), 404, path);
    assert.equal(await page.getByRole('main').getByRole('link').getAttribute('href'), '/catalog');
    assert.match(await page.title(), /not found/i);
  }
  await page.getByRole('main').getByRole('link').click();
  await getHeading(page, 'Explore our catalog of Different Devices').waitFor();
  await close();
});

test('[LAY-12] an unexpected error shows Try again', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [500] });
  await page.goto('/');
  await page.route('**/catalog.data*', (route) => route.fulfill({ status: 500, body: 'broken' }));
  await getHeader(page).getByRole('link', { name: 'Catalog', exact: true }).click();
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/catalog.data*');
  await again.click();
  await getHeading(page, 'Explore our catalog of Different Devices').waitFor();
  await close().catch((error: unknown) => assert.match(String(error), /a page could not be loaded/));
});

for (const size of [{ width: 1280, height: 900 }, PHONE]) {
  test(`navigates the shop without reload or error, ${size.width} px wide`, async () => {
    const username = await createBuyer(shop);
    const { page, close } = await openPage(shop, size);
    const place = size === PHONE ? getBottomBar(page) : getHeader(page);
    const main = page.getByRole('main');
    await page.goto('/');
    await page.evaluate(() => document.documentElement.setAttribute('data-walk', ''));
    await main.getByRole('link', { name: 'Shop now' }).click();
    await getHeading(page, 'Explore our catalog of Different Devices').waitFor();
    await page.getByRole('link', { name: 'Apple Watch Ultra 3', exact: true }).click();
    await getHeading(page, 'Apple Watch Ultra 3').waitFor();
    await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
    await page
      .getByRole('region', { name: 'Check out other Apple Watch' })
      .getByRole('link', { name: 'Apple Watch SE 3' })
      .click();
    await getHeading(page, 'Apple Watch SE 3').waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Catalog' }).click();
    await getHeading(page, 'Explore our catalog of Different Devices').waitFor();
    await place.locator('a[href="/cart"]').click();
    await page.getByRole('heading', { name: 'Order Details' }).waitFor();
    await place.getByRole('link', { name: 'Login', exact: true }).click();
    await getHeading(page, 'Login').waitFor();
    await main.getByRole('link', { name: 'Register account' }).click();
    await getHeading(page, 'Register account').waitFor();
    await page.goBack();
    await getHeading(page, 'Login').waitFor();
    await logIn(page, username);
    await getHeading(page, `Hello, ${username}!`).waitFor();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Home', exact: true }).click();
    await getHeading(page, 'Buy out gadgets with cryptocurrency').waitFor();
    for (const path of ['/catalog', '/cart', '/dashboard']) {
      await place.locator(`a[href="${path}"]`).click();
      await page.waitForURL(`**${path}`);
      await getHeading(page, /./).waitFor();
    }
    assert.ok(await page.evaluate(() => document.documentElement.hasAttribute('data-walk')), 'never reloaded');
    await close();
  });
}

test('every page satisfies its content security policy', async () => {
  const { page, close } = await openPage(shop);
  for (const path of ['/', '/catalog', '/catalog/product/homepod', '/cart', '/login', '/registration', '/dev/wallet']) {
    const response = await page.goto(path, { waitUntil: 'networkidle' });
    const policy = response?.headers()['content-security-policy'] ?? '';
    assert.match(policy, /require-trusted-types-for 'script'/, path);
    assert.doesNotMatch(policy, /unsafe/, path);
  }
  await close();
});

/** Runs in the page: removes the last filter of a list again and again. @returns those left that moved */
function findMovedFilters(): string[] {
  const form = document.querySelector('main search form');
  const parts = [...(form?.children ?? [])].filter((part) => part.getClientRects().length > 0);
  if (parts.length < 2) return ['no filters'];
  const listPlaces = () =>
    parts.map((part) => {
      const { x, y, width } = part.getBoundingClientRect();
      return `${part.textContent} ${[x, y, width].map(Math.round).join()}`;
    });
  const whole = listPlaces();
  const moved = [];
  while (parts.length > 1) {
    parts.pop()?.remove();
    moved.push(...listPlaces().filter((place, index) => place !== whole[index]));
  }
  return moved;
}

test('filters of lists keep their place while the page loads', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', 'crypto-market');
  for (const path of ['orders', 'orders?queue=to-ship', 'audit', 'products', 'tickets', 'reviews', 'sales']) {
    for (const width of [390, 800, 1440]) {
      await resize(page, width, 900);
      await visit(page, `/admin/${path}`);
      assert.deepEqual(await page.evaluate(findMovedFilters), [], `${path} at ${width} px`);
    }
  }
  await close();
});

/** The first part of a document ends within the list of categories in the header. */
function cutDocument(_path: string, body: Buffer): number | null {
  const end = body.indexOf('</li>', body.indexOf('/catalog/category/'));
  return body.indexOf('<!DOCTYPE html>') === 0 && end !== -1 ? end : null;
}

test('the header does not move while the page arrives', async (t) => {
  const hasPainted = (): Promise<boolean> =>
    page
      .waitForFunction(() => performance.getEntriesByType('paint').length > 0, null, { polling: 50, timeout: 1_000 })
      .then(
        () => true,
        () => false,
      );
  const proxy = await startSlowProxy({ upstream: shop.url, cut: cutDocument, waitBetween: hasPainted });
  t.after(() => proxy.stop());
  const { page, close } = await openPage(proxy, { width: 1440, height: 900 });
  const shifts = await watchLayoutShifts(page);
  for (const path of ['/', '/login', '/free-shipping']) {
    await page.goto(path);
    assert.deepEqual(await shifts(), [], path);
  }
  await close();
});
