/** Refunds of units of lines over HTTP, with shipping, tax, credit notes and mails. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GERMAN_TAX, PAID_SHIPPING, logInAs, putSettings } from './support/charge-settings.ts';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop, refundAmount } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
let owner: string;
before(async () => {
  shop = await openRefundShop();
  owner = await logInAs(shop.shop, 'owner');
  assert.equal((await putSettings(shop.shop, 'tax', GERMAN_TAX, owner)).status, 200);
  assert.equal((await putSettings(shop.shop, 'shipping', PAID_SHIPPING, owner)).status, 200);
});
after(() => shop.shop.stop());

const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const get = async (path: string, token: string): Promise<unknown> => {
  const { body, status } = await shop.shop.api('GET', path, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

interface Choice {
  readonly units: readonly { readonly position: number; readonly quantity: number; readonly shipped: boolean }[];
  readonly shipping?: boolean;
  readonly restock?: boolean;
}
const toBody = ({ restock = false, shipping = false, units }: Choice) => ({
  covers: 'lines',
  from: 'any-wallet',
  lines: { units, shipping, restock, reason: 'Returned by the buyer' },
});
const units = (quantity: number, shipped = false) => [{ position: 0, quantity, shipped }];

/** A paid order of three units of $999 with shipping and tax, and a confirmed refund address. */
async function createOrder(): Promise<{ readonly buyer: Buyer; readonly id: string; readonly address: string }> {
  const buyer = await shop.createBuyer();
  const cart = await shop.shop.api('GET', '/cart', { token: buyer.token });
  const body = { product_id: textAt(cart.body, 'cart_items', 0, 'product_id'), quantity: 2 };
  assert.equal((await shop.shop.api('POST', '/cart/add', { token: buyer.token, body })).status, 200);
  const billing = { ...BILLING, region: 'Europe', country: 'DE', postcode: '10115' };
  const placed = await shop.shop.api('POST', '/cart/checkout', { token: buyer.token, body: billing });
  const id = textAt(placed.body, 'order', 'id');
  await shop.callDemoTool('pay', { order_id: id });
  await shop.mine(6);
  const { address } = testKey();
  await shop.confirmAddress(buyer, id, address);
  return { buyer, id, address };
}

const record = async (refund: unknown, byte: string): Promise<void> => {
  const recorded = await shop.post(`/refunds/${textAt(refund, 'id')}/record`, { txid: byte.repeat(32) });
  assert.equal(recorded.status, 200, JSON.stringify(recorded.body));
};

interface Document {
  readonly kind: string;
  readonly total: number;
}
const listDocuments = async (id: string): Promise<readonly Document[]> =>
  listAt(await get(`/support/orders/${id}/invoices`, shop.staff), 'invoices').map((one) => ({
    kind: textAt(one, 'kind'),
    total: numberAt(one, 'total_usd'),
  }));
async function waitForDocuments(id: string, count: number): Promise<readonly Document[]> {
  await waitUntil(async () => (await listDocuments(id)).length >= count);
  return listDocuments(id);
}
const waitForMail = (buyer: Buyer, pattern: RegExp): Promise<void> =>
  waitUntil(async () => (await shop.listMailsTo(buyer)).some((mail) => pattern.test(mail)));
const toCents = (dollars: number): number => Math.round(dollars * 100);

