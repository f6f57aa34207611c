/** Serial numbers and IMEIs of shipped units, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { transact } from '#src/platform/database/database.ts';
import * as serials from '#src/shop/orders/fulfilment/serials.store.ts';
import { createOrder, findFirstProduct } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { readErrorCode, signIn } from './support/support-fixtures.ts';

const record = z.record(z.string(), z.unknown());

let shop: TestShop;
let staff: string;
let owner: string;
let buyers = 0;

before(async () => {
  shop = await startTestShop();
  staff = textAt((await signIn(shop, 'staff')).body, 'tokens', 'accessToken');
  owner = textAt((await signIn(shop, 'owner')).body, 'tokens', 'accessToken');
  await askFor('imei');
});
after(() => shop.stop());

/** Sets what shipping asks for of the product that these tests buy, as the editor does. */
async function askFor(serialKind: string): Promise<void> {
  const id = await findFirstProduct(shop);
  const { body } = await shop.api('GET', `/catalogue/products/${id}`, { token: owner });
  const content = { ...record.parse(valueAt(body, 'product', 'content')), serial_kind: serialKind };
  const saved = await shop.api('PUT', `/catalogue/products/${id}`, {
    token: owner,
    body: { version: numberAt(body, 'product', 'version'), publish: true, content },
  });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.equal(textAt(saved.body, 'product', 'content', 'serial_kind'), serialKind);
}

/** A new valid IMEI. */
let made = 0;
function createImei(): string {
  const first = `35${String((made += 1)).padStart(12, '0')}`;
  const last = Array.from({ length: 10 }, (_, digit) => `${first}${digit}`).find((imei) => isLuhn(imei));
  return last ?? assert.fail('one digit completes it');
}
const isLuhn = (digits: string): boolean =>
  digits
    .split('')
    .toReversed()
    .reduce((sum, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return sum + Math.floor(value / 10) + (value % 10);
    }, 0) %
    10 ===
  0;

async function createPaidOrder(units: number): Promise<NewOrder> {
  const order = await createOrder(shop, `phone-buyer-${(buyers += 1)}`, undefined, units);
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  return order;
}

const ship = (id: string, numbers: readonly string[] | null, more: object = {}) =>
  shop.api('POST', `/orders/${id}/ship`, {
    token: staff,
    body: { ...(numbers !== null && { serials: [{ position: 0, numbers }] }), ...more },
  });
const correct = (id: string, numbers: readonly string[], seen: readonly string[], token = staff) =>
  shop.api('PUT', `/orders/${id}/shipments/1/serials`, { token, body: { position: 0, numbers, seen } });
const send = (path: string, csv: string, token = staff) => shop.api('POST', path, { token, body: { csv } });
async function readParcel({ id }: NewOrder) {
  const { body } = await shop.api('GET', `/support/fulfilment?ids=${id}`, { token: staff });
  return listAt(body, 'orders', 0, 'shipments').flatMap((parcel) =>
    listAt(parcel, 'items', 0, 'serials').map((one) => textAt(one, 'number')),
  );
}
const readStatus = async ({ id, token }: NewOrder) =>
  textAt((await shop.api('GET', `/orders/${id}`, { token })).body, 'order', 'fulfilment_status');
const search = async (q: string) =>
  listAt((await shop.api('GET', `/support/orders?q=${encodeURIComponent(q)}`, { token: staff })).body, 'orders').map(
    (one) => textAt(one, 'id'),
  );

test('[OPS-29] ships a unit only with its number, and says what is wrong beside the field', async () => {
  const order = await createPaidOrder(2);
  const [a, b] = [createImei(), createImei()];
  const cases: readonly (readonly [readonly string[] | null, RegExp])[] = [
    [null, /Enter 2 IMEIs/],
    [[a], /1 IMEI missing/],
    [[a, a], /is entered twice/],
    [[a, `${b.slice(0, -1)}${(Number(b.at(-1)) + 1) % 10}`], /check digit is wrong/],
    [[a, 'C02XYZ'], /not an IMEI/],
    [[a, b, createImei()], /1 IMEI too many/],
  ];
  for (const [numbers, expected] of cases) {
    const refused = await ship(order.id, numbers);
    assert.equal(readErrorCode(refused), '409 serial-numbers');
    assert.match(textAt(refused.body, 'error', 'fields', 'serials.0'), expected);
  }
  assert.equal(readErrorCode(await ship(order.id, ['\u0000', b])), '400 invalid');
  assert.equal(await readStatus(order), 'unfulfilled');
  // As printed, with hyphens.
  assert.equal((await ship(order.id, [`${a.slice(0, 2)}-${a.slice(2)}`, b])).status, 200);
  assert.deepEqual(await readParcel(order), [a, b].toSorted());
  // A repeat records nothing.
  assert.equal((await ship(order.id, [a, b], { number: 1 })).status, 200);

  const { body } = await shop.api('GET', `/orders/${order.id}/timeline`, { token: order.token });
  assert.deepEqual(valueAt(body, 'shipments', 0, 'items', 0, 'serials'), [a, b].toSorted());
  const account = await shop.api('GET', '/users/user', { token: order.token });
  const exported = await shop.api('GET', `/users/${textAt(account.body, 'id')}/data`, { token: order.token });
  assert.deepEqual(
    listAt(exported.body, 'serial_numbers').map((one) => `${textAt(one, 'order')} ${textAt(one, 'number')}`),
    [a, b].toSorted().map((number) => `${order.number} ${number}`),
  );
  assert.deepEqual(await search(a), [order.id]);
  assert.deepEqual(await search(a.slice(0, 15)), [order.id]);
  assert.deepEqual(await search('35%'), []);
});

