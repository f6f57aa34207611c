/** How an order's own page, its list and its payment tell what rarely happens; each made on the devchain. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { buyerAtCart, callAs, mine, moveClock, payOrder, getPayPath, placeOrder, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { withShopDatabase } from '../support/stock-stress.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
afterEach(() => moveClock(shop, 0));
after(() => shop.stop());

const told = (page: Page, text: string | RegExp) => page.getByRole('main').getByText(text).first().waitFor();
const orderPage = (page: Page, orderId: string) => visit(page, `/dashboard/orders/${orderId}`);
const linksTo = (page: Page, name: string): Promise<number> =>
  page.getByRole('main').getByRole('link', { name }).count();
const kindsOf = async (page: Page, orderId: string): Promise<string[]> =>
  listAt(await callAs(shop, page, 'GET', `/orders/${orderId}/timeline`), 'timeline').map((turn) =>
    textAt(turn, 'kind'),
  );

test('[PAY-09] [DASH-04] the page of an order leads to the payment while something is to be sent, and points at no code', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const orderId = await placeOrder(shop, page);
  await orderPage(page, orderId);
  await told(page, 'The payment page shows the code, the amount and the address.');
  assert.equal(await linksTo(page, 'Go to payment'), 1);
  await payOrder(shop, orderId, 0.004);
  await told(page, '0.005000 BTC still missing');
  await told(page, 'the payment page asks for exactly that');
  assert.equal(await linksTo(page, 'Go to payment'), 1);
  await payOrder(shop, orderId, 0.006);
  await told(page, 'It is 0.001000 BTC more than is due, and that goes back to you.');
  assert.equal(await linksTo(page, 'Go to payment'), 0, 'nothing is to be sent');
  await visit(page, '/dashboard/orders');
  assert.equal(await linksTo(page, 'Pay order'), 0);
  await mine(shop, 2);
  await orderPage(page, orderId);
  await told(page, 'You sent 0.001000 BTC more than was due; tell us below where to send the surplus.');
  await told(page, 'What goes back to you is sent there.');
  await close();
});

test('[PAY-08] [PAY-09] a part that was replaced is missing again, and said so', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId, 0.004);
  const txid = await payOrder(shop, orderId);
  await orderPage(page, orderId);
  await told(page, 'Payment seen');
  await shop.api('POST', '/dev/replace', { body: { txid } });
  await told(page, '0.005000 BTC still missing');
  await told(page, 'Received amount decreased');
  await told(page, 'Replaced by another transaction');
  assert.deepEqual(await kindsOf(page, orderId), ['created', 'underpaid', 'payment_seen', 'part_left']);
  await close();
});

test('[PAY-09] dropped: told with its reason on the payment screen, the order’s page and the link, and asked for again', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  const txid = await payOrder(shop, orderId);
  await told(page, 'Payment seen');
  await page.goto('about:blank');
  // As a node whose mempool is full lets go of what pays least.
  await withShopDatabase(shop, (db) => sql`delete from devchain_mempool`.execute(db));
  await shop.restart();
  for (const path of ['/cart', payPath, `/dashboard/orders/${orderId}`]) {
    await visit(page, path);
    await told(page, 'The network has dropped your payment');
  }
  await told(page, 'Dropped by the network');
  await told(page, txid);
  assert.deepEqual(await kindsOf(page, orderId), ['created', 'payment_seen', 'dropped']);
  await visit(page, '/cart');
  await page.getByText(/^QR code: pay 0\.009000 BTC/).waitFor({ state: 'attached' });
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await close();
});

test('[PAY-11] cancelled, and paid all the same: it says that nothing is lost, and takes an address to send it back', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await callAs(shop, page, 'POST', `/orders/${orderId}/cancel`);
  await orderPage(page, orderId);
  await told(page, 'Please don’t pay it any more.');
  await told(page, 'Was due');
  await payOrder(shop, orderId, 0.009);
  for (const path of [`/dashboard/orders/${orderId}`, payPath]) {
    await visit(page, path);
    await told(page, '0.009000 BTC arrived for it anyway. Nothing is lost');
  }
  await orderPage(page, orderId);
  await told(page, 'Payment arrived after the order was cancelled');
  await page.getByLabel('Your Bitcoin address').waitFor();
  await close();
});

test('[PAY-10] late: the link does not offer a new price for what is paid already', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await moveClock(shop, 7300);
  await page.getByRole('heading', { name: 'Expired' }).waitFor();
  await visit(page, payPath);
  assert.equal(await linksTo(page, 'Sign in for a new price'), 1);
  await payOrder(shop, orderId);
  await visit(page, payPath);
  await told(page, 'Your payment arrived late');
  assert.equal(await linksTo(page, 'Sign in for a new price'), 0);
  assert.equal(await linksTo(page, 'Sign in to see the order'), 1);
  await close();
});

test('[PAY-09] [PAY-13] a surplus too little for the network to carry asks for no address', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await payOrder(shop, orderId, 0.00900293);
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await told(page, '0.00000293 BTC more than was due: too little for the network to carry back.');
  assert.equal(await page.getByText('Address for refunds').count(), 0);
  await visit(page, payPath);
  await told(page, 'too little for the network to carry back');
  assert.equal(await linksTo(page, 'Sign in to name an address'), 0);
  await orderPage(page, orderId);
  await told(page, 'too little for the network to carry back');
  // Should the whole order ever be taken back, there is a place for it; nobody is asked.
  await told(page, 'optional');
  assert.equal(await page.getByLabel('Your Bitcoin address').isVisible(), false);
  await close();
});

// Last: with another rate the shop starts again.
test('[PAY-10] [PAY-11] a late payment that the rate keeps waiting: its buyer pays the difference at today’s price', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await moveClock(shop, 7300);
  await page.getByRole('heading', { name: 'Expired' }).waitFor();
  await page.goto('about:blank');
  await shop.restart({ RATE_SOURCE: 'fixed:90000.00' });
  await moveClock(shop, 7300);
  await payOrder(shop, orderId, 0.009);
  await orderPage(page, orderId);
  await told(page, 'Your payment arrived late');
  assert.equal(await page.getByRole('button', { name: 'Pay the difference' }).count(), 0, 'nothing is decided yet');
  assert.equal(await page.getByLabel('Your Bitcoin address').isVisible(), false);
  await mine(shop, 2);
  await told(page, 'at today’s price 0.002100 BTC are missing');
  await visit(page, payPath);
  await told(page, 'at today’s price 0.002100 BTC are missing');
  assert.equal(await linksTo(page, 'Sign in to pay the difference'), 1);
  await visit(page, '/dashboard/orders');
  await told(page, 'Your late payment waits for us');
  await visit(page, '/cart');
  await told(page, 'at today’s price 0.002100 BTC are missing');
  await orderPage(page, orderId);
  await told(page, '0.002100 BTC at 1 BTC = $90,000.00, with new time to pay. All that you have sent counts.');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Pay the difference' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await told(page, '0.002100 BTC still missing');
  await payOrder(shop, orderId, 0.0021);
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await close();
});
