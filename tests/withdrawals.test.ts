/** Withdrawal from the contract over HTTP: statement, effect, acknowledgement, and what strangers learn of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { GERMAN_TAX, logInAs, putSettings } from './support/charge-settings.ts';
import { testKey } from './support/devchain.ts';
import { readPdfText } from './support/read-pdf-text.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import { startTestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const DAY_S = 86_400;

let shop: RefundShop;
before(async () => {
  shop = await openRefundShop();
  const owner = await logInAs(shop.shop, 'owner');
  assert.equal((await putSettings(shop.shop, 'tax', GERMAN_TAX, owner)).status, 200);
});
after(() => shop.shop.stop());

const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const call = (path: string, body: unknown, token?: string): Promise<ApiResponse> =>
  shop.shop.api('POST', path, { body, ...(token !== undefined && { token }) });
const get = async (path: string, token = shop.staff): Promise<unknown> => {
  const { body, status } = await shop.shop.api('GET', path, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

async function isEveryStatementHandled(db: Db): Promise<boolean> {
  return (await sql`select from withdrawals where handled_at is null`.execute(db)).rows.length === 0;
}

interface PaidOrder {
  readonly buyer: Buyer;
  readonly id: string;
  readonly number: string;
}

/** A paid order of as many phones. */
async function createOrder(quantity = 1, billing: object = BILLING): Promise<PaidOrder> {
  const buyer = await shop.createBuyer();
  const { token } = buyer;
  const cart = await shop.shop.api('GET', '/cart', { token });
  if (quantity > 1) {
    const body = { product_id: textAt(cart.body, 'cart_items', 0, 'product_id'), quantity: quantity - 1 };
    assert.equal((await call('/cart/add', body, token)).status, 200);
  }
  const placed = (await call('/cart/checkout', billing, token)).body;
  const id = textAt(placed, 'order', 'id');
  await shop.callDemoTool('pay', { order_id: id });
  await shop.mine(6);
  await waitUntil(async () => (await shop.order(buyer, id)).status === 'paid');
  return { buyer, id, number: textAt(placed, 'order', 'number') };
}

const declaration = (more: object = {}) => ({
  name: 'Ada Lovelace',
  units: null,
  acknowledgement_email: null,
  reason: null,
  key: randomUUID(),
  ...more,
});
const withdraw = ({ buyer, id }: PaidOrder, more: object = {}): Promise<ApiResponse> =>
  call('/withdrawal', declaration({ order_id: id, ...more }), buyer.token);
const readReceipt = async ({ body }: ApiResponse): Promise<unknown> => {
  const read = await call('/withdrawal/receipt', { receipt: textAt(body, 'receipt') });
  assert.equal(read.status, 200, JSON.stringify(read.body));
  return read.body;
};
const waitForMail = async (buyer: Buyer, pattern: RegExp): Promise<string> => {
  let found: string | undefined;
  await waitUntil(
    async () => (found = (await shop.listMailsTo(buyer)).find((mail) => pattern.test(mail))) !== undefined,
  );
  return found ?? '';
};
const readStatements = async (id: string): Promise<readonly unknown[]> =>
  listAt(await get(`/support/orders/${id}/withdrawals`), 'withdrawals');
const units = (quantity: number, position = 0) => [{ position, quantity }];
const countItems = (of: unknown): readonly [number, number][] =>
  listAt(of, 'items').map((item) => [numberAt(item, 'quantity'), numberAt(item, 'cancelled')]);

