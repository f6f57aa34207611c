/** Deferred hydration: input before hydration is not lost. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { createBuyer, createName, openCartAsBuyer } from '../support/buyer.ts';
import { listAt, numberAt, textAt, valueAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PRODUCT = '/catalog/product/iphone-17-pro';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const waitForReady = (page: Page): Promise<void> => page.locator('html[data-ready]').waitFor({ state: 'attached' });
const isReady = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.hasAttribute('data-ready'));
const waitForStoredCart = (page: Page, lines: number) =>
  page.waitForFunction((count) => localStorage.getItem('cart_mark')?.startsWith(`${count}@`), lines);
const readQuantities = async (page: Page): Promise<readonly number[]> =>
  listAt(await (await page.request.get(`${shop.url}/api/cart`)).json(), 'cart_items').map((line) =>
    numberAt(line, 'quantity'),
  );

interface EarlyPageOptions {
  /** The page has loaded and its clock is stopped. */
  readonly isClockStopped?: boolean;
  /** Runs before scripts are delayed. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined;
}

/** Opens a page whose scripts are delayed until `release` is called. */
async function openBeforeHydration(path: string, { isClockStopped = false, prepare }: EarlyPageOptions = {}) {
  const journey = await openPage(shop, { actsBeforeHydration: true });
  await prepare?.(journey.page);
  if (isClockStopped) {
    await journey.page.clock.install();
    await journey.page.clock.pauseAt(Date.now() + 1000);
  }
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const scripts: string[] = [];
  await journey.page.route('**/assets/*.js', async (route) => {
    scripts.push(route.request().url());
    await promise;
    await route.continue();
  });
  await journey.page.goto(path, { waitUntil: isClockStopped ? 'load' : 'domcontentloaded' });
  return { ...journey, release, scripts };
}

for (const path of ['/', '/catalog', PRODUCT, '/nowhere', '/cart', '/login']) {
  test(`${path} hydrates without a touch`, async () => {
    const { page, close } = await openPage(shop, { actsBeforeHydration: true, expectedStatuses: [404] });
    await page.goto(path, { waitUntil: 'commit' });
    await waitForReady(page);
    await close();
  });
}

test('a public page fetches scripts after load or a touch', async () => {
  const { page, close, release, scripts } = await openBeforeHydration('/', { isClockStopped: true });
  assert.equal(scripts.length, 0);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector('link[rel="modulepreload"]') !== null);
  await page.clock.resume();
  release();
  await waitForReady(page);
  assert.ok(scripts.some((url) => url.includes('entry.client')));
  await close();
});

test('[CARD-03] replays a click before hydration exactly once', async () => {
  const { page, close, release } = await openBeforeHydration('/');
  const add = page.getByRole('button', { name: 'Add iPhone Air to cart' }).first();
  await add.click();
  await add.click();
  await add.click();
  assert.equal(await isReady(page), false);
  assert.equal(new URL(page.url()).pathname, '/');
  release();
  await page.getByRole('button', { name: 'Remove iPhone Air from cart' }).first().waitFor();
  await waitForStoredCart(page, 1);
  assert.deepEqual(await readQuantities(page), [1]);
  assert.equal(await page.locator('[data-held]').count(), 0);
  assert.equal(new URL(page.url()).pathname, '/');
  await close();
});

test('[PROD-03] [PROD-04] prices values that were chosen before hydration', async () => {
  const { page, close, release } = await openBeforeHydration(PRODUCT);
  await page.getByText('512GB').click();
  await page.getByText('1TB').click();
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  assert.equal(await isReady(page), false);
  release();
  await page.getByRole('group', { name: /^Quantity of/ }).waitFor();
  assert.ok(await page.getByRole('radio', { name: '1TB' }).isChecked());
  await page.getByText('or $1,499.00').first().waitFor();
  await waitForStoredCart(page, 1);
  const items = listAt(await (await page.request.get(`${shop.url}/api/cart`)).json(), 'cart_items');
  assert.deepEqual(
    items.map((line) => [numberAt(line, 'quantity'), numberAt(line, 'price_usd')]),
    [[1, 1499]],
  );
  await close();
});

