/** Further cases of the payment screen: cancelled, two tabs, disconnected, near its end. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import {
  openCartAsBuyer,
  callAs,
  waitForCartLines,
  pollNow,
  mine,
  moveClock,
  getOpenOrderId,
  payOrder,
  placeOrder,
  visit,
} from '../support/buyer.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const AFTER_THE_WINDOW_S = 7300;
/** Before any deadline, and after a slow page is ready, since page clocks cannot go back. */
const LATER_MS = 20_000;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
afterEach(() => moveClock(shop, 0));
after(() => shop.stop());

/** The live region: announcements about the payment. */
const getStatus = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: /./ }).first();
const waitForTitle = (page: Page, text: string) => getStatus(page).getByText(text, { exact: true }).waitFor();
const readTimeLeft = async (page: Page) => /^\d\d:\d\d/.exec(await page.getByRole('timer').innerText())?.[0];
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

test('[PAY-11] cancelling needs confirmation and restores the cart in every tab', async () => {
  const { page, context, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const other = await context.newPage();
  await visit(other, '/cart');
  await waitForHeading(other, 'Complete your order');
  await page.bringToFront();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Keep order' }).click();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await Promise.all([
    page.getByText('Your items are back in your cart.').waitFor(),
    dialog.getByRole('button', { name: 'Cancel order' }).click(),
  ]);
  await waitForHeading(page, 'Order Details');
  await page.getByRole('group', { name: 'Quantity of iPhone Air' }).waitFor();
  await other.bringToFront();
  await waitForHeading(other, 'Order Details');
  await visit(page, `/dashboard/orders/${orderId}`);
  await waitForTitle(page, 'This order was cancelled');
  await page.getByText('Order cancelled').first().waitFor();
  await close();
});

test('[PAY-11] cancelling on another device restores the cart here', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await callAs(shop, page, 'POST', `/orders/${orderId}/cancel`);
  await waitForHeading(page, 'Order Details');
  await page.getByRole('group', { name: 'Quantity of iPhone Air' }).waitFor();
  await close();
});

test('[CART-01] an order placed in one tab shows in the other', async () => {
  const { page, context, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const other = await context.newPage();
  await visit(other, '/cart');
  await waitForHeading(other, 'Order Details');
  await placeOrder(shop, page);
  await waitForHeading(other, 'Complete your order');
  await close();
});

test('[PAY-11] an expired order can be requoted unless another is open', async () => {
  const { page, getProblems, context } = await openPage(shop, { expectedStatuses: [409] });
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await moveClock(shop, AFTER_THE_WINDOW_S);
  await waitForHeading(page, 'Expired');
  await visit(page, '/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await waitForCartLines(page, 1);
  await visit(page, '/cart');
  await placeOrder(shop, page);
  await visit(page, `/dashboard/orders/${orderId}`);
  await page.getByRole('button', { name: 'Get a new price' }).click();
  await page.getByRole('alert').getByText('Your previous order is not paid yet. Complete it first.').waitFor();
  await visit(page, '/cart');
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await waitForHeading(page, 'Order Details');
  await visit(page, `/dashboard/orders/${orderId}`);
  await page.getByRole('button', { name: 'Get a new price' }).click();
  await waitForHeading(page, 'Complete your order');
  assert.equal(await getOpenOrderId(shop, page), orderId);
  assert.deepEqual(
    getProblems().filter((one) => !one.includes('the order was not requoted')),
    [],
  );
  await context.close();
});

test('[PAY-08] [WS-03] the live channel alone updates the payment, without polling', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const isLive = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  const orderId = await placeOrder(shop, page);
  await isLive;
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + LATER_MS);
  await payOrder(shop, orderId);
  await waitForTitle(page, 'Payment seen');
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await page.clock.resume();
  await close();
});

test('[PAY-02] [PAY-08] tabs show the same; a disconnected one shows it, then updates', async () => {
  const { page, context, close } = await openPage(shop);
  // The live channel is disconnected too.
  await page.routeWebSocket('**/api/wss', (socket) => socket.close());
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const address = await page.getByText(/^QR code: pay/).textContent();
  const other = await context.newPage();
  await visit(other, '/cart');
  assert.equal(await other.getByText(/^QR code: pay/).textContent(), address);
  // A minute may pass between two reads, and the server renders no time.
  await waitUntil(async () => {
    const left = await readTimeLeft(other);
    return left !== undefined && left === (await readTimeLeft(page));
  });
  await other.close();
  await page.route('**/api/orders', (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByText('You seem to be offline.', { exact: false }).waitFor();
  await payOrder(shop, orderId);
  await page.unroute('**/api/orders');
  await waitForTitle(page, 'Payment seen');
  await page.getByText('You seem to be offline.', { exact: false }).waitFor({ state: 'detached' });
  await close().catch((error: unknown) => assert.match(String(error), /status 503/));
});

test('[PAY-02] announces the countdown at 10, 5 and 1 minutes only', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  assert.equal(await page.getByRole('timer').getAttribute('aria-live'), 'off');
  for (const [left, words] of [
    [599, '10 minutes left to pay'],
    [299, '5 minutes left to pay'],
    [59, '1 minute left to pay'],
  ] as const) {
    await moveClock(shop, 7200 - left);
    await pollNow(page);
    await page.getByRole('status').filter({ hasText: words }).waitFor({ state: 'attached' });
  }
  await close();
});

test('[PAY-08] a paid order stays visible with a new cart', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const product = await shop.api('GET', '/products/airpods-pro-3');
  await callAs(shop, page, 'POST', '/cart/add', { product_id: textAt(product.body, 'id'), quantity: 1 });
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await waitForHeading(page, 'Order paid.');
  await page.reload();
  await waitForHeading(page, 'Order Details');
  await waitForCartLines(page, 1);
  await close();
});
