/** Staff tasks about payments and their actions, over HTTP, with a devchain. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { findFirstProduct, createOrder } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { setStock, readStock } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const ABSENT = '019a0000-0000-7000-8000-000000000000';
const SUPPORT = 'support@shop.example';
const REASON = 'A gesture for the long wait <b>&';

let shop: TestShop;
let productId: string;
let staff: string;
before(async () => {
  shop = await startTestShop();
  productId = await findFirstProduct(shop);
  await setStock(shop, productId, 100);
  staff = await signIn('staff');
});
afterEach(() => callDemoTool('clock', { offset_s: 0 }));
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
const expire = (): Promise<unknown> => callDemoTool('clock', { offset_s: 7300 });
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

let buyers = 0;
const placeOrder = (): Promise<NewOrder> => createOrder(shop, `payer-${(buyers += 1)}`);
const pay = (id: string, amount?: number): Promise<unknown> =>
  callDemoTool('pay', { order_id: id, ...(amount === undefined ? {} : { amount_btc: amount }) });
const mine = (blocks = 3): Promise<unknown> => callDemoTool('mine', { blocks });
const roundBtc = (btc: number): number => Math.round(btc * 1e8) / 1e8;

const acceptAsPaid = (id: string, reason: unknown = REASON, token = staff): Promise<ApiResponse> =>
  shop.api('POST', `/orders/${id}/settle`, { token, body: { reason } });
async function listTasks(): Promise<readonly unknown[]> {
  const { body, status } = await shop.api('GET', '/payments/attention', { token: staff });
  assert.equal(status, 200);
  assert.equal(listAt(body, 'orders').length, numberAt(body, 'total'));
  return listAt(body, 'orders');
}
async function readTask(id: string): Promise<string | null> {
  const task = (await listTasks()).find((one) => textAt(one, 'order_id') === id);
  return task === undefined ? null : textAt(task, 'kind');
}
async function readOrder(id: string): Promise<unknown> {
  const { body, status } = await shop.api('GET', `/support/orders/${id}`, { token: staff });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
const listStaffMails = async (subject: string): Promise<readonly unknown[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(SUPPORT)}`)).body).filter(
    (mail) => textAt(mail, 'subject') === subject,
  );
/** Number of staff mails with this title about an order. */
const countStaffMails = async ({ number }: NewOrder, title: string): Promise<number> =>
  (await listStaffMails(`Order ${number}: ${title}`)).length;