test('keeps text that was typed before hydration', async () => {
  const { page, close, release } = await openBeforeHydration('/registration');
  await page.getByLabel('Email').fill('not-an-address');
  assert.equal(await isReady(page), false);
  release();
  // The message appears during typing, so hydration is complete.
  await page.getByText('Please enter a valid email address').waitFor();
  assert.equal(await page.getByLabel('Email').inputValue(), 'not-an-address');
  await close();
});

test('links and search work before hydration', async () => {
  const { page, close, release } = await openBeforeHydration('/');
  await page.getByRole('main').getByRole('link', { name: 'Shop now' }).click();
  await page.waitForURL('**/catalog');
  assert.equal(await isReady(page), false);
  release();
  await waitForReady(page);
  await close();
  const searching = await openBeforeHydration('/');
  await searching.page.getByRole('combobox', { name: 'Search' }).fill('air');
  const requested = searching.page.waitForRequest((request) => request.isNavigationRequest());
  await searching.page.getByRole('button', { name: 'Search' }).click();
  assert.match((await requested).url(), /\/search-results\?query=air$/);
  await searching.context.close();
});

test('a button works as a form when scripts never load', async () => {
  const { page, context } = await openPage(shop, { actsBeforeHydration: true });
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
  await page.waitForURL('**/cart');
  assert.deepEqual(await readQuantities(page), [1]);
  await context.close();
});

test('[LAY-14] requests cart and session once, before the scripts', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
  await waitForStoredCart(page, 1);
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/api/cart' || pathname.includes('entry.client')) requested.push(pathname.replace(/-.*/, ''));
  });
  await page.reload();
  await page.getByRole('button', { name: 'Remove iPhone Air from cart' }).first().waitFor();
  assert.deepEqual(requested, ['/api/cart', '/assets/entry.client']);
  await close();
});

test('[CART-05] leaving a page during a cart change shows no stale cart', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PRODUCT);
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await waitForStoredCart(page, 1);
  const [line] = listAt(await (await page.request.get(`${shop.url}/api/cart`)).json(), 'cart_items');
  // Leaves the page exactly when the next one starts to load.
  await page.addInitScript(() => localStorage.setItem('cart_changing', String(Date.now())));
  // Later requests of the page wait until the change has arrived.
  const { promise, resolve } = Promise.withResolvers<void>();
  let looks = 0;
  await page.route('**/api/cart', async (route) => {
    looks += 1;
    if (looks > 1) await promise;
    await route.continue();
  });
  const requested: string[] = [];
  page.on('request', (request) => {
    if (/entry\.client|\/api\/cart$/.test(request.url()))
      requested.push(new URL(request.url()).pathname.replace(/-.*/, ''));
  });
  const early = page.waitForResponse('**/api/cart');
  await page.reload();
  await early;
  // The change arrives after the page has requested the cart.
  const body = {
    product_id: textAt(line, 'product_id'),
    quantity: 2,
    property_value_ids: valueAt(line, 'property_value_ids'),
  };
  assert.equal((await page.request.put(`${shop.url}/api/cart/update`, { data: body })).status(), 200);
  resolve();
  await page
    .getByRole('group', { name: /^Quantity of/ })
    .getByText('2', { exact: true })
    .waitFor();
  assert.deepEqual(requested, ['/assets/entry.client', '/api/cart', '/api/cart']);
  await close();
});

test('[ACC-14] a login pressed before hydration shows progress and is replayed', async () => {
  const username = await createBuyer(shop);
  for (const press of [
    (page: Page) => page.getByRole('main').getByRole('button', { name: 'Login' }).click(),
    (page: Page) => page.keyboard.press('Enter'),
  ]) {
    const { page, close, release } = await openBeforeHydration('/login');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await press(page);
    const held = page.locator('button[data-held]', { hasText: 'Login' });
    await held.waitFor();
    assert.equal(await held.evaluate((button) => getComputedStyle(button).cursor), 'progress');
    assert.equal(await isReady(page), false);
    release();
    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor();
    await close();
  }
});

