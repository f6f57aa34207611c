/** Payments that are double-spent for good, over HTTP, with a devchain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { createOrder } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const SUPPORT = 'support@shop.example';
const REASON = 'Double-spent by its buyer';

let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop({ settings: { SUPPORT_EMAIL: SUPPORT, DEVCHAIN_AUTOMINE: 'off' } });
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'staff', password: 'crypto-market' } });
  staff = textAt(body, 'tokens', 'accessToken');
});
after(() => shop.stop());

async function callDemoTool(path: string, body: unknown): Promise<unknown> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
const mine = (blocks: number): Promise<unknown> => callDemoTool('mine', { blocks });
const post = (path: string, body: unknown = {}, token = staff): Promise<ApiResponse> =>
  shop.api('POST', path, { token, body });
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

let buyers = 0;
/** An order paid in equal parts, with the required confirmations. */
async function createPaidOrder(parts = 1): Promise<NewOrder & { readonly txids: readonly string[] }> {
  const order = await createOrder(shop, `loser-${(buyers += 1)}`);
  const txids: string[] = [];
  for (let part = 1; part <= parts; part += 1) {
    const amount = part === parts ? {} : { amount_btc: Math.floor((order.due * 1e8) / parts) / 1e8 };
    txids.push(textAt(await callDemoTool('pay', { order_id: order.id, ...amount }), 'txid'));
  }
  await mine(2);
  assert.equal(await readStatus(order), 'paid paid null');
  return { ...order, txids };
}
/** Undoes the blocks of the payment and confirms a conflict to this depth. */
async function doubleSpend(txid: string, confirmations: number): Promise<void> {
  await callDemoTool('reorg', { depth: 2 });
  await callDemoTool('replace', { txid });
  await mine(confirmations);
}
async function readStatus({ id, token }: NewOrder): Promise<string> {
  const { body } = await shop.api('GET', `/orders/${id}`, { token });
  const loss = valueAt(body, 'order', 'payment', 'loss');
  return `${textAt(body, 'order', 'payment_status')} ${textAt(body, 'order', 'payment', 'state')} ${String(loss)}`;
}
/** Mails without the terms of the order. */
async function listMailsTo(address: string): Promise<string[]> {
  const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(address)}`);
  return listAt(body).map((mail) => {
    const [text] = textAt(mail, 'text').split('This order was placed under the texts below');
    return `${textAt(mail, 'subject')}\n${text}`;
  });
}
const waitForMail = async (address: string, text: RegExp): Promise<string> => {
  let found: string | undefined;
  await waitUntil(async () => {
    found = (await listMailsTo(address)).find((mail) => text.test(mail));
    return found !== undefined;
  });
  return found ?? '';
};
async function readTask(id: string): Promise<string | null> {
  const { body } = await shop.api('GET', '/payments/attention', { token: staff });
  const task = listAt(body, 'orders').find((one) => textAt(one, 'order_id') === id);
  return task === undefined ? null : textAt(task, 'kind');
}
async function payPage({ id, token }: NewOrder): Promise<string> {
  const { body } = await shop.api('GET', `/orders/${id}/timeline`, { token });
  const page = await fetch(`${shop.url}${textAt(body, 'pay_path')}`);
  assert.equal(page.status, 200);
  return page.text();
}

test('[PAY-14] the buyer of a double-spent order pays a new quote', async () => {
  const order = await createPaidOrder();
  await doubleSpend(order.txids[0] ?? '', 1);
  assert.equal(await readStatus(order), 'user_paid reorged_out null');
  assert.equal(await readTask(order.id), 'reorged-out');
  const mayReturn = await payPage(order);
  assert.match(mayReturn, /don’t send it again/);
  assert.doesNotMatch(mayReturn, /QR code|Wallet address/, 'the page requests no payment');
  assert.equal(readErrorCode(await post(`/orders/${order.id}/requote`, {}, order.token)), '409 not-expired');

  await mine(1);
  assert.equal(await readStatus(order), 'user_paid reorged_out double_spent');
  assert.equal(await readTask(order.id), 'double-spent');
  assert.match(shop.readOutput(), /an order has a loss/);
  const isLost = await payPage(order);
  assert.match(isLost, /will not return/);
  assert.match(isLost, /Log in to pay again/);
  assert.doesNotMatch(isLost, /don’t send|mends itself|QR code/);
  assert.match(await waitForMail(order.email, /will not return/), /get a new price to pay again, or cancel the order/);
  await waitForMail(SUPPORT, new RegExp(`Order ${order.number}: The payment was double-spent`));

  const quoted = await post(`/orders/${order.id}/requote`, {}, order.token);
  assert.equal(quoted.status, 200, JSON.stringify(quoted.body));
  const page = await payPage(order);
  assert.match(page, /QR code/);
  assert.match(page, /Your last payment will not arrive/);
  assert.doesNotMatch(page, /don’t send|will not return/);
  assert.equal(await readTask(order.id), null, 'the buyer has to pay, so there is no staff task');
  await callDemoTool('pay', { order_id: order.id });
  await mine(2);
  assert.equal(await readStatus(order), 'paid paid null');
  await waitUntil(
    async () => (await listMailsTo(order.email)).filter((mail) => mail.startsWith('Receipt for order')).length === 2,
  );
});

test('[PAY-14] the buyer of a double-spent order can cancel it', async () => {
  const order = await createPaidOrder();
  await doubleSpend(order.txids[0] ?? '', 2);
  const cancelled = await post(`/orders/${order.id}/cancel`, {}, order.token);
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  assert.equal(await readTask(order.id), null);
});

test('[PAY-14] staff close a shipped, double-spent order as a loss', async () => {
  const order = await createPaidOrder();
  assert.equal(readErrorCode(await post(`/orders/${order.id}/close-as-loss`, { reason: REASON })), '409 already-paid');
  assert.equal((await post(`/orders/${order.id}/ship`)).status, 200);
  await doubleSpend(order.txids[0] ?? '', 2);
  assert.equal(await readTask(order.id), 'shipped-unpaid');
  await waitForMail(SUPPORT, new RegExp(`Order ${order.number}: Shipped, but not paid`));
  for (const [call, code] of [
    ['give-up', '409 shipped'],
    ['settle', '409 nothing-received'],
  ] as const) {
    assert.equal(readErrorCode(await post(`/orders/${order.id}/${call}`, { reason: REASON })), code);
  }
  const { body: details } = await shop.api('GET', `/support/orders/${order.id}`, { token: staff });
  assert.deepEqual([valueAt(details, 'can_be_closed_as_loss'), numberAt(details, 'lost_btc')], [true, order.due]);
  assert.equal(
    readErrorCode(await post(`/orders/${order.id}/close-as-loss`, { reason: REASON }, order.token)),
    '403 forbidden',
  );
  assert.equal(readErrorCode(await post(`/orders/${order.id}/close-as-loss`, {})), '400 invalid');
  const closed = await post(`/orders/${order.id}/close-as-loss`, { reason: REASON });
  assert.equal(closed.status, 200, JSON.stringify(closed.body));
  assert.deepEqual((await post(`/orders/${order.id}/close-as-loss`, { reason: REASON })).body, closed.body);
  assert.equal(await readTask(order.id), null);
  assert.equal(await readStatus(order), 'user_paid reorged_out closed');
  const mail = await waitForMail(order.email, /closed as unpaid/);
  assert.doesNotMatch(mail, new RegExp(REASON), 'the reason is for staff only');
  assert.match(await payPage(order), /Closed as unpaid/);
});

const REFUND_OF_ALL = { covers: 'whole', fee_paid_by: 'shop', from: 'any-wallet' };

async function confirmRefundAddress({ email, id, token }: NewOrder): Promise<void> {
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const saved = await shop.api('PUT', `/orders/${id}/refund-address`, { token, body: { address } });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const link = await waitForMail(email, /confirm-refund-address\//);
  const confirmation = { token: /confirm-refund-address\/([\w-]{43})/.exec(link)?.[1] };
  assert.equal((await post('/refund-addresses/confirm', confirmation)).status, 200);
}

test('[PAY-14] a whole refund does not hide a double-spent payment', async () => {
  const order = await createPaidOrder();
  await confirmRefundAddress(order);
  const created = await post(`/orders/${order.id}/refunds`, REFUND_OF_ALL);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.equal(await readTask(order.id), 'refund-to-send');

  await doubleSpend(order.txids[0] ?? '', 2);
  const { body: checked } = await shop.api('GET', `/payments/check/${order.id}`, { token: order.token });
  assert.deepEqual([valueAt(checked, 'isPaid'), numberAt(checked, 'payment', 'received_btc')], [false, 0]);
  assert.equal(await readStatus(order), 'user_paid refunding refund_stopped');
  assert.equal(await readTask(order.id), 'refund-stopped');
  await waitForMail(SUPPORT, new RegExp(`Order ${order.number}: Do not send this refund`));
  await waitForMail(order.email, /your refund is on hold/);
  assert.match(await payPage(order), /Your refund is on hold/);

  // After the withdrawal the order is double-spent, with the usual exits.
  const refund = textAt(created.body, 'refund', 'id');
  assert.equal((await post(`/refunds/${refund}/withdraw`)).status, 200);
  assert.equal(await readTask(order.id), 'double-spent');
  assert.equal((await post(`/orders/${order.id}/give-up`, { reason: REASON })).status, 200);
  assert.equal(await readTask(order.id), null);
});

test('[PAY-17] a refund of what a double spend left states no price', async () => {
  const order = await createPaidOrder(2);
  await confirmRefundAddress(order);
  await doubleSpend(order.txids[1] ?? '', 2);
  assert.equal(await readTask(order.id), 'part-double-spent');
  const created = await post(`/orders/${order.id}/refunds`, REFUND_OF_ALL);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.equal(textAt(created.body, 'refund', 'method'), 'kind');
  const { body } = await shop.api('GET', `/orders/${order.id}/timeline`, { token: order.token });
  const [refund] = listAt(body, 'refunds');
  assert.equal(valueAt(refund, 'value_usd'), null);
  assert.ok(numberAt(refund, 'amount_btc') <= order.due / 2);
  assert.equal((await post(`/refunds/${textAt(created.body, 'refund', 'id')}/withdraw`)).status, 200);
});

test('[PAY-14] staff accept the part that was not double-spent', async () => {
  const order = await createPaidOrder(2);
  await doubleSpend(order.txids[1] ?? '', 2);
  assert.equal(await readStatus(order), 'user_paid reorged_out part_double_spent');
  assert.equal(await readTask(order.id), 'part-double-spent');
  await waitForMail(order.email, /part of your payment will not return/);
  assert.equal((await post(`/orders/${order.id}/settle`, { reason: REASON })).status, 200);
  assert.equal(await readStatus(order), 'paid paid null');
  await waitForMail(order.email, /we accepted your payment/);
  const mails = await listMailsTo(order.email);
  assert.deepEqual(
    mails.filter((mail) => /is confirmed again/.test(mail)),
    [],
  );
});

/** The documents of an order once there are this many: kind and total. */
async function waitForDocuments({ id, token }: NewOrder, count: number): Promise<(readonly [string, number])[]> {
  const read = async () => listAt((await shop.api('GET', `/orders/${id}/invoices`, { token })).body, 'invoices');
  await waitUntil(async () => (await read()).length >= count);
  return (await read()).map((one) => [textAt(one, 'kind'), numberAt(one, 'total_usd')] as const);
}
const sumDocuments = (documents: readonly (readonly [string, number])[]): number =>
  documents.reduce((sum, [kind, total]) => sum + (kind === 'invoice' ? total : -total), 0);

test('[PAY-16] the end of an order whose payment was lost credits its invoice', async () => {
  const order = await createPaidOrder();
  const [[, total] = ['', 0]] = await waitForDocuments(order, 1);
  await doubleSpend(order.txids[0] ?? '', 2);
  await waitUntil(async () => (await readTask(order.id)) === 'double-spent');
  // The buyer requotes the order, and does not pay.
  assert.equal((await post(`/orders/${order.id}/requote`, {}, order.token)).status, 200);
  assert.equal(sumDocuments(await waitForDocuments(order, 2)), 0);
  await callDemoTool('clock', { offset_s: 7300 });
  await waitUntil(async () => (await readStatus(order)).startsWith('expired'));
  assert.equal((await post(`/orders/${order.id}/give-up`, { reason: REASON })).status, 200);
  await callDemoTool('clock', { offset_s: 0 });
  assert.deepEqual(await waitForDocuments(order, 2), [
    ['invoice', total],
    ['credit_note', total],
  ]);
});

test('[PAY-16] a requoted order that is paid again gets another invoice', async () => {
  const order = await createPaidOrder();
  await waitForDocuments(order, 1);
  await doubleSpend(order.txids[0] ?? '', 2);
  await waitUntil(async () => (await readTask(order.id)) === 'double-spent');
  assert.equal((await post(`/orders/${order.id}/requote`, {}, order.token)).status, 200);
  assert.equal(sumDocuments(await waitForDocuments(order, 2)), 0);
  await callDemoTool('pay', { order_id: order.id });
  await mine(2);
  assert.match(await readStatus(order), /^paid/);
  const documents = await waitForDocuments(order, 3);
  assert.deepEqual(
    documents.map(([kind]) => kind),
    ['invoice', 'credit_note', 'invoice'],
  );
  assert.equal(sumDocuments(documents), numberAt(order.order, 'total_usd_after'));
});

test('[PAY-16] an order closed as a loss is credited until it is paid after all', async () => {
  const order = await createPaidOrder();
  await waitForDocuments(order, 1);
  assert.equal((await post(`/orders/${order.id}/ship`, { tracking_reference: 'LOST-1' })).status, 200);
  await doubleSpend(order.txids[0] ?? '', 2);
  await waitUntil(async () => (await readTask(order.id)) === 'shipped-unpaid');
  assert.equal((await post(`/orders/${order.id}/close-as-loss`, { reason: REASON })).status, 200);
  assert.equal(sumDocuments(await waitForDocuments(order, 2)), 0);
  await callDemoTool('pay', { order_id: order.id, amount_btc: order.due });
  await mine(2);
  assert.match(await readStatus(order), /^paid/);
  assert.equal(sumDocuments(await waitForDocuments(order, 3)), numberAt(order.order, 'total_usd_after'));
});

test('[PAY-16] a part accepted as full payment is invoiced as what was received', async () => {
  const order = await createOrder(shop, `loser-${(buyers += 1)}`);
  const total = numberAt(order.order, 'total_usd_after');
  const part = Math.floor((order.due * 1e8) / 3) / 1e8;
  await callDemoTool('pay', { order_id: order.id, amount_btc: part });
  await mine(2);
  assert.equal((await post(`/orders/${order.id}/settle`, { reason: REASON })).status, 200);
  const documents = await waitForDocuments(order, 2);
  assert.deepEqual(documents[0], ['invoice', total]);
  const paid = Math.round((total * 100 * Math.round(part * 1e8)) / Math.round(order.due * 1e8)) / 100;
  assert.equal(sumDocuments(documents).toFixed(2), paid.toFixed(2));
});
