/** Expired orders over HTTP: their price of now, late payments after the limit, and their end. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { addPromotion } from './support/add-promotion.ts';
import { PAID_SHIPPING, putSettings } from './support/charge-settings.ts';
import { createOrder, findFirstProduct } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, readStock, runWithShopDatabase, setStock } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const DAY_S = 86_400;
let shop: TestShop;
let productId: string;
let promotionId: string;
before(async () => {
  shop = await startTestShop();
  productId = await findFirstProduct(shop);
  await setStock(shop, productId, 100);
  promotionId = await runWithShopDatabase(shop, (db) => addPromotion(db, { code: 'TENTH', basisPoints: 9000 }));
  await runWithShopDatabase(shop, (db) => addPromotion(db, { code: 'FREE', basisPoints: 10_000, maxUses: 1 }));
});
afterEach(() => moveClock(0));
after(() => shop.stop());

async function callDemoTool(path: string, body: unknown): Promise<void> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}
const moveClock = (seconds: number): Promise<void> => callDemoTool('clock', { offset_s: seconds });
const pay = (id: string, amount: number): Promise<void> => callDemoTool('pay', { order_id: id, amount_btc: amount });
const mine = (): Promise<void> => callDemoTool('mine', { blocks: 3 });
/** Sessions end while the clock is moved. */
async function signIn(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}
const post = async (username: string, path: string, body: unknown = {}): Promise<ApiResponse> =>
  shop.api('POST', path, { token: await signIn(username), body });
const readCode = ({ status, body }: ApiResponse): string =>
  status < 400 ? String(status) : `${status} ${textAt(body, 'error', 'code')}`;

let buyers = 0;
const nextBuyer = (): string => `repriced-${(buyers += 1)}`;
async function createExpiredOrder(code?: string): Promise<NewOrder> {
  const username = nextBuyer();
  if (code !== undefined) {
    const token = await createStockBuyer(shop, username, productId);
    assert.equal(readCode(await shop.api('POST', '/promocodes/apply', { token, body: { code } })), '200');
    await shop.api('DELETE', '/cart/remove', { token, body: { product_id: productId } });
  }
  const order = await createOrder(shop, username);
  await moveClock(7300);
  await waitUntil(async () => (await readStatus(order)) === 'expired');
  return order;
}
async function readOrder({ id, username }: NewOrder): Promise<unknown> {
  const { body } = await shop.api('GET', `/orders/${id}`, { token: await signIn(username) });
  return valueAt(body, 'order');
}
const readStatus = async (order: NewOrder): Promise<string> => textAt(await readOrder(order), 'payment_status');
const readTotal = async (order: NewOrder): Promise<number> => numberAt(await readOrder(order), 'total_usd_after');
const requote = ({ id, username }: NewOrder, body: object = {}): Promise<ApiResponse> =>
  post(username, `/orders/${id}/requote`, body);
const readTotals = ({ body }: ApiResponse) => [
  textAt(body, 'error', 'fields', 'old_total_usd'),
  textAt(body, 'error', 'fields', 'new_total_usd'),
];
async function readTask(id: string): Promise<string | null> {
  const { body } = await shop.api('GET', `/support/orders/${id}`, { token: await signIn('staff') });
  return valueAt(body, 'attention') === null ? null : textAt(body, 'attention', 'kind');
}

/** Changes the price of the product; returns the former one. */
const changePrice = (to: bigint): Promise<bigint> =>
  runWithShopDatabase(shop, async (db) => {
    const { rows } = await sql<{ former: bigint }>`
      update products set base_price_cents = ${to} from (select base_price_cents as former from products
        where id = ${productId}) known where id = ${productId} returning known.former`.execute(db);
    return rows[0]?.former ?? assert.fail('no product');
  });
async function withPrice<T>(cents: bigint, work: () => Promise<T>): Promise<T> {
  const former = await changePrice(cents);
  try {
    return await work();
  } finally {
    await changePrice(former);
  }
}
const publish = (isPublished: boolean) =>
  runWithShopDatabase(shop, (db) =>
    sql`update products set is_published = ${isPublished} where id = ${productId}`.execute(db),
  );
const activate = (isActive: boolean) =>
  runWithShopDatabase(shop, (db) =>
    sql`update promotions set is_active = ${isActive} where id = ${promotionId}`.execute(db),
  );