test('[OPS-29] parallel parcels with one number: one is shipped, nothing of the other is stored', async () => {
  for (let round = 0; round < 2; round += 1) {
    const orders = [await createPaidOrder(2), await createPaidOrder(2)] as const;
    const [shared, ...others] = [createImei(), createImei(), createImei()];
    const responses = await Promise.all(
      orders.map(({ id }, at) => {
        const numbers = [shared ?? '', others[at] ?? ''];
        return ship(id, at === 0 ? numbers : numbers.toReversed());
      }),
    );
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    const lost = responses.findIndex(({ status }) => status === 409);
    const refused = responses[lost] ?? assert.fail();
    assert.match(textAt(refused.body, 'error', 'message'), /: \d{15} is in another parcel and not returned/);
    const order = orders[lost] ?? assert.fail();
    assert.equal(await readStatus(order), 'unfulfilled');
    assert.deepEqual(await readParcel(order), []);
    // Its own number is free.
    assert.equal((await ship(order.id, [createImei(), others[lost] ?? ''])).status, 200);
  }
});

test('[OPS-29] several orders are shipped at once, each with its numbers or a reason', async () => {
  const [good, bad] = [await createPaidOrder(1), await createPaidOrder(1)];
  const imei = createImei();
  const { body } = await shop.api('POST', '/support/shipments', {
    token: staff,
    body: {
      shipments: [good, bad].map(({ id }) => ({
        order_id: id,
        number: 1,
        serials: [{ position: 0, numbers: [imei] }],
      })),
    },
  });
  assert.equal(valueAt(body, 'results', 0, 'refusal'), null);
  assert.match(textAt(body, 'results', 1, 'refusal', 'message'), new RegExp(`^\\S.*: ${imei} is in another parcel`));
  assert.equal(await readStatus(bad), 'unfulfilled');
});

test('[OPS-29] corrects mistyped numbers with an audit entry, and frees the wrong ones', async () => {
  const order = await createPaidOrder(2);
  const [typed, right, kept] = [createImei(), createImei(), createImei()];
  await ship(order.id, [typed, kept]);
  assert.equal(readErrorCode(await correct(order.id, [right, kept], [typed])), '409 serials-changed');
  assert.equal(readErrorCode(await correct(order.id, [right], [typed, kept])), '409 serial-numbers');
  assert.equal(readErrorCode(await correct(order.id, [right, kept], [typed, kept], order.token)), '403 forbidden');
  assert.equal((await correct(order.id, [right, kept], [typed, kept])).status, 200);
  assert.equal((await correct(order.id, [right, kept], [typed, kept])).status, 200);
  assert.deepEqual(await readParcel(order), [right, kept].toSorted());
  const { body } = await shop.api('GET', '/support/audit?kind=order', { token: owner });
  const entries = listAt(body, 'entries').filter((one) => textAt(one, 'action') === 'order.serial_numbers_corrected');
  assert.equal(entries.length, 1);
  assert.equal(textAt(entries[0], 'changes', 0, 'after'), JSON.stringify([right, kept]));
  // The mistyped number is that of another phone.
  const other = await createPaidOrder(1);
  assert.equal((await ship(other.id, [typed])).status, 200);
  const taken = await correct(other.id, [kept], [typed]);
  assert.match(textAt(taken.body, 'error', 'fields', 'serials.0'), /is in another parcel/);
  assert.deepEqual(await readParcel(other), [typed]);
});

test('[OPS-29] an undone parcel frees its numbers', async () => {
  const order = await createPaidOrder(1);
  const imei = createImei();
  await ship(order.id, [imei]);
  assert.equal((await shop.api('POST', `/orders/${order.id}/shipments/1/undo`, { token: staff })).status, 200);
  assert.deepEqual(await search(imei), []);
  assert.equal((await ship(order.id, [imei], { number: 2 })).status, 200);
});

