/**
 * Similar amounts beside each other, each read by its label. All amounts of the order differ, so two that are swapped
 * fail the test.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { GERMAN_TAX, PAID_SHIPPING, logInAs, putSettings } from './support/charge-settings.ts';
import { testKey } from './support/devchain.ts';
import { textAt } from './support/read-json.ts';
import { listFacts, listLastRow, readPage } from './support/read-page.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { readSessionCookie } from './support/session-cookie.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const NET_TAX = { ...GERMAN_TAX, price_mode: 'net' };

let shop: RefundShop;
let buyer: Buyer;
before(async () => {
  shop = await openRefundShop();
  const owner = await logInAs(shop.shop, 'owner');
  for (const [kind, settings] of [
    ['tax', NET_TAX],
    ['shipping', PAID_SHIPPING],
  ] as const)
    assert.equal((await putSettings(shop.shop, kind, settings, owner)).status, 200);
  buyer = await shop.createBuyer();
  await call('POST', '/promocodes/apply', { code: 'WELCOME10' });
  await call('PUT', '/cart/delivery', { country: 'DE' });
});
after(() => shop.shop.stop());

async function call(method: 'POST' | 'PUT', path: string, body: object): Promise<unknown> {
  const response = await shop.shop.api(method, path, { token: buyer.token, body });
  assert.ok(response.status < 300, JSON.stringify(response.body));
  return response.body;
}

/** Places the order, pays a part of it, accepts it as paid, and refunds a part. */
async function createRefundedOrder(): Promise<string> {
  const id = textAt(
    await call('POST', '/cart/checkout', { ...BILLING, country: 'DE', postcode: '10115' }),
    'order',
    'id',
  );
  await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.009 });
  await shop.mine(2);
  const settled = await shop.post(`/orders/${id}/settle`, { reason: 'As agreed' });
  assert.equal(settled.status, 200, JSON.stringify(settled.body));
  await shop.confirmAddress(buyer, id, testKey().address);
  const amount = { usd: 111, reason: 'A scratch on the case' };
  const refund = await shop.createRefund(id, { covers: 'amount', amount });
  const recorded = await shop.post(`/refunds/${textAt(refund, 'id')}/record`, { txid: '1'.repeat(64) });
  assert.equal(recorded.status, 200, JSON.stringify(recorded.body));
  // Unconfirmed.
  await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.0001 });
  return id;
}

const readCookie = (username: string): Promise<string> => readSessionCookie(shop.shop, username);
const read = async (path: string, username: string): Promise<string> =>
  (await readPage(`${shop.shop.url}${path}`, await readCookie(username))).html;

/** Labels of amounts in bitcoin with the amounts. */
const listAmounts = async (path: string, username: string) =>
  listFacts(await read(path, username)).filter(([, value]) => /\bBTC\b/.test(value));

test('[CART-06] [OPS-15] the totals of a cart stand beside their labels', async () => {
  assert.deepEqual(listFacts(await read('/cart', buyer.name)), [
    ['Subtotal', '0.009000 BTC $999.00'],
    ['Discount 10%', '−0.000900 BTC −$99.90'],
    ['Shipping', '0.000045 BTC $4.90'],
    ['VAT 19%', '0.001548 BTC $171.76'],
    ['Total', '0.009693 BTC $1,075.76'],
  ]);
});

