/** Rare states on the order page, the list and the payment page; each reached on the devchain. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, mine, moveClock, payOrder, getPayPath, placeOrder, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
afterEach(() => moveClock(shop, 0));
after(() => shop.stop());

const waitForText = (page: Page, text: string | RegExp) => page.getByRole('main').getByText(text).first().waitFor();
const orderPage = (page: Page, orderId: string) => visit(page, `/dashboard/orders/${orderId}`);
const countLinks = (page: Page, name: string): Promise<number> =>
  page.getByRole('main').getByRole('link', { name }).count();
const listKinds = async (page: Page, orderId: string): Promise<string[]> =>
  listAt(await callAs(shop, page, 'GET', `/orders/${orderId}/timeline`), 'timeline').map((event) =>
    textAt(event, 'kind'),
  );

test('[PAY-09] [DASH-04] the order page links to an unfinished payment', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await orderPage(page, orderId);
  await waitForText(page, 'The payment page shows the QR code, the amount and the address.');
  assert.equal(await countLinks(page, 'Go to payment'), 1);
  await payOrder(shop, orderId, 0.004);
  await waitForText(page, '0.005000 BTC still missing');
  await waitForText(page, 'The payment page shows the missing amount.');
  assert.equal(await countLinks(page, 'Go to payment'), 1);
  await payOrder(shop, orderId, 0.006);
  await waitForText(
    page,
    'You sent 0.001000 BTC more than the amount due. Enter a refund address below to get it back.',
  );
  assert.equal(await countLinks(page, 'Go to payment'), 0, 'no payment is requested');
  await visit(page, '/dashboard/orders');
  assert.equal(await countLinks(page, 'Pay order'), 0);
  await mine(shop, 2);
  await orderPage(page, orderId);
  await waitForText(
    page,
    'You sent 0.001000 BTC more than the amount due. Enter a refund address below to get it back.',
  );
  await waitForText(page, 'We send your refund to this address.');
  await close();
});

test('[PAY-08] [PAY-09] shows a replaced part as missing', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId, 0.004);
  const txid = await payOrder(shop, orderId);
  await orderPage(page, orderId);
  await waitForText(page, 'Payment seen');
  await shop.api('POST', '/dev/replace', { body: { txid } });
  await waitForText(page, '0.005000 BTC still missing');
  await waitForText(page, 'Received amount decreased');
  await waitForText(page, 'Replaced by another transaction');
  assert.deepEqual(await listKinds(page, orderId), ['created', 'underpaid', 'payment_seen', 'part_left']);
  await close();
});

test('[PAY-09] payment pages explain a dropped payment and request it again', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  const txid = await payOrder(shop, orderId);
  await waitForText(page, 'Payment seen');
  await page.goto('about:blank');
  // Simulates a full mempool that evicts the lowest fees.
  await runWithShopDatabase(shop, (db) => sql`delete from devchain_mempool`.execute(db));
  await shop.restart();
  for (const path of ['/cart', payPath, `/dashboard/orders/${orderId}`]) {
    await visit(page, path);
    await waitForText(page, 'The network dropped your payment');
  }
  await waitForText(page, 'Dropped by the network');
  await waitForText(page, txid);
  assert.deepEqual(await listKinds(page, orderId), ['created', 'payment_seen', 'dropped']);
  await visit(page, '/cart');
  await page.getByText(/^QR code: pay 0\.009000 BTC/).waitFor({ state: 'attached' });
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await close();
});

test('[PAY-11] a paid, cancelled order asks for a refund address', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await callAs(shop, page, 'POST', `/orders/${orderId}/cancel`);
  await orderPage(page, orderId);
  await waitForText(page, 'Please don’t pay it.');
  await waitForText(page, 'Quoted amount');
  await payOrder(shop, orderId, 0.009);
  for (const path of [`/dashboard/orders/${orderId}`, payPath]) {
    await visit(page, path);
    await waitForText(page, '0.009000 BTC arrived for it anyway. Your payment is safe');
  }
  await orderPage(page, orderId);
  await waitForText(page, 'Payment arrived after the order was cancelled');
  await page.getByLabel('Your Bitcoin address').waitFor();
  await close();
});

test('[PAY-10] the link of a late payment offers no new price', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await moveClock(shop, 7300);
  await page.getByRole('heading', { name: 'Expired' }).waitFor();
  await visit(page, payPath);
  assert.equal(await countLinks(page, 'Log in for a new price'), 1);
  await payOrder(shop, orderId);
  await visit(page, payPath);
  await waitForText(page, 'Your payment arrived late');
  assert.equal(await countLinks(page, 'Log in for a new price'), 0);
  assert.equal(await countLinks(page, 'Log in to see the order'), 1);
  await close();
});

test('[PAY-09] [PAY-13] a surplus below the dust limit asks for no address', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await payOrder(shop, orderId, 0.00900293);
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await waitForText(page, '0.00000293 BTC more than the amount due, which is too little to refund.');
  assert.equal(await page.getByText('Refund address').count(), 0);
  await visit(page, payPath);
  await waitForText(page, 'which is too little to refund');
  assert.equal(await countLinks(page, 'Log in to enter a refund address'), 0);
  await orderPage(page, orderId);
  await waitForText(page, 'which is too little to refund');
  // A refund address could be entered for a later refund; the page does not ask for it.
  await waitForText(page, 'optional');
  assert.equal(await page.getByLabel('Your Bitcoin address').isVisible(), false);
  await close();
});

// Last, since another rate requires a restart.
test('[PAY-10] [PAY-11] a buyer pays the difference of a waiting late payment', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await moveClock(shop, 7300);
  await page.getByRole('heading', { name: 'Expired' }).waitFor();
  await page.goto('about:blank');
  await shop.restart({ RATE_SOURCE: 'fixed:90000.00' });
  await moveClock(shop, 7300);
  await payOrder(shop, orderId, 0.009);
  await orderPage(page, orderId);
  await waitForText(page, 'Your payment arrived late');
  assert.equal(await page.getByRole('button', { name: 'Pay the difference' }).count(), 0, 'nothing is decided yet');
  assert.equal(await page.getByLabel('Your Bitcoin address').isVisible(), false);
  await mine(shop, 2);
  await waitForText(page, 'at today’s price the order costs 0.002100 BTC more');
  await visit(page, payPath);
  await waitForText(page, 'at today’s price the order costs 0.002100 BTC more');
  assert.equal(await countLinks(page, 'Log in to pay the difference'), 1);
  await visit(page, '/dashboard/orders');
  await waitForText(page, 'Your late payment is on hold');
  await visit(page, '/cart');
  await waitForText(page, 'at today’s price the order costs 0.002100 BTC more');
  await orderPage(page, orderId);
  await waitForText(
    page,
    'You pay 0.002100 BTC at 1 BTC = $90,000.00, with a new payment window. Everything you sent counts.',
  );
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Pay the difference' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await waitForText(page, '0.002100 BTC still missing');
  await payOrder(shop, orderId, 0.0021);
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await close();
});