test('[PAY-13] [OPS-16] units are refunded once, with a credit note for each refund', async () => {
  const { buyer, id } = await createOrder();
  const order = valueAt(await get(`/orders/${id}`, buyer.token), 'order');
  const [total, due] = [numberAt(order, 'total_usd_after'), numberAt(order, 'payment', 'amount_btc')];
  assert.equal(numberAt(order, 'shipping_usd'), 4.9);
  assert.equal(readErrorCode(await shop.requestRefund(id, { covers: 'lines' })), '400 invalid');
  assert.equal(
    readErrorCode(await shop.requestRefund(id, { ...toBody({ units: units(1) }), covers: 'whole' })),
    '400 invalid',
  );
  const twice = [...units(1), ...units(1)];
  assert.equal(readErrorCode(await shop.requestRefund(id, toBody({ units: twice }))), '400 invalid');
  assert.equal(readErrorCode(await shop.requestRefund(id, toBody({ units: [] }))), '409 nothing-to-refund');
  assert.equal(readErrorCode(await shop.requestRefund(id, toBody({ units: units(4) }))), '409 too-many-units');
  assert.equal(readErrorCode(await shop.requestRefund(id, toBody({ units: units(1, true) }))), '409 too-many-units');
  assert.equal(readErrorCode(await shop.requestRefund(id, toBody({ units: units(3) }))), '409 shipping-due');

  const refund = await shop.createRefund(id, toBody({ units: units(1) }));
  // Composed when it is sent: once the refund is recorded it would say so.
  await waitForMail(buyer, /we are refunding 1 × iPhone Air.* of order/);
  assert.equal(numberAt(refund, 'lines', 'total_usd'), 999);
  assert.equal(numberAt(refund, 'debit_btc'), Math.floor((due * 1e8 * 99_900) / toCents(total)) / 1e8);
  assert.equal(refundAmount(refund), 0.009, 'the dollars at the rate of the refund');
  assert.equal(readErrorCode(await shop.requestRefund(id, toBody({ units: units(1) }))), '409 refund-open');
  await record(refund, 'a1');
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'paid' });
  assert.deepEqual(await waitForDocuments(id, 2), [
    { kind: 'invoice', total },
    { kind: 'credit_note', total: 999 },
  ]);

  await waitForMail(buyer, /we refunded 1 × iPhone Air.*\n*.*\$999\.00/s);
  const { refunds } = await shop.readTimeline(buyer, id);
  assert.equal(textAt(refunds, 0, 'lines', 'items', 0, 'name').startsWith('iPhone Air'), true);

  // The rest of the order: all sums are those of the order.
  await record(await shop.createRefund(id, toBody({ units: units(2), shipping: true, restock: true })), 'a2');
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });
  const documents = await waitForDocuments(id, 3);
  const credited = documents.filter(({ kind }) => kind === 'credit_note').map(({ total: sum }) => toCents(sum));
  assert.equal(
    credited.reduce((sum, one) => sum + one, 0),
    toCents(total),
  );
  const refunded = listAt(await shop.readRefunds(id), 'refunds');
  const addUp = (field: string): number =>
    Math.round(refunded.reduce<number>((sum, one) => sum + numberAt(one, field) * 1e8, 0));
  assert.equal(addUp('debit_btc'), Math.round(due * 1e8), 'all of what was received');
  // The amount due was rounded up to a payable one; the dollars are exact.
  assert.ok(Math.abs(addUp('amount_btc') - (toCents(total) * 1e8) / 11_100_000) <= refunded.length);
});

test('[OPS-16] the credit note of a withdrawn refund of lines is reversed', async () => {
  const { buyer, id } = await createOrder();
  const refund = await shop.createRefund(id, toBody({ units: units(1) }));
  await record(refund, 'b1');
  await waitForDocuments(id, 2);
  assert.equal((await shop.post(`/refunds/${textAt(refund, 'id')}/undo-record`, { reason: 'Not sent' })).status, 200);
  assert.equal((await shop.post(`/refunds/${textAt(refund, 'id')}/withdraw`)).status, 200);
  const documents = await waitForDocuments(id, 3);
  assert.deepEqual(documents.slice(1), [
    { kind: 'credit_note', total: 999 },
    { kind: 'invoice', total: 999 },
  ]);
  // Sent without a refund made in the shop.
  const elsewhere = await shop.post(`/orders/${id}/refunds/elsewhere`, {
    covers: 'lines',
    lines: toBody({ units: units(1), shipping: true }).lines,
    txid: 'b2'.repeat(32),
    address: testKey().address,
    reason: 'Paid by hand',
  });
  assert.equal(elsewhere.status, 201, JSON.stringify(elsewhere.body));
  assert.deepEqual((await waitForDocuments(id, 4)).at(-1), { kind: 'credit_note', total: 1003.9 });
  assert.equal((await shop.order(buyer, id)).status, 'paid');
});