test('[OPS-29] a returned unit can be shipped again, and its old order still shows it', async () => {
  const [order, next] = [await createPaidOrder(1), await createPaidOrder(1)];
  const imei = createImei();
  await ship(order.id, [imei]);
  const line = { orderId: order.id, position: 0 };
  await runWithShopDatabase(shop, async (db) => {
    assert.equal(await serials.findSerialState(db, line, imei), 'shipped');
    assert.equal(await serials.findSerialState(db, { ...line, position: 1 }, imei), 'unknown');
    assert.equal(await serials.findSerialState(db, { ...line, orderId: next.id }, imei), 'unknown');
    const mark = (of: typeof line) => transact(db, (tx) => serials.markSerialReturned(tx, of, imei, new Date()));
    assert.equal(await mark({ ...line, orderId: next.id }), false);
    // Two people receive it at once: one of them does.
    assert.deepEqual([await mark(line), await mark(line)], [true, false]);
    assert.equal(await serials.findSerialState(db, line, imei), 'returned');
  });
  assert.equal(
    readErrorCode(await shop.api('POST', `/orders/${order.id}/shipments/1/undo`, { token: staff })),
    '409 parcel-returned',
  );
  const replaced = await correct(order.id, [createImei()], [imei]);
  assert.match(textAt(replaced.body, 'error', 'fields', 'serials.0'), /was returned/);
  assert.equal((await ship(next.id, [imei])).status, 200);
  assert.deepEqual((await search(imei)).toSorted(), [order.id, next.id].toSorted());
});

test('[OPS-29] exports numbers as CSV and imports them for orders that were shipped before', async () => {
  await askFor('none');
  const order = await createPaidOrder(2);
  assert.equal(readErrorCode(await ship(order.id, [createImei()])), '409 serial-numbers');
  assert.equal((await ship(order.id, null, { number: 1, lines: [{ position: 0, quantity: 1 }] })).status, 200);
  assert.equal((await ship(order.id, null, { number: 2 })).status, 200);
  await askFor('imei');
  const [first, second] = [createImei(), createImei()];
  const csv = `order;line;number;parcel\n${order.number};1;${second};2\n${order.number};1;${first};\n`;

  const checked = await send('/support/serial-numbers/check', csv);
  const planned = { rows: 2, added: 2, unchanged: 0, orders: 1, problem_count: 0, problems: [] };
  assert.deepEqual(checked.body, planned);
  assert.deepEqual(await readParcel(order), []);
  assert.deepEqual((await send('/support/serial-numbers/import', csv)).body, planned);
  assert.deepEqual(await readParcel(order), [first, second]);
  assert.deepEqual((await send('/support/serial-numbers/import', csv)).body, {
    ...planned,
    added: 0,
    unchanged: 2,
    orders: 0,
  });

  const wrong = `order,line,number\nnone,1,1\n${order.number},9,1\n${order.number},x,1\n${order.number},1,1\n${order.number},1,${createImei()}\n`;
  const { body } = await send('/support/serial-numbers/check', wrong);
  const messages = listAt(body, 'problems').map((one) => `${numberAt(one, 'line')} ${textAt(one, 'message')}`);
  assert.deepEqual(messages, [
    '2 There is no order none',
    `3 Order ${order.number} has no line 9`,
    '4 The line is not a number from 1',
    '5 1 is not an IMEI: it has 15 digits',
    '6 Each shipped unit of this line has a number',
  ]);
  assert.equal(readErrorCode(await send('/support/serial-numbers/import', wrong)), '409 import-problems');
  assert.equal(readErrorCode(await send('/support/serial-numbers/check', 'a,b\n1,2')), '400 invalid');
  assert.equal(readErrorCode(await send('/support/serial-numbers/check', '')), '400 invalid');
  const long = `order,line,number\n${`${order.number},1,1\n`.repeat(5_001)}`;
  assert.match(textAt((await send('/support/serial-numbers/check', long)).body, 'error', 'fields', 'csv'), /5,000/);

  const response = await fetch(`${shop.url}/api/exports/serial-numbers`, {
    headers: { authorization: `Bearer ${owner}` },
  });
  const text = await response.text();
  const [head = [], ...rows]: string[][] = parse(text);
  assert.deepEqual(head, ['order', 'line', 'product', 'sku', 'number', 'parcel', 'shipped_at', 'returned_at']);
  const own = rows.filter(([number]) => number === order.number).map((cells) => [cells[1], cells[4], cells[5]]);
  assert.deepEqual(own, [
    ['1', first, '1'],
    ['1', second, '2'],
  ]);
  // The exported file can be imported again: it changes nothing.
  const again = await send('/support/serial-numbers/check', text);
  assert.equal(numberAt(again.body, 'added'), 0, JSON.stringify(again.body));
  assert.equal(numberAt(again.body, 'problem_count'), 0, JSON.stringify(again.body));
});