test('[RET-01] [OPS-27] number and address withdraw, and answer the same for any order', async () => {
  const order = await createOrder();
  const named = { order_number: order.number, order_email: order.buyer.email.toUpperCase() };
  const copy = `copy-${order.buyer.name}@mail.example`;
  const more = { acknowledgement_email: copy, reason: 'Too large' };
  const stated = await call('/withdrawal', declaration({ ...named, ...more }));
  const strangers = [
    { ...named, order_number: '987654' },
    { ...named, order_email: 'somebody@else.example' },
    { order_number: 'no number at all', order_email: 'somebody@else.example' },
  ];
  const others: ApiResponse[] = [];
  for (const other of strangers) others.push(await call('/withdrawal', declaration({ ...other, ...more })));
  for (const answer of [stated, ...others]) {
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.deepEqual(keysAt(answer.body), ['reference', 'receipt']);
    const receipt = await readReceipt(answer);
    assert.equal(valueAt(receipt, 'outcome'), null);
    assert.match(textAt(receipt, 'statement'), /I withdraw from my contract of sale .*everything that I ordered/);
  }
  const reference = textAt(stated.body, 'reference');
  const mail = await waitForMail(order.buyer, new RegExp(`we received your withdrawal[^]*${reference}`));
  assert.match(mail, /Received: \d+ \w+ \d{4}, \d\d:\d\d UTC/);
  assert.match(mail, /I withdraw from my contract[^]*Reason \(not required\): Too large/);
  assert.match(mail, /stopped it: 1 × iPhone Air/);
  const copyBuyer = { ...order.buyer, email: copy };
  const copied = await waitForMail(copyBuyer, new RegExp(reference));
  assert.doesNotMatch(copied, /iPhone|stopped/, 'an address that was typed learns nothing of the order');
  assert.equal((await shop.listMailsTo(copyBuyer)).length, 1, 'of the order that exists only');
  const [statement] = await readStatements(order.id);
  assert.equal(textAt(statement, 'result'), 'recorded');
  assert.equal(textAt(statement, 'proof'), 'address');
});

test('[RET-01] a statement names who makes it', async () => {
  const order = await createOrder();
  const named = { order_number: order.number, order_email: order.buyer.email };
  for (const name of ['', '  ', '\u200B\u2060', '\u3164']) {
    const refused = await call('/withdrawal', { ...declaration(named), name });
    assert.equal(refused.status, 400, JSON.stringify(refused.body));
    assert.equal(textAt(refused.body, 'error', 'fields', 'name'), 'is required');
  }
  assert.deepEqual(await readStatements(order.id), []);
});

const countTasks = async () => numberAt(await get('/support/todo'), 'withdrawals');

