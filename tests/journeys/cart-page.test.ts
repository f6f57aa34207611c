import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, fillBilling, placeOrder, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { resize, waitForFrames } from '../support/pages/frames.ts';

/** A regtest address without an owner. */
const REFUND_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[CART-01] stores the step and returns to 1 for an empty cart', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('cart_step')), '2');
  await visit(page, '/cart');
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByText('No items in cart').waitFor();
  await page.waitForFunction(() => localStorage.getItem('cart_step') === '1');
  await close();
});

test('[BILL-03] shows a created order even if later loads fail', async () => {
  const { page, context } = await openPage(shop, { expectedStatuses: [503] });
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await page.route(/\/api\/(?:orders|cart)$/, (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await page.getByRole('link', { name: 'Open in wallet' }).waitFor();
  await context.close();
});

test('[PAY-13] keeps a saved address despite an earlier slow response', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const { promise, resolve } = Promise.withResolvers<void>();
  // The response to the first request comes last.
  let questions = 0;
  await page.route('**/api/orders/*/refund-address', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    questions += 1;
    if (questions > 1) return route.continue();
    const response = await route.fetch();
    await promise;
    return route.fulfill({ response });
  });
  const first = page.waitForResponse((response) => response.url().endsWith('/refund-address'));
  await placeOrder(shop, page);
  await page.getByText('Refund address').click();
  const field = page.getByLabel('Your Bitcoin address');
  await field.fill(REFUND_ADDRESS);
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Saved. Open the link in our mail').waitFor();
  resolve();
  await first;
  // Until the page has rendered it.
  await waitForFrames(page);
  assert.equal(await field.inputValue(), REFUND_ADDRESS);
  await close();
});

test('[LAY-14] [LAY-06] renders public data and loads user, cart and order immediately', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/images/')) requests.push(pathname);
  });
  await visit(page, '/');
  await page.waitForFunction(() => document.documentElement.hasAttribute('data-cart'));
  assert.deepEqual(requests.toSorted(), ['/api/cart', '/api/orders', '/api/users/user']);
  const html = await (await fetch(`${shop.url}/`)).text();
  assert.ok(html.includes('iPhone Air') && html.includes('Apple Products'));
  await close();
});

test('[LAY-15] [LAY-12] shows failed lists in the layout with Try again', async () => {
  const { page, context, getProblems } = await openPage(shop, { expectedStatuses: [503] });
  await visit(page, '/');
  await page.route('**/catalog.data*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.getByRole('banner').getByRole('link', { name: 'Catalog' }).click();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Cart', exact: true }).waitFor();
  await page.unroute('**/catalog.data*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Explore our catalog of Different Devices' }).waitFor();
  assert.ok(getProblems().length <= 1, 'only the failure is logged');
  await context.close();
});

test('[BILL-05] keeps Billing input through reload, back and forward', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.reload();
  const name = page.getByLabel('First name');
  const waitForFirstName = (text: string) =>
    page.waitForFunction(
      (expected) => document.querySelector<HTMLInputElement>('[name=firstName]')?.value === expected,
      text,
    );
  await waitForFirstName('Ada');
  await page.goBack();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('cart_step')), '1');
  await page.goForward();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  assert.equal(await name.inputValue(), 'Ada');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await waitForFirstName('Ada');
  await fillBilling(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('billing_draft')), null);
  await close();
});

test('[CART-01] renders the saved step on the server', async () => {
  const { page, close } = await openPage(shop, { reducedMotion: true });
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  const html = await (await page.context().request.get('/cart')).text();
  assert.match(html, /<h2[^>]*>Billing Details<\/h2>/);
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('value' in entry && typeof entry.value === 'number')
          Object.assign(globalThis, { shifts: Number(Reflect.get(globalThis, 'shifts')) + entry.value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  const shift = await page.evaluate(() => Number(Reflect.get(globalThis, 'shifts')));
  assert.ok(shift < 0.05, `layout shift ${shift}`);
  await close();
});

test('[BILL-05] keeps the Billing layout when hints or choices change', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  /** Position of each field and button, and of what is beside or below the form. */
  const measurePlaces = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main :is(input, select, textarea, button, aside)')].map((element) => {
        const { top, height } = element.getBoundingClientRect();
        return `${element.getAttribute('name') ?? element.tagName} ${Math.round(top + scrollY)} ${Math.round(height)}`;
      }),
    );
  for (const width of [320, 390, 1440]) {
    await resize(page, width, 900);
    for (const name of ['First name', 'Last name', 'Street address', 'House number', 'City', 'Postcode']) {
      await page.getByLabel(name, { exact: true }).fill('');
    }
    await page.getByLabel('Region').selectOption('');
    await page.getByText('Fill in all required fields', { exact: false }).waitFor();
    const empty = await measurePlaces();
    const heights = empty.filter((place) =>
      /^(?:\w+(?:Name|Address|Number)|region|country|city|postcode) /.test(place),
    );
    assert.equal(heights.length, 8);
    assert.equal(new Set(heights.map((height) => height.split(' ')[2])).size, 1, heights.join());
    await page.getByLabel('Region').selectOption('Europe');
    assert.deepEqual(await measurePlaces(), empty, `${width} px, a region`);
    await fillBilling(page);
    await page.getByText('The bitcoin price is fixed', { exact: false }).waitFor();
    assert.deepEqual(await measurePlaces(), empty, `${width} px, all filled in`);
  }
  await close();
});