test('[OPS-13] refunded units leave the queue and the pick list', async () => {
  const { id } = await createOrder();
  const readToShip = async (): Promise<unknown> =>
    valueAt(await get(`/support/fulfilment?ids=${id}`, shop.staff), 'orders', 0);
  const isQueued = async (): Promise<boolean> => {
    const orders = listAt(await get('/support/orders?queue=to-ship', shop.staff), 'orders');
    return orders.some((one) => textAt(one, 'id') === id);
  };
  assert.equal(
    (
      await shop.post(`/orders/${id}/ship`, {
        lines: units(1).map(({ position, quantity }) => ({ position, quantity })),
      })
    ).status,
    200,
  );
  assert.ok(await isQueued());
  const refund = await shop.createRefund(id, toBody({ units: [...units(2), ...units(1, true)] }));
  assert.equal(numberAt(await readToShip(), 'lines', 0, 'refunded_unshipped_quantity'), 2);
  assert.equal(textAt(await readToShip(), 'block'), 'shipped');
  assert.ok(!(await isQueued()));
  assert.equal((await shop.post(`/refunds/${textAt(refund, 'id')}/withdraw`)).status, 200);
  assert.ok(await isQueued());
});

test('[PAY-13] [OPS-16] a refund of lines sent past the shop is found on the chain', async () => {
  const { address, buyer, id } = await createOrder();
  const { total } = (await waitForDocuments(id, 1))[0] ?? assert.fail();
  const invoice = { kind: 'invoice', total };
  const note = { kind: 'credit_note', total: 999 };
  const refund = await shop.createRefund(id, { ...toBody({ units: units(1) }), from: 'coins' });
  const signed = shop.sign(refund);
  await shop.toNetwork(signed.raw);
  await shop.syncChain();
  assert.deepEqual(await shop.listStates(id), [['sent', signed.txid]]);
  assert.deepEqual(await listDocuments(id), [invoice], 'an unconfirmed refund has no credit note');
  await shop.mine(6);
  assert.deepEqual(await shop.listStates(id), [['confirmed', signed.txid]]);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'paid' });
  assert.deepEqual(await waitForDocuments(id, 2), [invoice, note]);
  await shop.callDemoTool('reorg', { depth: 6 });
  assert.deepEqual(await shop.listStates(id), [['sent', signed.txid]]);
  await shop.mine(6);
  assert.deepEqual(await shop.listStates(id), [['confirmed', signed.txid]]);

  // Another wallet of the merchant pays the exact amount.
  const other = await shop.createRefund(id, toBody({ units: units(1) }));
  const donor = await createOrder();
  const plan = await shop.createRefund(donor.id, { covers: 'whole', fee_paid_by: 'buyer' });
  const paid = shop.payElsewhere(plan, address, refundAmount(other));
  assert.equal((await shop.post(`/refunds/${textAt(plan, 'id')}/withdraw`)).status, 200);
  await shop.toNetwork(paid.raw);
  await shop.mine(6);
  assert.deepEqual(await shop.listStates(id), [
    ['confirmed', signed.txid],
    ['confirmed', paid.txid],
  ]);
  assert.deepEqual(await waitForDocuments(id, 3), [invoice, note, note], 'the reorganization added none');
  await waitUntil(async () => {
    const mails = await shop.listMailsTo(buyer);
    return [signed.txid, paid.txid].every((txid) => mails.some((mail) => mail.includes(txid)));
  });
});