test('[RET-01] [OPS-27] staff answer statements that name no order, which are tasks until then', async () => {
  const list = (query = '') => shop.shop.api('GET', `/support/withdrawals${query}`, { token: shop.staff });
  const readReferences = async (query = '') =>
    listAt((await list(query)).body, 'withdrawals').map((one) => textAt(one, 'reference'));
  const { number } = await createOrder();
  // Those of the tests before.
  await waitUntil(() => runWithShopDatabase(shop.shop, isEveryStatementHandled));
  const others = await countTasks();
  const mistyped = { order_number: number, order_email: 'mistyped@mail.example', reason: 'Too large' };
  const stated = await call('/withdrawal', declaration(mistyped));
  const reference = textAt(stated.body, 'reference');
  await waitUntil(async () => (await readReferences()).includes(reference));
  assert.equal(await countTasks(), others + 1);
  const first = listAt((await list()).body, 'withdrawals').find((one) => textAt(one, 'reference') === reference);
  assert.equal(textAt(first, 'order_email'), 'mistyped@mail.example');
  assert.match(textAt(first, 'statement'), /I withdraw from my contract[^]*Too large/);
  // Mailed to staff without who stated it.
  const listStaffMails = async () =>
    listAt((await shop.shop.api('GET', '/dev/mail?to=support@shop.example')).body).map((mail) => textAt(mail, 'text'));
  const findMail = async () => (await listStaffMails()).find((text) => text.includes(reference));
  await waitUntil(async () => (await findMail()) !== undefined);
  assert.match((await findMail()) ?? '', /binding[^]*\/admin\/withdrawals/);
  assert.doesNotMatch((await findMail()) ?? '', /mistyped@mail\.example|Too large/);
  // Of a statement that named an order nothing is listed.
  const order = await createOrder();
  await withdraw(order);
  assert.equal(await countTasks(), others + 1);

  const answer = () => shop.post(`/support/withdrawals/${textAt(first, 'id')}/answer`);
  const pressed = await Promise.all([answer(), answer()]);
  assert.deepEqual(
    pressed.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  assert.equal(await countTasks(), others);
  assert.ok(!(await readReferences()).includes(reference));
  assert.equal((await readReferences('?view=answered'))[0], reference);
  assert.deepEqual(await readReferences('?view=answered&page=400'), []);
  const audit = await shop.shop.api('GET', '/support/audit?kind=withdrawal', {
    token: await logInAs(shop.shop, 'owner'),
  });
  assert.equal(
    listAt(audit.body, 'entries').filter((one) => textAt(one, 'action') === 'withdrawal.answered').length,
    1,
  );
  assert.equal((await shop.post(`/support/withdrawals/${randomUUID()}/answer`)).status, 404);
  assert.equal((await shop.shop.api('GET', '/support/withdrawals', { token: order.buyer.token })).status, 403);
});

test('[RET-03] the acknowledgement is a PDF with statement, moment, zone and reference', async () => {
  const stated = await withdraw(await createOrder());
  const [receipt, reference] = [textAt(stated.body, 'receipt'), textAt(stated.body, 'reference')];
  const response = await fetch(`${shop.shop.url}/api/withdrawal/${receipt}/pdf`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  const text = readPdfText(Buffer.from(await response.arrayBuffer())).join(' ');
  for (const part of [reference, 'I withdraw from my contract of sale', 'UTC', 'Ada Lovelace'])
    assert.ok(text.replaceAll(/\s+/g, ' ').includes(part), `${part} in ${text}`);
  // Not the last letter, some of whose bits say nothing.
  const forged = `${receipt.startsWith('A') ? 'B' : 'A'}${receipt.slice(1)}`;
  assert.equal((await shop.shop.api('GET', `/withdrawal/${forged}/pdf`)).status, 404);
});

test('[RET-02] a withdrawal before shipping stops the units', async () => {
  const order = await createOrder(3);
  const stated = await withdraw(order, { units: units(1) });
  assert.equal(stated.status, 201, JSON.stringify(stated.body));
  const receipt = await readReceipt(stated);
  assert.deepEqual(countItems(valueAt(receipt, 'outcome')), [[1, 1]]);
  assert.equal(await shop.readTask(order.id), 'withdrawal');
  assert.ok((await shop.readTimeline(order.buyer, order.id)).kinds.includes('contract_withdrawn'));
  const toShip = valueAt(await get(`/support/fulfilment?ids=${order.id}`), 'orders', 0);
  assert.equal(numberAt(toShip, 'lines', 0, 'withdrawn_quantity'), 1);
  // Whoever packed everything did not see it.
  assert.equal(readErrorCode(await shop.post(`/orders/${order.id}/ship`)), '409 contract-withdrawn');
  assert.equal(
    readErrorCode(await shop.post(`/orders/${order.id}/ship`, { lines: units(3) })),
    '409 contract-withdrawn',
  );
  assert.equal((await shop.post(`/orders/${order.id}/ship`, { lines: units(2) })).status, 200);
  assert.equal(textAt(await get(`/support/fulfilment?ids=${order.id}`), 'orders', 0, 'fulfilment_status'), 'shipped');
  // The rest is with the carrier, so it comes back as a return.
  const rest = await readReceipt(await withdraw(order));
  assert.deepEqual(countItems(valueAt(rest, 'outcome')), [[2, 0]]);
  await waitForMail(order.buyer, /comes back as a return: 2 × iPhone Air/);
  assert.equal(textAt(await readReceipt(await withdraw(order)), 'outcome', 'problem'), 'nothing-left');
  const own = await get(`/orders/${order.id}/withdrawals`, order.buyer.token);
  assert.equal(listAt(own, 'withdrawals').length, 2);
  assert.equal(textAt(own, 'problem'), 'nothing-left');
});

test('[RET-02] a withdrawn order leaves the queue until its units are refunded', async () => {
  const order = await createOrder();
  await shop.confirmAddress(order.buyer, order.id, testKey().address);
  const isQueued = async (): Promise<boolean> =>
    listAt(await get('/support/orders?queue=to-ship'), 'orders').some((one) => textAt(one, 'id') === order.id);
  assert.ok(await isQueued());
  assert.equal((await withdraw(order)).status, 201);
  assert.equal(await isQueued(), false);
  assert.equal(textAt(await get(`/support/fulfilment?ids=${order.id}`), 'orders', 0, 'block'), 'contract-withdrawn');
  const lines = {
    units: [{ position: 0, quantity: 1, shipped: false }],
    shipping: false,
    restock: true,
    reason: 'Withdrawn',
  };
  const refund = await shop.createRefund(order.id, { covers: 'lines', from: 'any-wallet', lines });
  const recorded = await shop.post(`/refunds/${textAt(refund, 'id')}/record`, { txid: 'd7'.repeat(32) });
  assert.equal(recorded.status, 200, JSON.stringify(recorded.body));
  assert.equal((await shop.order(order.buyer, order.id)).status, 'refunded');
  assert.equal(await shop.readTask(order.id), null);
});

test('[RET-02] a link withdraws from a part, and a repeat states nothing again', async () => {
  const order = await createOrder(2);
  const asked = { order_number: order.number, order_email: order.buyer.email };
  assert.equal((await call('/withdrawal/link', asked)).status, 200);
  assert.equal((await call('/withdrawal/link', { ...asked, order_number: '987654' })).status, 200);
  const mail = await waitForMail(order.buyer, /Choose what you withdraw from/);
  const link = /\/withdrawal\/([\w-]{22}\.[\w-]{43})/.exec(mail)?.[1] ?? assert.fail(mail);
  const read = (await call('/withdrawal/read', { link })).body;
  assert.equal(textAt(read, 'order_number'), order.number);
  assert.equal(numberAt(read, 'lines', 0, 'unshipped'), 2);
  const body = declaration({ link, units: units(1) });
  const both = await Promise.all([call('/withdrawal', body), call('/withdrawal', body)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [201, 201],
  );
  assert.deepEqual(both[0]?.body, both[1]?.body);
  assert.equal(readErrorCode(await call('/withdrawal', { ...body, name: 'Eve' })), '409 key-used');
  assert.equal((await readStatements(order.id)).length, 1);
  assert.equal(numberAt((await call('/withdrawal/read', { link })).body, 'lines', 0, 'unshipped'), 1);
  assert.match(textAt((await call('/withdrawal/preview', body)).body, 'statement'), /these goods .*: 1 × iPhone Air/);
  // Nobody else's order, by its id alone.
  const stranger = await shop.createBuyer();
  assert.equal((await call('/withdrawal', declaration({ order_id: order.id }), stranger.token)).status, 404);
  assert.equal((await call('/withdrawal', declaration({ order_id: order.id }))).status, 404);
});

test('[RET-02] businesses and unpaid orders get a true answer', async () => {
  const business = await createOrder(1, { ...BILLING, country: 'DE', postcode: '10115', vatNumber: 'DE136695976' });
  assert.equal(textAt(await readReceipt(await withdraw(business)), 'outcome', 'problem'), 'business');
  await waitForMail(business.buyer, /your withdrawal has no effect[^]*VAT number of a business/);
  const buyer = await shop.createBuyer();
  const placed = (await shop.checkout(buyer)).body;
  const unpaid = { buyer, id: textAt(placed, 'order', 'id'), number: textAt(placed, 'order', 'number') };
  assert.equal(
    textAt(await readReceipt(await withdraw(unpaid, { name: 'Cheap pills' })), 'outcome', 'problem'),
    'not-paid',
  );
  const refused = await waitForMail(buyer, /has no effect[^]*The order is not paid/);
  assert.doesNotMatch(refused, /Cheap pills/, 'an unconfirmed address gets no text of a stranger');
  assert.equal((await shop.post(`/orders/${unpaid.id}/cancel`, {}, buyer.token)).status, 200);
});

test('[RET-02] the period ends on the 14th day after the delivery', async () => {
  const order = await createOrder();
  const unknown = await get(`/orders/${order.id}/withdrawals`, order.buyer.token);
  assert.equal(valueAt(unknown, 'last_day'), null);
  assert.equal((await shop.post(`/orders/${order.id}/ship`)).status, 200);
  assert.equal((await shop.post(`/orders/${order.id}/deliver`)).status, 200);
  const readOwn = async (): Promise<unknown> => {
    return get(`/orders/${order.id}/withdrawals`, await logInAs(shop.shop, order.buyer.name));
  };
  const known = await get(`/orders/${order.id}/withdrawals`, order.buyer.token);
  const lastDay = textAt(known, 'last_day');
  const expected = new Date(Date.now() + 14 * DAY_S * 1000).toISOString().slice(0, 10);
  assert.equal(lastDay, expected);
  try {
    await shop.callDemoTool('clock', { offset_s: 15 * DAY_S });
    const late = await call('/withdrawal', declaration({ order_number: order.number, order_email: order.buyer.email }));
    assert.equal(late.status, 201, 'the response says nothing of the order');
    await waitForMail(order.buyer, /has no effect[^]*The period of withdrawal ended on \d+ \w+ \d{4}/);
    assert.equal(textAt(await readOwn(), 'problem'), 'period-over');
  } finally {
    await shop.callDemoTool('clock', { offset_s: 0 });
  }
});

test('[RET-04] of a withdrawal and a shipment in two processes one has each unit', async () => {
  const other = await startTestShop({ beside: shop.shop, settings: { BITCOIN_XPUB: shop.xpub } });
  try {
    for (let round = 0; round < 6; round += 1) {
      const order = await createOrder(2);
      const [stated, shipped] = await Promise.all([
        withdraw(order),
        other.api('POST', `/orders/${order.id}/ship`, { token: shop.staff, body: { lines: units(2) } }),
      ]);
      assert.equal(stated.status, 201, JSON.stringify(stated.body));
      const items = countItems(valueAt(await readReceipt(stated), 'outcome'));
      if (shipped.status === 200) {
        assert.deepEqual(items, [[2, 0]], 'it comes back as a return');
      } else {
        assert.equal(readErrorCode(shipped), '409 contract-withdrawn');
        assert.deepEqual(items, [[2, 2]], 'it was stopped');
      }
    }
  } finally {
    await other.stop();
  }
});

test('[RET-01] a shop that sells to no consumers in the EU or UK offers no withdrawal', async () => {
  const owner = await logInAs(shop.shop, 'owner');
  const put = async (isOn: boolean): Promise<void> => {
    const version = numberAt(await get('/shop/settings', owner), 'consumers', 'version');
    const body = { sells_to_eu_consumers: isOn, version };
    const saved = await shop.shop.api('PUT', '/shop/settings/consumers', { token: owner, body });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
  };
  await put(false);
  try {
    assert.equal(valueAt((await shop.shop.api('GET', '/shop')).body, 'sells_to_eu_consumers'), false);
    const named = { order_number: '1', order_email: 'a@mail.example' };
    assert.equal((await call('/withdrawal', declaration(named))).status, 404);
    assert.equal((await call('/withdrawal/link', named)).status, 404);
  } finally {
    await put(true);
  }
});

test('[RET-03] the buyer exports a statement, and keeps the account until it is refunded', async () => {
  const order = await createOrder();
  assert.equal((await shop.post(`/orders/${order.id}/ship`)).status, 200);
  await withdraw(order, { reason: 'Changed my mind' });
  const { token } = order.buyer;
  const id = textAt(await get('/users/user', token), 'id');
  const exported = await get(`/users/${id}/data`, token);
  assert.match(textAt(exported, 'orders', 0, 'withdrawals', 0, 'statement'), /Changed my mind/);
  const username = order.buyer.name;
  const deleted = await shop.shop.api('DELETE', `/users/${id}`, { token, body: { username } });
  assert.equal(readErrorCode(deleted), '409 return-open');
});