test('[DASH-04] [OPS-05] amounts of an order stand beside their labels', async () => {
  const id = await createRefundedOrder();
  assert.deepEqual(await listAmounts(`/dashboard/orders/${id}`, buyer.name), [
    ['Subtotal', '0.009000 BTC $999.00'],
    ['Discount · WELCOME10', '−0.000900 BTC −$99.90'],
    ['Shipping', '0.000045 BTC $4.90'],
    ['VAT 19%', '0.001548 BTC $171.76'],
    ['Total', '0.009693 BTC $1,075.76'],
    ['Waived', '−0.000693 BTC −$76.91'],
    ['Refunded', '−0.001000 BTC −$111.00'],
    ['Total, net of refunds', '0.008000 BTC $887.85'],
    ['Amount due', '0.009000 BTC'],
    ['Received', '0.009100 BTC'],
    ['Rate', '1 BTC = $111,000.00'],
  ]);
  assert.deepEqual(
    (await listAmounts(`/admin/orders/${id}`, 'staff')).filter(([label]) => label !== 'Value'),
    [
      ['Subtotal', '$999.00 0.009000 BTC'],
      ['Discount · WELCOME10', '−$99.90 −0.000900 BTC'],
      ['Shipping', '$4.90 0.000045 BTC'],
      ['VAT 19%', '$171.76 0.001548 BTC'],
      ['Total', '$1,075.76 0.009693 BTC'],
      ['Waived', '−$76.91 −0.000693 BTC'],
      ['Paid', '$998.85 0.009000 BTC'],
      ['Refunded', '−$111.00 −0.001000 BTC'],
      ['Total, net of refunds', '$887.85 0.008000 BTC'],
      ['Amount', '$111.00, 0.001000 BTC with a fee of 0.00000282 BTC'],
      ['Due', '$1,075.76, 0.009693 BTC'],
      ['Accepted as paid', '0.009000 BTC'],
      ['Received', '0.009100 BTC'],
      ['Confirmed', '0.009000 BTC'],
      ['Rate of the quote', '1 BTC = $111,000.00'],
    ],
  );
});

test('[OPS-05] the figures of sales stand beside their labels', async () => {
  const other = await shop.createBuyer();
  await shop.createPaidOrder(other, 0.01);
  assert.deepEqual(listLastRow(await read('/admin/sales', 'staff')), [
    ['Day', 'Total'],
    ['Orders', '2'],
    ['Sold, before refunds', '$2,017.85'],
    ['In bitcoin', '0.01818100 BTC'],
    ['Average order', '$1,008.93'],
    ['Waived', '$76.91'],
    ['Refunded', '$111.00'],
    ['In bitcoin', '0.00100000 BTC'],
    ['Revenue, net of refunds', '$1,906.85'],
    ['In bitcoin', '0.01718100 BTC'],
  ]);
  const { texts } = await readPage(`${shop.shop.url}/admin`, await readCookie('staff'));
  const labels = ['Orders', 'Revenue, net of refunds', 'Average order'];
  // 'Orders' is an entry of the menus, too.
  const readFigure = (label: string) =>
    texts.find((text, index) => texts[index - 1] === label && /^[$\d]/.test(text)) ?? 'none';
  assert.deepEqual(labels.map(readFigure), ['2', '$1,906.85', '$1,008.93']);
});

test('[OPS-16] the list of invoices has the gross totals and their tax', async () => {
  const cookie = await readCookie('staff');
  const listAmountsOfInvoices = async () =>
    (await readPage(`${shop.shop.url}/admin/invoices`, cookie)).texts.filter((text) => /\d\.\d\d$/.test(text));
  // Issued by a job.
  await waitUntil(async () => (await listAmountsOfInvoices()).includes('1,019.00'));
  assert.deepEqual(await listAmountsOfInvoices(), [
    '1,019.00',
    '111.00',
    '17.72',
    '76.91',
    '12.28',
    '1,075.76',
    '171.76',
  ]);
});

test('[OPS-10] the units of a variant stand beside their labels', async () => {
  const buyerOfThree = await shop.createBuyer();
  await shop.setStock(10);
  assert.equal((await shop.checkout(buyerOfThree)).status, 201);
  const inventory = await read('/admin/inventory?q=iphone+air', 'staff');
  assert.match(inventory, /<input[^>]* aria-label="On hand: iPhone Air[^>]* value="12"/);
  const cells = [...inventory.matchAll(/data-title="(Reserved|Committed|Available)">(?:<[^>]+>)?(\d+)</g)];
  assert.deepEqual(
    cells.slice(0, 3).map(([, title, units]) => [title, units]),
    [
      ['Reserved', '1'],
      ['Committed', '2'],
      ['Available', '9'],
    ],
  );
});

test('[OPS-14] the list of customers begins with the newest account', async () => {
  const { texts } = await readPage(`${shop.shop.url}/admin/customers`, await readCookie('staff'));
  assert.deepEqual(
    texts.filter((text) => /^refunded-\d$/.test(text)),
    ['refunded-3', 'refunded-2', 'refunded-1'],
  );
});