test('[ACC-14] a registration pressed before hydration is replayed', async () => {
  const { page, close, release } = await openBeforeHydration('/registration');
  const username = createName();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('checkbox').check();
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click();
  assert.equal(await isReady(page), false);
  release();
  await page.waitForURL('**/login');
  await page.getByText('Registration successful! Please log in.').waitFor();
  await close();
});

test('[SRCH-01] text typed in the search before hydration lists products', async () => {
  const { page, close, release } = await openBeforeHydration('/');
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('air');
  assert.equal(await isReady(page), false);
  release();
  await page
    .getByRole('option', { name: /iPhone Air/ })
    .first()
    .waitFor();
  await close();
});

interface EarlyPress {
  readonly name: string;
  /** Opens the page before its scripts, if it needs a state. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly path: string;
  readonly fill?: (page: Page) => Promise<void>;
  readonly pressed: (page: Page) => Locator;
  /** What the press brings about. */
  readonly effect: (page: Page) => Promise<void>;
}

const getButton = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first();

const EARLY_PRESSES: readonly EarlyPress[] = [
  {
    name: 'Add to cart on a card',
    path: '/',
    pressed: (page) => getButton(page, 'Add iPhone Air to cart'),
    effect: (page) => getButton(page, 'Remove iPhone Air from cart').waitFor(),
  },
  {
    name: 'Add to Cart',
    path: PRODUCT,
    pressed: (page) => getButton(page, 'Add to Cart'),
    effect: (page) => page.getByRole('group', { name: /^Quantity of/ }).waitFor(),
  },
  {
    name: 'Send reset code',
    path: '/lost-password',
    fill: (page) => page.getByRole('main').getByLabel('Email').fill('nobody@example.com'),
    pressed: (page) => getButton(page, 'Send reset code'),
    effect: (page) => getButton(page, 'Send reset code').waitFor({ state: 'detached' }),
  },
  {
    name: 'Send Message',
    path: '/contact',
    fill: async (page) => {
      const form = page.getByRole('main');
      await form.getByLabel('First name').fill('Ada');
      await form.getByLabel('Last name').fill('Byron');
      await form.getByLabel('Email').fill('ada@example.com');
      await form.getByRole('textbox', { name: 'Message' }).fill('Do you deliver to Ockham?');
    },
    pressed: (page) => getButton(page, 'Send Message'),
    effect: (page) => page.getByRole('heading', { name: 'Message received' }).waitFor(),
  },
  {
    name: 'more of a cart line',
    prepare: (page) => openCartAsBuyer(shop, page),
    path: '/cart',
    pressed: (page) => getButton(page, 'Increase quantity'),
    effect: async (page) => {
      await page.waitForResponse((response) => response.url().endsWith('/api/cart/update'));
      await waitForStoredCart(page, 1);
    },
  },
  {
    name: 'Continue to Checkout',
    prepare: (page) => openCartAsBuyer(shop, page),
    path: '/cart',
    pressed: (page) => getButton(page, 'Continue to Checkout'),
    effect: (page) => page.getByRole('button', { name: 'Order with obligation to pay' }).waitFor(),
  },
];

for (const { name, prepare, path, fill, pressed, effect } of EARLY_PRESSES) {
  test(`[LAY-14] a press before hydration shows progress and is replayed: ${name}`, async () => {
    const { page, close, release } = await openBeforeHydration(path, { prepare });
    await fill?.(page);
    const button = pressed(page);
    await button.click();
    await page.locator('button[data-held]').waitFor();
    const shown = await button.evaluate((one) => [getComputedStyle(one).cursor, getComputedStyle(one).opacity]);
    assert.deepEqual(shown, ['progress', '0.7']);
    assert.equal(await isReady(page), false);
    const done = effect(page);
    release();
    await done;
    await close();
  });
}
