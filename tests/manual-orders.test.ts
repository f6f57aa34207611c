/** Orders that staff create for customers, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findFirstProduct } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: string;
let productId: string;
before(async () => {
  shop = await startTestShop();
  staff = await signIn('staff');
  productId = await findFirstProduct(shop);
});
after(() => shop.stop());

async function signIn(username: string, password = 'crypto-market'): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password } });
  return textAt(body, 'tokens', 'accessToken');
}
const post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  shop.api('POST', path, { token: staff, headers, ...(body === undefined ? {} : { body }) });
const readCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });

async function previewTotal(lines: unknown, more: object = {}): Promise<number> {
  const { body, status } = await post('/support/orders/preview', { lines, country: 'GB', ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return numberAt(body, 'totalCartValue');
}
async function createBody(customer: object, more: object = {}) {
  const { body } = await shop.api('GET', '/support/order-variants?q=iphone', { token: staff });
  const lines = [
    {
      product_id: textAt(body, 'variants', 0, 'product_id'),
      property_value_ids: valueAt(body, 'variants', 0, 'property_value_ids'),
      quantity: 2,
    },
  ];
  return {
    ...customer,
    lines,
    billing: BILLING,
    window: '24h',
    expected_total_usd: await previewTotal(lines),
    ...more,
  };
}
let customers = 0;
const newCustomer = () => ({ email: `phone-${(customers += 1)}@phone.example`, name: `Phone Customer ${customers}` });
async function create(body: unknown): Promise<string> {
  const created = await post('/support/orders', body);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return textAt(created.body, 'order_id');
}
const readOrder = async (id: string): Promise<unknown> =>
  (await shop.api('GET', `/support/orders/${id}`, { token: staff })).body;
const listMails = async (email: string): Promise<readonly unknown[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body);
async function waitForMail(email: string, subject: RegExp): Promise<string> {
  let text = '';
  await waitUntil(async () => {
    const found = (await listMails(email)).find((mail) => subject.test(textAt(mail, 'subject')));
    if (found !== undefined) text = textAt(found, 'text');
    return found !== undefined;
  });
  return text;
}

test('[OPS-13] creates an order for a new customer, who can take over the account', async () => {
  const customer = newCustomer();
  const body = await createBody(customer);
  const key = { 'idempotency-key': 'call-1' };
  const [first, second] = await Promise.all([post('/support/orders', body, key), post('/support/orders', body, key)]);
  assert.equal(first.status, 201, JSON.stringify(first.body));
  assert.deepEqual(second.body, first.body, 'a double click creates one order');
  assert.equal(readCode(await post('/support/orders', { ...body, window: '2h' }, key)), '422 idempotency-key-reused');

  const id = textAt(first.body, 'order_id');
  const whole = await readOrder(id);
  assert.equal(textAt(whole, 'created_by'), 'staff');
  assert.equal(textAt(whole, 'buyer', 'email'), customer.email);
  assert.equal(textAt(whole, 'buyer', 'username'), customer.name);
  assert.equal(textAt(whole, 'timeline', 0, 'by'), 'staff');
  assert.equal(numberAt(whole, 'order', 'total_usd_after'), body.expected_total_usd);
  const order = valueAt(whole, 'order');
  const hours = (Date.parse(textAt(order, 'expires_at')) - Date.parse(textAt(order, 'created_at'))) / 3_600_000;
  assert.equal(hours, 24);

  const mail = await waitForMail(customer.email, /to pay$/);
  for (const part of ['we created this order for you', 'is fixed until', textAt(whole, 'pay_path'), 'Lost password']) {
    assert.ok(mail.includes(part), `${part} is not in:\n${mail}`);
  }
  const entries = await shop.api('GET', '/support/audit', { token: staff });
  const entry = listAt(entries.body, 'entries').find((one) => JSON.stringify(one).includes(id));
  assert.equal(textAt(entry, 'action'), 'order.created');

  const login = { username: customer.email, password: 'crypto-market' };
  assert.equal((await shop.api('POST', '/users/login', { body: login })).status, 401);
  await shop.api('POST', '/users/request-password-reset', { body: { email: customer.email } });
  const code = /\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b/.exec(await waitForMail(customer.email, /code/i))?.[0] ?? '';
  const password = 'correct horse battery 7';
  const reset = { email: customer.email, code, newPassword: password };
  const changed = await shop.api('POST', '/users/reset-password', { body: reset });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const token = await signIn(customer.email, password);
  const { body: current } = await shop.api('GET', '/orders', { token });
  assert.equal(textAt(current, 'order', 'id'), id);
});

test('[OPS-13] staff read the last details of a customer until they are erased', async () => {
  const read = async (id: string) => shop.api('GET', `/support/customers/${id}/billing`, { token: staff });
  const body = await createBody(newCustomer(), { billing: { ...BILLING, note: 'Ring twice' } });
  const orderId = await create(body);
  const customer = textAt(await readOrder(orderId), 'buyer', 'id');
  assert.deepEqual((await read(customer)).body, { billing: { ...BILLING, note: 'Ring twice' } });
  await runWithShopDatabase(shop, (db) =>
    sql`update orders set personal_data_erased_at = now() where id = ${orderId}`.execute(db),
  );
  assert.deepEqual((await read(customer)).body, { billing: null });
  assert.equal(readCode(await read(orderId)), '404 not-found');
  // Members of the team are no customers.
  const { body: owner } = await shop.api('GET', '/users/user', { token: staff });
  assert.equal(readCode(await read(textAt(owner, 'id'))), '404 not-found');
});

test('[OPS-13] leaves the cart of the customer as it is', async () => {
  const token = await createStockBuyer(shop, 'phone-cart', productId);
  const { body: user } = await shop.api('GET', '/users/user', { token });
  const { body: cart } = await shop.api('GET', '/cart', { token });
  const byAddress = await createBody({ email: textAt(user, 'email').toUpperCase(), name: 'Somebody' });
  const id = await create(byAddress);
  assert.equal(textAt(await readOrder(id), 'buyer', 'id'), textAt(user, 'id'), 'the address has this account');

  const again = await post('/support/orders', await createBody({ customer_id: textAt(user, 'id') }));
  assert.equal(readCode(again), '409 order-open');
  assert.equal(textAt(again.body, 'error', 'fields', 'order_id'), id);

  const cancelled = await post(`/support/orders/${id}/cancel`, { reason: 'Wrong colour' });
  assert.equal(textAt(cancelled.body, 'order', 'payment_status'), 'cancelled');
  assert.equal((await post(`/support/orders/${id}/cancel`, { reason: 'Again' })).status, 200);
  assert.deepEqual((await shop.api('GET', '/cart', { token })).body, cart);
  const mail = await waitForMail(textAt(user, 'email'), /is cancelled$/);
  assert.ok(mail.includes('is cancelled: our team cancelled it.') && !mail.includes('Wrong colour'), mail);
});

test('[OPS-13] renews the price of an expired order with a chosen window', async () => {
  const customer = newCustomer();
  const id = await create(await createBody(customer, { window: '2h' }));
  const renew = () => post(`/support/orders/${id}/renew-price`, { window: '3d' });
  assert.equal(readCode(await renew()), '409 not-expired');
  await moveClock(7_300);
  try {
    await waitUntil(async () => textAt(await readOrder(id), 'order', 'payment_status') === 'expired');
    assert.equal(valueAt(await readOrder(id), 'can_be_renewed'), true);
    const { body, status } = await renew();
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(textAt(body, 'order', 'payment_status'), 'pending');
    const left = Date.parse(textAt(body, 'order', 'expires_at')) - Date.now() - 7_300_000;
    assert.ok(left > 71.9 * 3_600_000 && left <= 72 * 3_600_000, String(left));
    const requoted = listAt(await readOrder(id), 'timeline').find((event) => textAt(event, 'kind') === 'requoted');
    assert.equal(textAt(requoted, 'by'), 'staff');
    assert.ok((await waitForMail(customer.email, /the new amount is/)).includes('/pay/'));
  } finally {
    await moveClock(0);
  }
});

test('[OPS-13] refuses unknown and blocked customers, stale totals and orders of buyers', async () => {
  const owner = await signIn('owner');
  const token = await createStockBuyer(shop, 'phone-blocked', productId);
  const { body: user } = await shop.api('GET', '/users/user', { token });
  const customer = { customer_id: textAt(user, 'id') };
  const body = await createBody(customer);
  const { body: placed } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const path = `/support/orders/${textAt(placed, 'order', 'id')}`;
  assert.equal(readCode(await post(`${path}/cancel`, { reason: 'No' })), '409 not-manual');
  assert.equal(readCode(await post(`${path}/renew-price`, { window: '2h' })), '409 not-manual');

  await shop.api('POST', `/support/customers/${customer.customer_id}/block`, { token: owner });
  assert.equal(readCode(await post('/support/orders', body)), '403 blocked');
  const { lines, billing, window, expected_total_usd } = body;
  const anonymous = { lines, billing, window, expected_total_usd };
  assert.equal(readCode(await post('/support/orders', anonymous)), '400 invalid');
  const stranger = newCustomer();
  const fresh = await createBody(stranger);
  assert.equal(readCode(await post('/support/orders', { ...fresh, expected_total_usd: 1 })), '409 repriced');
  assert.equal(readCode(await post('/support/orders', { ...fresh, promo_code: 'NOPE' })), '409 promo');
  const elsewhere = { ...fresh, billing: { ...BILLING, region: 'Asia' } };
  assert.equal(readCode(await post('/support/orders', elsewhere)), '400 country-not-in-region');
  // A refused order leaves no account.
  const { body: found } = await shop.api('GET', `/support/customers?q=${stranger.email}`, { token: staff });
  assert.equal(numberAt(found, 'total'), 0);
});

test('[OPS-13] prices a promo code as the cart of the customer would', async () => {
  const lines = [{ product_id: productId, property_value_ids: [], quantity: 1 }];
  const full = await previewTotal(lines);
  const reduced = await previewTotal(lines, { promo_code: 'welcome10' });
  assert.equal(reduced, Math.round(full * 90) / 100);
  const { body } = await post('/support/orders/preview', { lines, promo_code: 'NOPE' });
  assert.equal(textAt(body, 'promoError'), 'This promo code does not exist');
  const order = await createBody(newCustomer());
  const id = await create({ ...order, lines, promo_code: 'WELCOME10', expected_total_usd: reduced });
  assert.equal(numberAt(await readOrder(id), 'order', 'total_usd_after'), reduced);
});

test('[OPS-13] refuses more units of a variant than an order may have, also in two lines', async () => {
  const body = await createBody(newCustomer());
  const [line] = body.lines;
  assert.ok(line);
  const lines = [
    { ...line, quantity: 60 },
    { ...line, quantity: 60 },
  ];
  for (const { status, body: refused } of [
    await post('/support/orders/preview', { lines, country: 'GB' }),
    await post('/support/orders', { ...body, lines }),
  ]) {
    assert.equal(status, 400);
    assert.equal(textAt(refused, 'error', 'message'), 'Maximum 99 per item. Reduce item 2');
    assert.equal(textAt(refused, 'error', 'fields', 'lines.1.quantity'), 'Maximum 99 per item');
  }
});
