/** Shipments, notes, addresses, repeated mails and saved filters over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createOrder, findFirstProduct } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const ABSENT = '019a0000-0000-7000-8000-000000000000';
const DHL = '019a0000-0000-7000-9000-000000000001';

let shop: TestShop;
let staff: string;
let owner: string;
before(async () => {
  shop = await startTestShop();
  staff = await signIn('staff');
  owner = await signIn('owner');
});
after(() => shop.stop());

async function signIn(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}
const post = (path: string, body: unknown, token = staff): Promise<ApiResponse> =>
  shop.api('POST', path, { token, body });
const get = (path: string, token = staff): Promise<ApiResponse> => shop.api('GET', path, { token });
const readCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

let buyers = 0;
const placeOrder = (quantity = 1): Promise<NewOrder> => createOrder(shop, `desk-${(buyers += 1)}`, BILLING, quantity);
async function placePaidOrder(quantity = 1): Promise<NewOrder> {
  const order = await placeOrder(quantity);
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
  return order;
}
async function listSubjects({ email }: NewOrder): Promise<readonly string[]> {
  const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`);
  return listAt(body).map((mail) => textAt(mail, 'subject'));
}
async function findMail({ email }: NewOrder, subject: string): Promise<unknown> {
  let found: unknown;
  await waitUntil(async () => {
    const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`);
    found = listAt(body).find((mail) => textAt(mail, 'subject') === subject);
    return found !== undefined;
  });
  return found;
}
const readToShip = async ({ id }: NewOrder): Promise<unknown> =>
  valueAt((await get(`/support/fulfilment?ids=${id}`)).body, 'orders', 0);

test('[OPS-13] ships an order in parcels, each with its mail and link', async () => {
  const order = await placePaidOrder(3);
  const ship = (body: unknown) => post(`/orders/${order.id}/ship`, body);
  const part = {
    number: 1,
    carrier_id: DHL,
    tracking_reference: 'AB 12/3',
    lines: [{ position: 0, quantity: 2 }],
  };
  const first = await ship(part);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.equal(textAt(first.body, 'order', 'fulfilment_status'), 'partly_shipped');
  // A repeat records nothing; another shipment with its number is refused.
  assert.equal((await ship(part)).status, 200);
  assert.equal(readCode(await ship({ ...part, tracking_reference: 'other' })), '409 shipment-exists');
  assert.equal(readCode(await ship({ number: 3 })), '409 shipment-exists');
  assert.equal(readCode(await ship({ number: 2, lines: [{ position: 0, quantity: 2 }] })), '409 too-many-units');
  assert.equal(readCode(await ship({ number: 2, lines: [{ position: 7, quantity: 1 }] })), '409 too-many-units');
  assert.equal(readCode(await ship({ number: 2, lines: [] })), '409 nothing-to-ship');
  assert.equal(readCode(await ship({ number: 2, carrier_id: ABSENT })), '409 unknown-carrier');
  assert.equal(readCode(await post(`/orders/${order.id}/deliver`, undefined)), '409 not-shipped');

  const mail = await findMail(order, `Part of order ${order.number} is on its way`);
  for (const text of ['AB 12/3', 'tracking-id=AB12%2F3', 'contains 2 × ', 'when we ship the rest']) {
    assert.ok(textAt(mail, 'text').includes(text), text);
  }

  assert.equal((await ship({ number: 2, tracking_reference: 'CD 2' })).status, 200);
  assert.equal(textAt(await readToShip(order), 'block'), 'shipped');
  const rest = await findMail(order, `Order ${order.number}: the rest is on its way`);
  assert.ok(textAt(rest, 'text').includes('contains 1 × '));
  const { body: timeline } = await get(`/orders/${order.id}/timeline`, order.token);
  assert.deepEqual(
    listAt(timeline, 'shipments').map((one) => [
      numberAt(one, 'number'),
      textAt(one, 'tracking_number'),
      valueAt(one, 'tracking_url'),
      numberAt(one, 'items', 0, 'quantity'),
    ]),
    [
      [1, 'AB 12/3', 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=AB12%2F3', 2],
      [2, 'CD 2', null, 1],
    ],
  );
  const kinds = listAt(timeline, 'timeline').map((event) => textAt(event, 'kind'));
  assert.deepEqual(kinds.slice(-2), ['partly_shipped', 'shipped']);
  assert.equal((await post(`/orders/${order.id}/deliver`, undefined)).status, 200);
});

test('[OPS-13] parallel requests ship no unit twice', async () => {
  const order = await placePaidOrder(2);
  const results = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      post(`/orders/${order.id}/ship`, {
        number: 1,
        tracking_reference: `P${index}`,
        lines: [{ position: 0, quantity: 1 }],
      }),
    ),
  );
  assert.equal(results.filter(({ status }) => status === 200).length, 1);
  assert.equal(numberAt(await readToShip(order), 'lines', 0, 'shipped_quantity'), 1);
});

test('[OPS-13] a repeated part without a number records no second parcel', async () => {
  const order = await placePaidOrder(4);
  const ship = (body: object) => post(`/orders/${order.id}/ship`, { lines: [{ position: 0, quantity: 1 }], ...body });
  const readShipped = async (): Promise<number> => numberAt(await readToShip(order), 'lines', 0, 'shipped_quantity');
  for (let repeat = 0; repeat < 2; repeat += 1) assert.equal((await ship({ tracking_reference: 'R 1' })).status, 200);
  assert.equal(await readShipped(), 1);
  assert.equal((await ship({})).status, 200);
  assert.equal(readCode(await ship({})), '409 number-missing');
  assert.equal(await readShipped(), 2);
  assert.equal((await ship({ number: 3 })).status, 200);
  assert.equal(await readShipped(), 3);
});

test('[OPS-13] bulk shipping returns a result for each order', async () => {
  const [paid, unpaid, other] = [await placePaidOrder(), await placeOrder(), await placePaidOrder()];
  const shipments = [
    { order_id: paid.id, number: 1, carrier_id: DHL, tracking_reference: 'B 1' },
    { order_id: unpaid.id, number: 1 },
    { order_id: other.id, number: 1, tracking_reference: 'B 2' },
    { order_id: ABSENT, number: 1 },
  ];
  const expected = [null, 'not-paid', null, 'not-found'];
  for (let repeat = 0; repeat < 2; repeat += 1) {
    const { body } = await post('/support/shipments', { shipments });
    assert.deepEqual(
      listAt(body, 'results').map((one) => (valueAt(one, 'refusal') === null ? null : textAt(one, 'refusal', 'code'))),
      expected,
    );
  }
  assert.equal(listAt(await readToShip(paid), 'shipments').length, 1);
  const twice = [shipments[0], shipments[0]];
  assert.equal(readCode(await post('/support/shipments', { shipments: twice })), '400 invalid');
  assert.equal(readCode(await post('/support/shipments', { shipments }, paid.token)), '403 forbidden');
});

test('[OPS-13] owners edit carriers; parcels keep their link', async () => {
  const fields = { name: 'Courier', url_pattern: 'https://courier.example/t/{number}' };
  assert.equal(readCode(await post('/carriers', fields)), '403 forbidden');
  const created = await post('/carriers', fields, owner);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const id = textAt(created.body, 'carrier', 'id');
  assert.equal(readCode(await post('/carriers', { ...fields, name: 'COURIER' }, owner)), '409 name-taken');
  for (const url_pattern of ['http://x.example/{number}', 'https://x.example/', 'data:,{number}']) {
    assert.equal(readCode(await post('/carriers', { name: 'Bad', url_pattern }, owner)), '400 invalid', url_pattern);
  }
  const order = await placePaidOrder();
  await post(`/orders/${order.id}/ship`, { carrier_id: id, tracking_reference: 'K 1' });
  assert.equal((await shop.api('DELETE', `/carriers/${id}`, { token: owner })).status, 200);
  const { body } = await get(`/orders/${order.id}/timeline`, order.token);
  assert.equal(textAt(body, 'shipments', 0, 'tracking_url'), 'https://courier.example/t/K1');
  assert.equal(textAt(body, 'shipments', 0, 'carrier'), 'Courier');
});

test('[OPS-13] the address changes before shipping only, within its country', async () => {
  const order = await placePaidOrder();
  const address = {
    firstName: 'Grace',
    lastName: 'Hopper',
    streetAddress: 'Navy Road',
    houseNumber: '1',
    city: 'Leeds',
    postcode: 'LS1 1AA',
  };
  const change = (body: unknown, token = staff) => shop.api('PUT', `/orders/${order.id}/address`, { token, body });
  const { body: ordered } = await get(`/orders/${order.id}`, order.token);
  const changed = await change(address);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(textAt(changed.body, 'order', 'billing', 'city'), 'Leeds');
  assert.equal(textAt(changed.body, 'order', 'billing', 'country'), textAt(ordered, 'order', 'billing', 'country'));
  assert.equal(readCode(await change(address, order.token)), '403 forbidden');
  assert.equal(readCode(await change({ ...address, city: ' ' })), '400 invalid');
  // The same address again changes nothing.
  await change(address);
  const mail = await findMail(order, `Order ${order.number}: the delivery address was changed`);
  assert.ok(!textAt(mail, 'text').includes('Leeds'));
  const { body: timeline } = await get(`/orders/${order.id}/timeline`, order.token);
  const events = listAt(timeline, 'timeline').filter((one) => textAt(one, 'kind') === 'address_changed');
  assert.equal(events.length, 1);
  await post(`/orders/${order.id}/ship`, {});
  assert.equal(readCode(await change(address)), '409 not-changeable');
});

test('[OPS-13] an address change keeps the VAT number of the invoice', async () => {
  const order = await placePaidOrder();
  await runWithShopDatabase(shop, (db) =>
    sql`update orders set billing = billing || '{"vatNumber": "DE123456789"}' where id = ${order.id}`.execute(db),
  );
  const { firstName, lastName, streetAddress, houseNumber, postcode } = BILLING;
  const address = { firstName, lastName, streetAddress, houseNumber, postcode, city: 'Leeds' };
  for (const body of [address, { ...address, city: 'York', vatNumber: 'FR00' }]) {
    const changed = await shop.api('PUT', `/orders/${order.id}/address`, { token: staff, body });
    assert.equal(textAt(changed.body, 'order', 'billing', 'vatNumber'), 'DE123456789');
  }
});

test('[OPS-13] notes are for staff only and can be deleted', async () => {
  const order = await placeOrder();
  const path = `/orders/${order.id}/notes`;
  const options = { token: staff, body: { text: 'Call before delivery' }, headers: { 'idempotency-key': 'note-1' } };
  const added = await shop.api('POST', path, options);
  assert.equal(added.status, 201, JSON.stringify(added.body));
  assert.equal(textAt(added.body, 'notes', 0, 'by'), 'staff');
  assert.equal(listAt((await shop.api('POST', path, options)).body, 'notes').length, 1);
  assert.equal(readCode(await get(path, order.token)), '403 forbidden');
  assert.equal(readCode(await post(path, { text: ' ' })), '400 invalid');
  for (const own of [`/orders/${order.id}`, `/orders/${order.id}/timeline`]) {
    assert.ok(!JSON.stringify((await get(own, order.token)).body).includes('Call before'));
  }
  for (const key of ['', 'k'.repeat(256), 'é']) {
    const bad = await shop.api('POST', path, { ...options, headers: { 'idempotency-key': key } });
    assert.equal(readCode(bad), '400 invalid', key);
  }
  const remove = () => shop.api('DELETE', `${path}/${textAt(added.body, 'notes', 0, 'id')}`, { token: staff });
  assert.deepEqual((await remove()).body, { notes: [] });
  assert.deepEqual((await remove()).body, { notes: [] });
});

test('[OPS-13] sends a true mail again, three times an hour at most', async () => {
  const order = await placePaidOrder();
  const path = `/orders/${order.id}/mails`;
  const receipt = { mail: 'paid', shipment: null };
  assert.deepEqual((await get(path)).body, { mails: [receipt], left: 3 });
  assert.equal(readCode(await post(path, { mail: 'made', shipment: null })), '409 not-true');
  assert.equal(readCode(await post(path, { mail: 'shipped', shipment: 1 })), '409 not-true');
  await findMail(order, `Receipt for order ${order.number}`);
  const results = await Promise.all(Array.from({ length: 5 }, () => post(path, receipt)));
  assert.equal(results.filter(({ status }) => status === 200).length, 3);
  assert.equal(results.filter(({ status }) => status === 429).length, 2);
  await waitUntil(async () => {
    const subjects = await listSubjects(order);
    return subjects.filter((one) => one === `Receipt for order ${order.number}`).length === 4;
  });
  assert.equal(numberAt((await get(path)).body, 'left'), 0);
});

test('[OPS-03] [OPS-13] finds orders by recipient, street, postcode and filters', async () => {
  const order = await placePaidOrder();
  const words = { firstName: 'Zenobia', lastName: 'Quillfeather', streetAddress: 'Marzipan Lane', houseNumber: '7b' };
  await shop.api('PUT', `/orders/${order.id}/address`, {
    token: staff,
    body: { ...words, city: 'Ouagadougou', postcode: 'ZE2 1XY' },
  });
  const find = async (query: string): Promise<readonly string[]> => {
    const { status, body } = await get(`/support/orders?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return listAt(body, 'orders').map((one) => textAt(one, 'id'));
  };
  const { body: shown } = await get(`/support/orders/${order.id}`);
  const address = textAt(shown, 'address', 'address');
  const txid = textAt(shown, 'outputs', 0, 'txid');
  const searches = [
    'zenobia',
    'Quillf',
    'marzipan lane 7b',
    'ZE2 1XY',
    'ze2',
    order.number,
    order.email,
    address,
    txid,
  ];
  for (const q of searches) {
    assert.deepEqual(await find(`q=${encodeURIComponent(q)}`), [order.id], q);
  }
  assert.deepEqual(await find('q=zenobia+nobody'), []);
  const today = new Date(textAt(shown, 'order', 'created_at')).toISOString().slice(0, 10);
  const total = numberAt(shown, 'order', 'total_usd_after');
  for (const [filter, isFound] of [
    ['status=paid', true],
    ['status=pending', false],
    ['fulfilment=unfulfilled', true],
    ['fulfilment=shipped', false],
    ['queue=to-ship', true],
    [`from=${today}&to=${today}`, true],
    ['to=2001-01-01', false],
    [`country=${textAt(shown, 'order', 'billing', 'country')}`, true],
    ['country=AQ', false],
    [`min=${total}&max=${total}`, true],
    [`min=${total + 0.01}`, false],
    ['promotion=NONE', false],
  ] as const) {
    assert.deepEqual(await find(`q=zenobia&${filter}`), isFound ? [order.id] : [], filter);
  }
  await post(`/orders/${order.id}/ship`, {});
  assert.deepEqual(await find('q=zenobia&queue=to-ship'), []);
  for (const bad of ['from=2026-02-31', 'country=gb', 'min=-1', 'queue=all', 'fulfilment=lost']) {
    assert.equal(readCode(await get(`/support/orders?${bad}`)), '400 invalid', bad);
  }
});

test('[OPS-30] an order has its neighbours by number, and tickets for those who may see them', async () => {
  const [older, order, newer] = [await placeOrder(), await placeOrder(), await placeOrder()];
  const ticket = { title: 'Where is it?', theme: 'Order', description: 'I wait.' };
  const opened = await shop.api('POST', '/tickets/create', { token: order.token, body: ticket });
  assert.equal(opened.status, 201);
  const { body } = await get(`/support/orders/${order.id}`);
  assert.deepEqual(
    ['newer', 'older'].map((name) => [textAt(body, name, 'id'), textAt(body, name, 'number')]),
    [newer, older].map(({ id, number }) => [id, number]),
  );
  assert.deepEqual(
    listAt(body, 'tickets').map((one) => [textAt(one, 'id'), textAt(one, 'title'), textAt(one, 'status')]),
    [[textAt(opened.body, 'id'), 'Where is it?', 'open']],
  );
  assert.equal(valueAt((await get(`/support/orders/${newer.id}`)).body, 'newer'), null);
  const member = await createStockBuyer(shop, 'desk-shipper', await findFirstProduct(shop));
  await runWithShopDatabase(shop, (db) =>
    sql`update users set role = 'shipping' where username = 'desk-shipper'`.execute(db),
  );
  const { body: ofShipper, status } = await get(`/support/orders/${order.id}`, member);
  assert.equal(status, 200, JSON.stringify(ofShipper));
  assert.deepEqual(listAt(ofShipper, 'tickets'), []);
});

test('[OPS-13] each member of staff saves at most 20 own filters', async () => {
  const save = (name: string, token = staff) =>
    post('/support/order-filters', { name, query: 'page=2&status=paid&other=1' }, token);
  for (let saved = 0; saved < 15; saved += 1) assert.equal((await save(`Mine ${saved}`)).status, 201);
  // At once, but so few that none waits too long for the others on a busy machine.
  const results = await Promise.all(Array.from({ length: 7 }, (_, index) => save(`More ${index}`)));
  assert.equal(results.filter(({ status }) => status === 201).length, 5);
  assert.equal(results.filter(({ status }) => status === 409).length, 2);
  const { body } = await get('/support/order-filters');
  assert.equal(textAt(body, 'filters', 0, 'query'), 'status=paid');
  assert.deepEqual((await get('/support/order-filters', owner)).body, { filters: [] });
  const first = textAt(body, 'filters', 0, 'id');
  // Not the own one: nothing is deleted.
  await shop.api('DELETE', `/support/order-filters/${first}`, { token: owner });
  const left = await shop.api('DELETE', `/support/order-filters/${first}`, { token: staff });
  assert.equal(listAt(left.body, 'filters').length, 19);
  const second = textAt(left.body, 'filters', 0, 'name');
  assert.equal(readCode(await save(second.toUpperCase())), '409 name-taken');
});

test('[OPS-13] [PRIV-02] deleting an account erases its notes and tracking numbers', async () => {
  const order = await placePaidOrder(2);
  const password = { username: order.username, password: 'crypto-market' };
  const signedIn = await shop.api('POST', '/users/login', { body: password });
  const userPath = `/users/${textAt(signedIn.body, 'user', 'id')}`;
  const remove = () => shop.api('DELETE', userPath, { token: order.token, body: { username: order.username } });
  await post(`/orders/${order.id}/notes`, { text: 'Likes blue paper' });
  const part = { number: 1, tracking_reference: 'SECRET 1', carrier_id: DHL, lines: [{ position: 0, quantity: 1 }] };
  await post(`/orders/${order.id}/ship`, part);
  // The rest has to be shipped first.
  assert.equal(readCode(await remove()), '409 order-unshipped');
  await post(`/orders/${order.id}/ship`, { number: 2, tracking_reference: 'SECRET 2' });
  assert.equal((await remove()).status, 200);
  assert.deepEqual((await get(`/orders/${order.id}/notes`)).body, { notes: [] });
  assert.ok(!JSON.stringify((await get(`/support/fulfilment?ids=${order.id}`)).body).includes('SECRET'));
  assert.ok(!JSON.stringify((await get(`/support/orders/${order.id}`)).body).includes('SECRET'));
  assert.deepEqual((await get(`/orders/${order.id}/mails`)).body, { mails: [], left: 3 });
});

test('[OPS-13] a setting decides whether staff get mails about paid orders', async () => {
  const change = (mode: string, version: number, token = owner) =>
    shop.api('PUT', '/support/paid-order-mails', { token, body: { mode, version } });
  const { body: stored } = await get('/support/paid-order-mails');
  assert.equal(textAt(stored, 'mode'), 'never');
  const version = numberAt(stored, 'version');
  assert.equal(readCode(await change('each', version, staff)), '403 forbidden');
  assert.deepEqual((await change('each', version)).body, { mode: 'each', version: version + 1 });
  assert.equal(readCode(await change('never', version)), '409 changed-meanwhile');
  const order = await placePaidOrder();
  const list = async () => {
    const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent('support@shop.example')}`);
    return listAt(body).filter((mail) => textAt(mail, 'subject').startsWith(`Order ${order.number} is paid`));
  };
  await waitUntil(async () => (await list()).length > 0);
  await change('never', version + 1);
  const quiet = await placePaidOrder();
  await findMail(quiet, `Receipt for order ${quiet.number}`);
  const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent('support@shop.example')}`);
  assert.ok(!JSON.stringify(body).includes(`Order ${quiet.number} is paid`));
  assert.equal((await list()).length, 1);
});
