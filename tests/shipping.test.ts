/** Shipping and delivery over HTTP: permissions, conditions and notifications. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import './support/built-pages.ts';
import { LiveClient } from './support/live-client.ts';
import { createOrder } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const ABSENT = '019a0000-0000-7000-8000-000000000000';
/** With spaces, as couriers write it, and with HTML that must be escaped. */
const REFERENCE = 'RR 123 456 785 GB <b>&';

let shop: TestShop;
let staff: string;
const clients: LiveClient[] = [];
before(async () => {
  shop = await startTestShop();
  staff = await signIn('staff');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
after(() => shop.stop());

async function signIn(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}
async function callDemoTool(path: string, body: unknown): Promise<unknown> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
const ship = (orderId: string, body: unknown = {}, token = staff): Promise<ApiResponse> =>
  shop.api('POST', `/orders/${orderId}/ship`, { token, body });
const deliver = (orderId: string, token = staff): Promise<ApiResponse> =>
  shop.api('POST', `/orders/${orderId}/deliver`, { token });
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

let buyers = 0;
const placeOrder = (): Promise<NewOrder> => createOrder(shop, `receiver-${(buyers += 1)}`);
async function placePaidOrder(): Promise<NewOrder> {
  const order = await placeOrder();
  await callDemoTool('pay', { order_id: order.id });
  await callDemoTool('mine', { blocks: 3 });
  assert.equal(textAt(await readOrder(order), 'payment_status'), 'paid');
  return order;
}
const readOrder = async ({ token, id }: NewOrder): Promise<unknown> =>
  valueAt((await shop.api('GET', `/orders/${id}`, { token })).body, 'order');
const readTimeline = async ({ token, id }: NewOrder): Promise<unknown> =>
  (await shop.api('GET', `/orders/${id}/timeline`, { token })).body;
async function listMails({ email }: NewOrder, subject: string): Promise<readonly unknown[]> {
  const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`);
  return listAt(body).filter((mail) => textAt(mail, 'subject') === subject);
}

test('[OPS-03] [API-06] shipping updates order and timeline, sends one mail and a notification', async () => {
  const order = await placePaidOrder();
  const { id: orderId, number, token } = order;
  const client = await new LiveClient(shop.url).signIn(token);
  clients.push(client);
  await waitUntil(() => client.listStates(orderId).at(-1) === 'paid');
  const statesBefore = client.listStates(orderId).length;

  const shipped = await ship(orderId, { tracking_reference: ` ${REFERENCE} ` });
  assert.equal(shipped.status, 200, JSON.stringify(shipped.body));
  assert.equal(textAt(shipped.body, 'order', 'fulfilment_status'), 'shipped');
  await waitUntil(() => client.listStates(orderId).length > statesBefore);
  assert.deepEqual(await readOrder(order), valueAt(shipped.body, 'order'));
  const { body: history } = await shop.api('POST', '/orders/history', { token });
  assert.equal(textAt(history, 'orders', 0, 'fulfilment_status'), 'shipped');

  const subject = `Order ${number} is on its way`;
  await waitUntil(async () => (await listMails(order, subject)).length > 0);
  // Idempotent, also for another staff member.
  assert.deepEqual((await ship(orderId, { tracking_reference: REFERENCE })).body, shipped.body);
  assert.deepEqual((await ship(orderId, {}, await signIn('owner'))).body, shipped.body);
  assert.equal(readErrorCode(await ship(orderId, { tracking_reference: 'another' })), '409 shipped-otherwise');

  const delivered = await deliver(orderId);
  assert.equal(textAt(delivered.body, 'order', 'fulfilment_status'), 'delivered');
  assert.deepEqual((await deliver(orderId)).body, delivered.body);
  const timeline = await readTimeline(order);
  const events = listAt(timeline, 'timeline').map((event) => `${textAt(event, 'kind')}: ${textAt(event, 'text')}`);
  assert.deepEqual(events.slice(-2), ['shipped: Handed to the courier', 'delivered: Delivered']);
  assert.equal(textAt(timeline, 'tracking_reference'), REFERENCE);

  const next = await placePaidOrder();
  await waitUntil(async () => (await listMails(next, `Receipt for order ${next.number}`)).length > 0);
  const mails = await listMails(order, subject);
  assert.equal(mails.length, 1);
  const [mail] = mails;
  const link = `${shop.url.replace('127.0.0.1', 'localhost')}/dashboard/orders/${orderId}`;
  for (const part of [number, REFERENCE, link]) assert.ok(textAt(mail, 'text').includes(part), part);
  for (const part of [number, 'RR 123 456 785 GB &lt;b&gt;&amp;', link]) {
    assert.ok(textAt(mail, 'html').includes(part), part);
  }
  assert.ok(!textAt(mail, 'html').includes('GB <b>'));
});

test('[OPS-03] a shipment without a reference is mailed without one', async () => {
  const order = await placePaidOrder();
  assert.equal((await ship(order.id)).status, 200);
  assert.equal(valueAt(await readTimeline(order), 'tracking_reference'), null);
  const subject = `Order ${order.number} is on its way`;
  await waitUntil(async () => (await listMails(order, subject)).length > 0);
  const [mail] = await listMails(order, subject);
  assert.doesNotMatch(textAt(mail, 'text'), /reference/i);
});

test('[OPS-03] [PAY-12] refuses unpaid and reorganised orders, and customers', async () => {
  const order = await placeOrder();
  const { id: orderId, token } = order;
  assert.equal(readErrorCode(await ship(orderId)), '409 not-paid');
  await callDemoTool('pay', { order_id: orderId });
  await shop.api('PUT', '/orders/paid', { token, body: { order_id: orderId } });
  assert.equal(readErrorCode(await ship(orderId)), '409 not-paid', 'a payment that is only seen does not count');
  await callDemoTool('mine', { blocks: 3 });
  assert.equal(readErrorCode(await deliver(orderId)), '409 not-shipped');
  for (const response of [await ship(orderId, {}, token), await deliver(orderId, token)]) {
    assert.equal(readErrorCode(response), '403 forbidden');
  }
  assert.equal(readErrorCode(await shop.api('POST', `/orders/${orderId}/ship`, { body: {} })), '401 unauthenticated');

  await callDemoTool('reorg', { depth: 4 });
  assert.equal(textAt(await readOrder(order), 'payment', 'state'), 'reorged_out');
  assert.equal(readErrorCode(await ship(orderId)), '409 shipping-held');
  assert.equal(textAt(await readOrder(order), 'fulfilment_status'), 'unfulfilled');
  await callDemoTool('mine', { blocks: 3 });
  assert.equal((await ship(orderId)).status, 200);

  assert.equal(readErrorCode(await ship(ABSENT)), '404 not-found');
  assert.equal(readErrorCode(await deliver(ABSENT)), '404 not-found');
  for (const tracking_reference of ['', '   ', 'two\nlines', 'x'.repeat(101), null, 7]) {
    const response = await ship(orderId, { tracking_reference });
    assert.equal(readErrorCode(response), '400 invalid', JSON.stringify(tracking_reference));
  }
});