test('[PAY-16] a requote takes the price of now and asks with both totals', async () => {
  const order = await withPrice(999n, createExpiredOrder);
  const former = await readTotal(order);
  const asked = await requote(order);
  assert.equal(readCode(asked), '409 repriced');
  const [oldTotal, newTotal = ''] = readTotals(asked);
  assert.equal(oldTotal, former.toFixed(2));
  assert.match(textAt(asked.body, 'error', 'message'), /now \$[\d,.]+ instead of \$/);
  assert.equal(await readStatus(order), 'expired', 'nothing was stored');

  await withPrice(88_800n, async () => {
    const again = await requote(order, { expected_total_usd: Number(newTotal) });
    assert.equal(readCode(again), '409 repriced', 'the price changed again');
    assert.notEqual(readTotals(again)[1], newTotal);
  });
  const quoted = await requote(order, { expected_total_usd: Number(newTotal) });
  assert.equal(readCode(quoted), '200', JSON.stringify(quoted.body));
  assert.equal(numberAt(quoted.body, 'order', 'total_usd_after'), Number(newTotal));
  const [item] = listAt(quoted.body, 'order', 'order_items');
  assert.equal(numberAt(item, 'total_usd'), Number(newTotal));
  await pay(order.id, numberAt(quoted.body, 'order', 'payment', 'amount_btc'));
  await mine();
  assert.equal(await readStatus(order), 'paid');
});

test('[PAY-16] a requote of what is not sold any more is refused', async () => {
  const order = await createExpiredOrder();
  await publish(false);
  try {
    const refused = await requote(order);
    assert.equal(readCode(refused), '409 withdrawn');
    assert.match(textAt(refused.body, 'error', 'message'), /is no longer available/);
    const { body } = await shop.api('GET', `/orders/${order.id}/timeline`, { token: await signIn(order.username) });
    assert.equal(valueAt(body, 'next_quote'), null);
    assert.match(textAt(body, 'requote_refusal'), /is no longer available/);
  } finally {
    await publish(true);
  }
  assert.equal(readCode(await requote(order)), '200');
});

test('[PAY-16] a requote takes delivery and tax of now', async () => {
  const order = await createExpiredOrder();
  const owner = await signIn('owner');
  const former = await readTotal(order);
  const { country } = BILLING;
  const excluded = { ...PAID_SHIPPING, excluded_countries: [country] };
  const { body: free } = await shop.api('GET', '/shipping/settings', { token: owner });
  assert.equal((await putSettings(shop, 'shipping', excluded, owner)).status, 200);
  try {
    const refused = await requote(order);
    assert.equal(readCode(refused), '409 not-delivered');
    assert.match(textAt(refused.body, 'error', 'message'), /We no longer deliver to/);
    assert.equal((await putSettings(shop, 'shipping', PAID_SHIPPING, owner)).status, 200);
    const asked = await requote(order);
    assert.equal(readCode(asked), '409 repriced');
    assert.deepEqual(readTotals(asked), [former.toFixed(2), (former + 20).toFixed(2)]);
    const quoted = await requote(order, { expected_total_usd: former + 20 });
    assert.equal(numberAt(quoted.body, 'order', 'shipping_usd'), 20);
  } finally {
    const restored = { zones: valueAt(free, 'zones'), excluded_countries: valueAt(free, 'excluded_countries') };
    await putSettings(shop, 'shipping', restored, owner);
  }
});

test('[PAY-16] a promo code that is not valid any more is left out of the requote', async () => {
  const order = await createExpiredOrder('TENTH');
  const discounted = await readTotal(order);
  await activate(false);
  try {
    const asked = await requote(order);
    assert.equal(readCode(asked), '409 repriced');
    assert.match(textAt(asked.body, 'error', 'message'), /TENTH/);
    const [oldTotal, newTotal = ''] = readTotals(asked);
    assert.equal(oldTotal, discounted.toFixed(2));
    const quoted = await requote(order, { expected_total_usd: Number(newTotal) });
    assert.equal(readCode(quoted), '200', JSON.stringify(quoted.body));
    assert.equal(valueAt(quoted.body, 'order', 'promoCode'), null);
    assert.ok(Number(newTotal) > discounted * 9);
  } finally {
    await activate(true);
  }
});