test('[OPS-03] [PAY-10] staff accept an expired partial payment with a private reason', async () => {
  const order = await placeOrder();
  const { id, due, token } = order;
  const part = roundBtc(due - 0.0005);
  await pay(id, part);
  await mine();
  assert.equal(await readTask(id), null, 'the payment window is open');
  const { available } = await readStock(shop, productId);
  await expire();
  await waitUntil(async () => (await readTask(id)) === 'underpaid-over');
  const listed = (await listTasks()).find((one) => textAt(one, 'order_id') === id);
  assert.deepEqual(
    ['number', 'username', 'state', 'received_btc', 'due_btc', 'has_refund_address'].map((key) => valueAt(listed, key)),
    [order.number, order.username, 'underpaid', part, due, false],
  );
  const title = 'Partly paid and expired';
  await waitUntil(async () => (await countStaffMails(order, title)) === 1);
  const unsettled = await readOrder(id);
  assert.deepEqual(valueAt(unsettled, 'settling'), { amount_btc: part, refusal: null });
  assert.equal(textAt(unsettled, 'attention', 'kind'), 'underpaid-over');

  const settled = await acceptAsPaid(id);
  assert.equal(settled.status, 200, JSON.stringify(settled.body));
  assert.equal(textAt(settled.body, 'order', 'payment_status'), 'paid');
  assert.equal((await readStock(shop, productId)).available, available, 'its stock is sold again');
  assert.deepEqual((await acceptAsPaid(id, 'another reason')).body, settled.body, 'a repeat is idempotent');
  assert.equal(await readTask(id), null);
  const { body: timeline } = await shop.api('GET', `/orders/${id}/timeline`, { token });
  assert.ok(!JSON.stringify(timeline).includes('gesture'), 'only staff see the reason');
  const events = listAt(await readOrder(id), 'timeline');
  const event = events.find((one) => textAt(one, 'kind') === 'settled');
  assert.deepEqual([textAt(event, 'note'), textAt(event, 'by')], [REASON, 'staff']);
  assert.equal(events.filter((one) => ['settled', 'paid'].includes(textAt(one, 'kind'))).length, 2);
  const receipt = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(`${order.username}@stock.example`)}`);
  assert.ok(!JSON.stringify(receipt.body).includes('gesture'));
  assert.equal(await countStaffMails(order, title), 1);
});

test('[OPS-03] [PAY-11] lists and mails a paid cancelled order, which staff can accept', async () => {
  const order = await placeOrder();
  const { id, token } = order;
  assert.equal((await shop.api('POST', `/orders/${id}/cancel`, { token })).status, 200);
  assert.equal(readErrorCode(await acceptAsPaid(id)), '409 nothing-received');
  await pay(id, order.due);
  await waitUntil(async () => (await countStaffMails(order, 'Payment for a cancelled order')) === 1);
  assert.equal(await readTask(id), 'cancelled-paid');
  assert.equal(readErrorCode(await acceptAsPaid(id)), '409 not-confirmed');
  await mine(6);
  await setStock(shop, productId, 0);
  assert.equal(readErrorCode(await acceptAsPaid(id)), '409 sold-out');
  await setStock(shop, productId, 100);
  assert.equal(textAt((await acceptAsPaid(id)).body, 'order', 'payment_status'), 'paid');
  assert.equal(readErrorCode(await acceptAsPaid((await placeOrder()).id)), '409 nothing-received');
  assert.equal(await countStaffMails(order, 'Payment for a cancelled order'), 1);
});

test('[PAY-09] [PAY-12] notifies staff of overpaid and reorganised orders, and holds shipping', async () => {
  const order = await placeOrder();
  const { id, due } = order;
  await pay(id, roundBtc(due + 0.001));
  await mine();
  await waitUntil(async () => (await readTask(id)) === 'surplus');
  const listed = (await listTasks()).find((one) => textAt(one, 'order_id') === id);
  assert.equal(numberAt(listed, 'surplus_btc'), 0.001);
  await waitUntil(async () => (await countStaffMails(order, 'Overpaid')) === 1);
  assert.equal(readErrorCode(await acceptAsPaid(id)), '409 already-paid');
  await callDemoTool('reorg', { depth: 4 });
  const title = 'Do not ship: payment not confirmed';
  await waitUntil(async () => (await countStaffMails(order, title)) === 1);
  assert.equal(await readTask(id), 'reorged-out');
  assert.equal((await listTasks())[0] && textAt((await listTasks())[0], 'order_id'), id, 'the newest is the first');
  const ship = await shop.api('POST', `/orders/${id}/ship`, { token: staff, body: {} });
  assert.equal(readErrorCode(ship), '409 shipping-held');
  await mine();
  await waitUntil(async () => (await readTask(id)) === 'surplus');
  assert.equal(await countStaffMails(order, title), 1);
});

test('[PAY-12] [OPS-03] staff cancel a double-spent order, and its buyer gets a mail', async () => {
  const order = await placeOrder();
  const { id, token, email, number } = order;
  const cancelByStaff = (as = staff): Promise<ApiResponse> =>
    shop.api('POST', `/orders/${id}/give-up`, { token: as, body: { reason: REASON } });
  const stockBefore = await readStock(shop, productId);
  const txid = textAt(await pay(id), 'txid');
  await mine();
  assert.equal(textAt(await readOrder(id), 'order', 'payment_status'), 'paid');
  assert.equal(readErrorCode(await cancelByStaff()), '409 not-taken-back');
  await callDemoTool('reorg', { depth: 4 });
  await waitUntil(async () => (await readTask(id)) === 'reorged-out');
  assert.equal(readErrorCode(await cancelByStaff()), '409 payment-live');
  await callDemoTool('replace', { txid });
  await mine();
  await waitUntil(async () => valueAt(await readOrder(id), 'can_be_given_up') === true);
  assert.equal(readErrorCode(await cancelByStaff(token)), '403 forbidden');
  assert.equal(textAt((await cancelByStaff()).body, 'order', 'payment_status'), 'cancelled');
  assert.equal((await cancelByStaff()).status, 200, 'a repeat is idempotent');
  assert.equal(await readTask(id), null);
  assert.deepEqual(await readStock(shop, productId), {
    available: stockBefore.available + 1,
    held: stockBefore.held - 1,
  });
  const { body } = await shop.api('GET', `/orders/${id}/timeline`, { token });
  assert.ok(!JSON.stringify(body).includes('long wait'), 'only staff see the reason');
  const listMails = async () => listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body);
  const isCancellationMail = (mail: unknown): boolean => textAt(mail, 'subject') === `Order ${number} is cancelled`;
  await waitUntil(async () => (await listMails()).some(isCancellationMail));
  const mail = textAt((await listMails()).find(isCancellationMail), 'text');
  assert.match(mail, /its payment lost its confirmations and did not return/);
  assert.ok(!mail.includes('back in your cart') && !mail.includes('long wait'));
});

async function listIds(query: string): Promise<readonly string[]> {
  const { body, status } = await shop.api('GET', `/support/orders?${query}`, { token: staff });
  assert.equal(status, 200, query);
  return listAt(body, 'orders').map((one) => textAt(one, 'id'));
}

test('[OPS-03] finds orders by number, transaction, address, name, status and state', async () => {
  const order = await placeOrder();
  const txid = textAt(await pay(order.id, 0.0001), 'txid');
  const address = textAt(await readOrder(order.id), 'address', 'address');
  const digits = order.number.slice(3);
  for (const q of [
    order.number,
    order.number.toLowerCase(),
    digits,
    txid,
    address,
    address.toUpperCase(),
    order.username,
  ]) {
    assert.ok((await listIds(`q=${encodeURIComponent(q)}`)).includes(order.id), q);
  }
  for (const q of ['CM-1', '999999999999999999', 'ab'.repeat(32), '%', '_', 'nobody']) {
    assert.deepEqual(await listIds(`q=${encodeURIComponent(q)}`), [], q);
  }
  assert.ok((await listIds('status=pending&state=underpaid')).includes(order.id));
  assert.deepEqual(await listIds('status=expired&state=paid'), []);
  assert.ok(!(await listIds('fulfilment=shipped')).includes(order.id));
  assert.deepEqual(await listIds('page=1000'), []);
  for (const query of ['status=nothing', 'state=', 'page=0', 'page=x', `q=${'x'.repeat(201)}`]) {
    assert.equal((await shop.api('GET', `/support/orders?${query}`, { token: staff })).status, 400, query);
  }
});

test('[OPS-03] [PAY-07] shows staff the buyer, ledger, amounts and address index', async () => {
  const order = await placeOrder();
  const txid = textAt(await pay(order.id, 0.0001), 'txid');
  await callDemoTool('replace', { txid });
  await pay(order.id, 0.0002);
  const details = await readOrder(order.id);
  assert.equal(textAt(details, 'buyer', 'username'), order.username);
  assert.equal(textAt(details, 'buyer', 'email'), `${order.username}@stock.example`);
  const index = numberAt(details, 'address', 'derivation_index');
  assert.equal(textAt(details, 'address', 'path'), `m/84h/1h/0h/0/${index}`);
  const outputs = listAt(details, 'outputs').map((one) => [
    valueAt(one, 'is_live'),
    valueAt(one, 'left_because'),
    valueAt(one, 'amount_btc'),
  ]);
  assert.deepEqual(outputs, [
    [false, 'replaced', 0.0001],
    [true, null, 0.0002],
  ]);
  assert.deepEqual(valueAt(details, 'settling'), { amount_btc: null, refusal: 'not-confirmed' });
  assert.equal(numberAt(details, 'missing_btc'), roundBtc(order.due - 0.0002));
});

test('[OPS-01] [OPS-03] refuses customers and guests, unknown orders and missing reasons', async () => {
  const { id, token } = await placeOrder();
  for (const path of ['/payments/attention', '/support/orders', `/support/orders/${id}`]) {
    assert.equal(readErrorCode(await shop.api('GET', path, { token })), '403 forbidden', path);
    assert.equal(readErrorCode(await shop.api('GET', path)), '401 unauthenticated', path);
  }
  assert.equal(readErrorCode(await acceptAsPaid(id, REASON, token)), '403 forbidden');
  assert.equal(readErrorCode(await acceptAsPaid(ABSENT)), '404 not-found');
  assert.equal(readErrorCode(await shop.api('GET', `/support/orders/${ABSENT}`, { token: staff })), '404 not-found');
  for (const reason of ['', '  ', 'x'.repeat(501), null, 7])
    assert.equal(readErrorCode(await acceptAsPaid(id, reason)), '400 invalid');
});

// Last, since another rate requires a restart.
test('[OPS-03] [PAY-10] staff accept a late payment whose rate changed too much', async () => {
  const order = await placeOrder();
  await expire();
  await waitUntil(async () => textAt(await readOrder(order.id), 'order', 'payment_status') === 'expired');
  await shop.restart({ RATE_SOURCE: 'fixed:90000.00' });
  await expire();
  await pay(order.id, order.due);
  await waitUntil(async () => (await readTask(order.id)) === 'late-confirming');
  await mine(6);
  await waitUntil(async () => (await readTask(order.id)) === 'late-rate');
  await waitUntil(async () => (await countStaffMails(order, 'Paid late, price changed')) === 1);
  const listed = (await listTasks()).find((one) => textAt(one, 'order_id') === order.id);
  assert.ok(numberAt(listed, 'present_btc') > order.due);
  assert.equal(textAt((await acceptAsPaid(order.id)).body, 'order', 'payment_status'), 'paid');
  assert.equal(numberAt(await readOrder(order.id), 'settled_btc'), order.due);
});
