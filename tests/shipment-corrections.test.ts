/** Corrections of recorded parcels, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { readErrorCode } from './support/support-fixtures.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
before(async () => {
  shop = await openRefundShop();
});
after(() => shop.shop.stop());

interface Order {
  readonly buyer: Buyer;
  readonly id: string;
}

/** A paid order of two units. */
async function createOrder(): Promise<Order> {
  const buyer = await shop.createBuyer();
  const cart = await shop.shop.api('GET', '/cart', { token: buyer.token });
  const body = { product_id: textAt(cart.body, 'cart_items', 0, 'product_id'), quantity: 1 };
  await shop.shop.api('POST', '/cart/add', { token: buyer.token, body });
  const placed = await shop.shop.api('POST', '/cart/checkout', { token: buyer.token, body: BILLING });
  const id = textAt(placed.body, 'order', 'id');
  await shop.callDemoTool('pay', { order_id: id });
  await shop.mine(6);
  return { buyer, id };
}

const ship = (id: string, number: number, reference: string, quantity = 2) =>
  shop.post(`/orders/${id}/ship`, { number, tracking_reference: reference, lines: [{ position: 0, quantity }] });
const undo = (id: string, number: number, token = shop.staff) =>
  shop.post(`/orders/${id}/shipments/${number}/undo`, {}, token);
const correct = (id: string, number: number, reference: string | null, carrier: string | null = null) =>
  shop.shop.api('PUT', `/orders/${id}/shipments/${number}`, {
    token: shop.staff,
    body: { ...(reference && { tracking_reference: reference }), ...(carrier && { carrier_id: carrier }) },
  });
const succeed = async (called: Promise<{ readonly status: number; readonly body: unknown }>): Promise<void> => {
  const { body, status } = await called;
  assert.equal(status, 200, JSON.stringify(body));
};

const readParcels = async ({ buyer, id }: Order) => {
  const { body } = await shop.shop.api('GET', `/orders/${id}/timeline`, { token: buyer.token });
  return listAt(body, 'shipments').map(
    (one) => `${numberAt(one, 'number')} ${String(valueAt(one, 'tracking_number'))}`,
  );
};
const readStatus = async ({ buyer, id }: Order): Promise<string> =>
  textAt((await shop.shop.api('GET', `/orders/${id}`, { token: buyer.token })).body, 'order', 'fulfilment_status');
const waitForMail = (buyer: Buyer, pattern: RegExp): Promise<void> =>
  waitUntil(async () => (await shop.listMailsTo(buyer)).some((mail) => pattern.test(mail)));
const readCommitted = (): Promise<number> =>
  runWithShopDatabase(shop.shop, async (db) => {
    const { rows } = await sql<{
      sum: number;
    }>`select coalesce(sum(quantity), 0)::integer as sum from committed_stock`.execute(db);
    return rows[0]?.sum ?? 0;
  });

test('[OPS-13] corrects tracking details with a mail, once', async () => {
  const order = await createOrder();
  const { buyer, id } = order;
  await succeed(ship(id, 1, 'WRONG1'));
  await waitForMail(buyer, /WRONG1/);
  assert.equal(readErrorCode(await correct(id, 2, 'X')), '409 no-shipment');
  assert.equal(readErrorCode(await correct(id, 1, 'X', '019a0000-0000-7000-9000-0000000000ff')), '409 unknown-carrier');
  const dhl = '019a0000-0000-7000-9000-000000000001';
  await succeed(correct(id, 1, 'RIGHT1', dhl));
  await succeed(correct(id, 1, 'RIGHT1', dhl));
  assert.deepEqual(await readParcels(order), ['1 RIGHT1']);
  await waitForMail(buyer, /corrected tracking details[\s\S]*RIGHT1[\s\S]*dhl\.com[^\s]*RIGHT1/);
  const { kinds } = await shop.readTimeline(buyer, id);
  assert.equal(kinds.filter((kind) => kind === 'tracking_corrected').length, 1);
  // Also after the delivery, and without a reference.
  await succeed(shop.post(`/orders/${id}/deliver`));
  await succeed(correct(id, 1, null));
  assert.deepEqual(await readParcels(order), ['1 null']);
  const { body } = await shop.shop.api('GET', `/orders/${id}/timeline`, { token: buyer.token });
  assert.equal(valueAt(body, 'tracking_reference'), null);
});

test('[OPS-13] undoes a parcel: status, stock, mail, timeline and number', async () => {
  const reserved = await readCommitted();
  const order = await createOrder();
  const { buyer, id } = order;
  assert.equal(await readCommitted(), reserved + 2);
  await succeed(ship(id, 1, 'FIRST', 1));
  await succeed(ship(id, 2, 'SECOND', 1));
  assert.equal(await readStatus(order), 'shipped');
  assert.equal(await readCommitted(), reserved);
  await succeed(undo(id, 1));
  await succeed(undo(id, 1));
  assert.equal(await readStatus(order), 'partly_shipped');
  assert.deepEqual(await readParcels(order), ['2 SECOND']);
  assert.equal(await readCommitted(), reserved + 1);
  await waitForMail(buyer, /a parcel is not on its way yet/);
  await succeed(undo(id, 2));
  assert.equal(await readStatus(order), 'unfulfilled');
  assert.equal(await readCommitted(), reserved + 2);
  // A repeat of an undone request records nothing.
  assert.equal(readErrorCode(await ship(id, 2, 'SECOND', 1)), '409 shipment-exists');
  const { body } = await shop.shop.api('GET', `/support/fulfilment?ids=${id}`, { token: shop.staff });
  assert.equal(numberAt(body, 'orders', 0, 'next_shipment'), 3);
  await succeed(ship(id, 3, 'THIRD'));
  await waitForMail(buyer, /is on its way[\s\S]*THIRD/);
  const { kinds } = await shop.readTimeline(buyer, id);
  assert.deepEqual(kinds.slice(-5), ['partly_shipped', 'shipped', 'shipment_undone', 'shipment_undone', 'shipped']);
  assert.equal(readErrorCode(await undo(id, 3, buyer.token)), '403 forbidden');
});

test('[OPS-13] an undone parcel is neither delivered nor refunded', async () => {
  const order = await createOrder();
  const { buyer, id } = order;
  await succeed(ship(id, 1, 'A1'));
  await shop.confirmAddress(buyer, id, testKey().address);
  const units = [{ position: 0, quantity: 1, shipped: true }];
  const lines = { units, shipping: false, restock: false, reason: 'Returned by the buyer' };
  const [undone, requested] = await Promise.all([
    undo(id, 1),
    shop.requestRefund(id, { covers: 'lines', from: 'any-wallet', lines }),
  ]);
  // One of them is first, and the other one is refused.
  assert.equal(Math.max(undone.status, requested.status), 409);
  assert.equal(undone.status === 200, requested.status === 409);
  if (undone.status !== 200) assert.equal(readErrorCode(undone), '409 parcel-refunded');

  for (let round = 0; round < 4; round += 1) {
    const raced = await createOrder();
    await succeed(ship(raced.id, 1, 'R1'));
    const [taken, delivered] = await Promise.all([undo(raced.id, 1), shop.post(`/orders/${raced.id}/deliver`)]);
    assert.notEqual(taken.status, delivered.status);
    const status = await readStatus(raced);
    assert.equal(status, taken.status === 200 ? 'unfulfilled' : 'delivered');
    assert.equal(
      readErrorCode(taken.status === 200 ? delivered : taken),
      `409 ${taken.status === 200 ? 'not-shipped' : 'delivered'}`,
    );
  }
});