test('[PAY-16] a late payment waits for staff after the limit', async () => {
  const order = await createExpiredOrder();
  await moveClock(8 * DAY_S);
  await pay(order.id, order.due);
  await mine();
  await waitUntil(async () => (await readTask(order.id)) === 'late-overdue');
  assert.equal(await readStatus(order), 'expired');
  const token = await signIn(order.username);
  const { body: timeline } = await shop.api('GET', `/orders/${order.id}/timeline`, { token });
  assert.equal(textAt(timeline, 'late_because'), 'too-late');
  const accepted = await post('staff', `/orders/${order.id}/settle`, { reason: 'The price is still the same' });
  assert.equal(textAt(accepted.body, 'order', 'payment_status'), 'paid');
});

test('[PAY-16] owners change the limit of late payments', async () => {
  const token = await signIn('owner');
  const { body } = await shop.api('GET', '/shop/settings', { token });
  const stored = valueAt(body, 'late_payments');
  assert.equal(numberAt(stored, 'late_acceptance_days'), 7);
  const change = (days: number, version: number) =>
    shop.api('PUT', '/shop/settings/late-payments', { token, body: { late_acceptance_days: days, version } });
  const version = numberAt(stored, 'version');
  assert.equal(readCode(await change(-1, version)), '400 invalid');
  assert.equal(readCode(await change(366, version)), '400 invalid');
  assert.equal(readCode(await change(0, version)), '200');
  const order = await createExpiredOrder();
  await pay(order.id, order.due);
  await mine();
  await waitUntil(async () => (await readTask(order.id)) === 'late-overdue');
  assert.equal(readCode(await change(7, version + 1)), '200');
  await waitUntil(async () => {
    await mine();
    return (await readStatus(order)) === 'paid';
  });
});

const cancelByStaff = (id: string): Promise<ApiResponse> =>
  post('staff', `/orders/${id}/give-up`, { reason: 'The price was mistyped' });

test('[PAY-16] staff end an expired order; a later payment waits for a refund', async () => {
  const order = await createExpiredOrder();
  const { available } = await readStock(shop, productId);
  assert.equal(
    valueAt(
      (await shop.api('GET', `/support/orders/${order.id}`, { token: await signIn('staff') })).body,
      'can_be_given_up',
    ),
    true,
  );
  const ended = await cancelByStaff(order.id);
  assert.equal(readCode(ended), '200', JSON.stringify(ended.body));
  assert.equal(textAt(ended.body, 'order', 'payment_status'), 'cancelled');
  assert.equal((await readStock(shop, productId)).available, available);
  assert.equal(readCode(await requote(order)), '409 not-expired');
  assert.equal(readCode(await cancelByStaff(order.id)), '200', 'a repeat changes nothing');
  const { body: log } = await shop.api('GET', `/support/audit?q=${order.number}`, { token: await signIn('owner') });
  assert.equal(listAt(log, 'entries').filter((one) => textAt(one, 'action') === 'order.cancelled_by_staff').length, 1);
  await pay(order.id, order.due);
  await mine();
  await waitUntil(async () => (await readTask(order.id)) === 'cancelled-paid');
  assert.equal(await readStatus(order), 'cancelled');
});

test('[PAY-16] staff end a free order: stock and promo use are back', async () => {
  const username = nextBuyer();
  const token = await createStockBuyer(shop, username, productId);
  const { available } = await readStock(shop, productId);
  assert.equal((await shop.api('POST', '/promocodes/apply', { token, body: { code: 'FREE' } })).status, 200);
  const { body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const id = textAt(body, 'order', 'id');
  assert.equal(textAt(body, 'order', 'payment_status'), 'paid');
  const listDocuments = async () =>
    listAt((await shop.api('GET', `/orders/${id}/invoices`, { token })).body, 'invoices').map((one) =>
      textAt(one, 'kind'),
    );
  await waitUntil(async () => (await listDocuments()).length === 1);
  const ended = await cancelByStaff(id);
  assert.equal(readCode(ended), '200', JSON.stringify(ended.body));
  assert.equal((await readStock(shop, productId)).available, available);
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ uses: number }>`select uses from promotions where code = 'FREE'`.execute(db),
  );
  assert.equal(rows[0]?.uses, 0);
  await waitUntil(async () => (await listDocuments()).join() === 'invoice,credit_note');
  const mails = async () =>
    listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(`${username}@stock.example`)}`)).body);
  await waitUntil(async () => (await mails()).some((mail) => /is cancelled/.test(textAt(mail, 'subject'))));
});
