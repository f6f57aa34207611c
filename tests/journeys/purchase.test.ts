import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const PASSWORD = 'correct horse';
let people = 0;
const newName = (): string => `buyer${Date.now()}${(people += 1)}`;

async function register(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Register' }).click();
}

async function logIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
}

async function fillBilling(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Region').selectOption('Europe');
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' });
  await page.getByLabel('Street address').fill('Elm Street');
  await page.getByLabel('House number').fill('45');
  await page.getByLabel('City').fill('London');
  await page.getByLabel('Postcode').fill('W8 4QG');
}

/** A signed-in buyer with one product in the cart, on `/cart`. */
async function buyerAtCart(page: Page): Promise<string> {
  const username = newName();
  await shop.api('POST', '/users/register', {
    body: { username, email: `${username}@example.com`, password: PASSWORD },
  });
  await page.goto('/login?to=/cart');
  await logIn(page, username);
  await page.waitForURL('**/cart');
  await page.goto('/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('group', { name: /^Quantity/ }).waitFor();
  await page.goto('/cart');
  return username;
}

async function placeOrder(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  return openOrderId(page);
}

async function openOrderId(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('apple_user_token'));
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const answer = await shop.api('GET', '/orders', { token: token ?? '', cookie });
  return textAt(answer.body, 'order', 'id');
}

/** What the poll would do in half a minute. */
const lookNow = (page: Page): Promise<void> =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

test('[CART-01] [CART-07] [BILL-03] [PAY-01] [PAY-05] from the home page to a paid order, by a guest who registers on the way', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  const username = newName();
  await page.goto('/');
  await page.getByRole('link', { name: 'iPhone Air', exact: true }).first().click();
  await page.waitForURL('**/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('group', { name: /^Quantity/ }).waitFor();

  await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  assert.deepEqual(await page.getByRole('main').getByRole('listitem').filter({ hasText: /^\d/ }).allInnerTexts().then((texts) => texts.map((text) => text.replace(/^\d\s*/, ''))), [
    'Order Details',
    'Billing Details',
    'Complete order',
  ]);
  await page.getByRole('heading', { name: 'Cart Totals' }).waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();

  await page.waitForURL('**/login?**');
  await page.getByRole('main').getByRole('link', { name: /regist|create/i }).first().click();
  await page.waitForURL('**/registration**');
  await register(page, username);
  await page.getByText('Registration successful! Please log in to access your existing cart items.').waitFor();
  await page.waitForURL('**/login**');
  await logIn(page, username);
  await page.getByText('Your cart has been preserved and is now available in your account').waitFor();

  await page.waitForURL('**/cart');
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();

  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await page.getByText('Awaiting payment').waitFor();
  await assertAccessible(page);
  const orderId = await openOrderId(page);
  const paid = await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  assert.equal(paid.status, 200);
  await lookNow(page);
  await page.getByText(textAt(paid.body, 'txid')).waitFor();
  await shop.api('POST', '/dev/mine', { body: { blocks: 2 } });
  await lookNow(page);

  await page.getByText('Payment confirmed!').waitFor();
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await page.getByText('Paid', { exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await assertAccessible(page);
  await close();
});

test('[CART-08] [ACC-11] what a guest put in the cart is in the account after the login, once', async () => {
  const username = newName();
  await shop.api('POST', '/users/register', {
    body: { username, email: `${username}@example.com`, password: PASSWORD },
  });
  const { page, context, close } = await openPage(shop, { width: 390, height: 844 });
  await page.goto('/');
  assert.deepEqual((await context.cookies()).map(({ name }) => name), [], 'a page sets no cookie');
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
  await page.getByRole('button', { name: 'Remove iPhone Air from cart' }).first().waitFor();
  await page.waitForFunction(() => localStorage.getItem('cart_mark') !== null);
  const guest = (await context.cookies()).find(({ name }) => name === 'guest_user_id');
  assert.ok(guest?.httpOnly);
  assert.equal(guest.sameSite, 'Lax');
  assert.ok(guest.value.length >= 43, 'at least 256 bits');

  await page.goto('/login');
  await logIn(page, username);
  await page.getByText('Your cart has been preserved and is now available in your account').waitFor();
  await page.waitForURL('**/dashboard');
  await page.goto('/cart');
  await page.getByRole('link', { name: 'iPhone Air', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Remove iPhone Air' }).count(), 1);
  assert.equal(await page.getByRole('group', { name: 'Quantity of iPhone Air' }).innerText(), '1');
  assert.equal((await context.cookies()).some(({ name }) => name === 'guest_user_id'), false);
  await close();
});

test('[CART-02] [CART-03] [CART-05] lines change at once, a decrease below 1 removes, an empty cart says so', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/cart');
  await page.getByText('No items in cart').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Continue to Checkout' }).isDisabled());

  await page.goto('/');
  for (const name of ['iPhone Air', 'AirPods Pro 3']) {
    const add = page.getByRole('button', { name: `Add ${name} to cart` }).first();
    await add.click();
    await page.getByRole('button', { name: `Remove ${name} from cart` }).first().waitFor();
  }
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('2@'));
  await page.goto('/cart');
  const quantity = page.getByRole('group', { name: 'Quantity of iPhone Air' });
  await quantity.getByRole('button', { name: 'Increase quantity' }).click();
  await page.getByText('$2247.00').first().waitFor();
  assert.equal(await quantity.innerText(), '2');
  await page.getByText('Shipping').waitFor();
  await quantity.getByRole('button', { name: 'Decrease quantity' }).click();
  await page.getByText('$1248.00').first().waitFor();
  await quantity.getByRole('button', { name: 'Decrease quantity' }).click();
  await quantity.waitFor({ state: 'detached' });
  await page.getByText('$249.00').first().waitFor();
  await page.getByRole('button', { name: 'Remove AirPods Pro 3' }).click();
  await page.getByText('No items in cart').waitFor();
  await close();
});

test('[CART-05] a change that fails is taken back without a message', async () => {
  const { page, context } = await openPage(shop, { expectedStatuses: [503] });
  await page.goto('/');
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('1@'));
  await page.goto('/cart');
  const quantity = page.getByRole('group', { name: 'Quantity of iPhone Air' });
  await quantity.waitFor();
  await page.route('**/api/cart/update', (route) => route.fulfill({ status: 503, json: { error: { code: 'x', message: 'x' } } }));
  const answered = page.waitForResponse('**/api/cart/update');
  await quantity.getByRole('button', { name: 'Increase quantity' }).click();
  await answered;
  await page.waitForFunction(() => document.querySelector('fieldset[aria-label="Quantity of iPhone Air"] span')?.textContent === '1');
  assert.equal(await page.getByRole('alert').count(), 0);
  await context.close();
});

test('[BILL-01] [BILL-02] billing marks what is missing without a message and offers the countries of the region', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  const submit = page.getByRole('button', { name: 'Continue to payment' });
  const firstName = page.getByLabel('First name');
  assert.ok(await submit.isDisabled());
  assert.equal(await firstName.getAttribute('aria-invalid'), null);
  await firstName.fill('A');
  await firstName.fill('   ');
  assert.equal(await firstName.getAttribute('aria-invalid'), 'true');
  const region = page.getByLabel('Region');
  assert.deepEqual((await region.getByRole('option').allInnerTexts()).slice(1), [
    'Europe',
    'North America',
    'South America',
    'Asia',
    'Africa',
    'Oceania',
    'Middle East',
  ]);
  await region.selectOption('Oceania');
  const country = page.getByLabel('Country');
  await country.selectOption({ label: 'New Zealand' });
  await region.selectOption('Europe');
  assert.equal(await country.inputValue(), '');
  assert.equal(await country.getByRole('option', { name: 'New Zealand' }).count(), 0);
  await fillBilling(page);
  assert.ok(await submit.isEnabled());
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  await close();
});

test('[PAY-02] [PAY-03] [PAY-04] the payment screen counts down to the order’s end, copies, and takes the buyer’s word', async () => {
  const { page, context, close } = await openPage(shop);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await buyerAtCart(page);
  await placeOrder(page);
  await page.waitForFunction(() => /^01:5\d:\d\d|02:00:00$/.test(document.querySelector('[role=timer]')?.textContent ?? ''));
  await page.getByRole('button', { name: 'Copy amount' }).click();
  await page.getByText('Copied to clipboard!').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '0.009000');
  await page.getByRole('button', { name: 'Copy wallet address' }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('bcrt1q'));
  await page.reload();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();

  await page.getByRole('button', { name: 'I paid' }).click();
  await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
  await page.getByText('Awaiting confirmation').waitFor();
  assert.equal(await page.getByRole('button', { name: 'I paid' }).count(), 0);
  await close();
});

test('[PAY-09] a part of the amount asks for the rest', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await buyerAtCart(page);
  const orderId = await placeOrder(page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId, amount_btc: 0.004 } });
  await lookNow(page);
  await page.getByText('0.005000 BTC are still missing', { exact: false }).waitFor();
  await assertAccessible(page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 2 } });
  await lookNow(page);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await close();
});

test('[PAY-01] [PAY-10] an order that nobody paid is shown as expired', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(page);
  await placeOrder(page);
  await shop.api('POST', '/dev/clock', { body: { offset_s: 7201 } });
  try {
    await lookNow(page);
    await page.getByRole('heading', { name: 'Expired' }).waitFor();
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
  await close();
});

test('[PAY-05] the payment is asked for every 30 s while pending and every 15 s while user_paid', async () => {
  const { page, close } = await openPage(shop);
  await page.clock.install();
  await buyerAtCart(page);
  await placeOrder(page);
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/payments/check/')) checks += 1;
  });
  await page.clock.runFor(29_000);
  assert.equal(checks, 0);
  await page.clock.runFor(2_000);
  await page.waitForTimeout(100);
  assert.equal(checks, 1);
  await page.getByRole('button', { name: 'I paid' }).click();
  await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
  checks = 0;
  await page.clock.runFor(16_000);
  await page.waitForTimeout(100);
  assert.equal(checks, 1);
  await page.route('**/api/payments/check/*', (route) => route.abort('failed'));
  await page.clock.runFor(16_000);
  await page.getByText('Failed to check payment status').waitFor();
  await close().catch(() => {});
});
