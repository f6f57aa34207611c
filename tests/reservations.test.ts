/**
 * Reservations over HTTP with limits on: responses to buyers, and the list and release by staff.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { findFirstProduct } from './support/new-order.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import { createApiClient } from './support/api-client.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { setStock, readStock } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
const unused: string[] = [];
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
  const { body } = await shop.api('GET', '/products?limit=4');
  unused.push(...listAt(body).map((one) => textAt(one, 'id')));
});
/** A product that no other test orders. */
const takeProduct = (): string => unused.pop() ?? assert.fail('too few products');
after(() => shop.stop());

let count = 0;
/** A signed-in buyer with items in the cart, from its own network by default. */
async function createBuyer(productId: string, quantity: number) {
  const username = `holder-${(count += 1)}`;
  const headers = { 'x-forwarded-for': `192.0.2.${count}` };
  const account = { username, password: 'crypto-market' };
  const email = `${username}@reserve.example`;
  await shop.api('POST', '/users/register', { body: { ...account, email }, headers });
  const { body } = await shop.api('POST', '/users/login', { body: account, headers });
  const token = textAt(body, 'tokens', 'accessToken');
  const added = { product_id: productId, quantity };
  await shop.api('POST', '/cart/add', { token, body: added, headers });
  return { username, email, token, headers };
}
type Buyer = Awaited<ReturnType<typeof createBuyer>>;
const checkOut = ({ token, headers }: Pick<Buyer, 'token' | 'headers'>, client = headers['x-forwarded-for']) =>
  shop.api('POST', '/cart/checkout', { token, body: BILLING, headers: { 'x-forwarded-for': client } });
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const readErrorMessage = ({ body }: ApiResponse): string => textAt(body, 'error', 'message');

test('[OPS-26] a refused checkout has a message with the next step', async () => {
  const productId = takeProduct();
  await setStock(shop, productId, 4);
  const many = await checkOut(await createBuyer(productId, 5));
  assert.equal(readErrorCode(many), '409 sold-out');
  assert.match(readErrorMessage(many), /^Only 4 of .* are left\. Reduce the quantity to continue$/);
  await setStock(shop, productId, 100);
  const capped = await checkOut(await createBuyer(productId, 6));
  assert.equal(readErrorCode(capped), '409 reserve-limit');
  assert.match(readErrorMessage(capped), /Confirm the address or reduce the quantity$/);
});

test('[OPS-26] addresses of one IPv6 /64 share a reservation cap', async () => {
  const productId = takeProduct();
  await setStock(shop, productId, 1000);
  const buyers = await Promise.all(Array.from({ length: 13 }, () => createBuyer(productId, 5)));
  const responses = await Promise.all(buyers.map((one, index) => checkOut(one, `2001:db8:1:2::${index + 1}`)));
  assert.equal(responses.filter(({ status }) => status === 201).length, 12, 'the cap is 60 units');
  const refused = responses.findIndex(({ status }) => status !== 201);
  const again = buyers[refused] ?? assert.fail('nobody was refused');
  const response = responses[refused] ?? assert.fail('nobody was refused');
  assert.match(readErrorMessage(response), /from your network/);
  assert.equal((await checkOut(again, '2001:db8:1:3::1')).status, 201);
});

test('[OPS-26] 20 callers on two processes neither oversell nor exceed the cap', async () => {
  const second = await startSecondProcess(shop, { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  try {
    const productId = takeProduct();
    await setStock(shop, productId, 70);
    const buyers = await Promise.all(Array.from({ length: 20 }, () => createBuyer(productId, 4)));
    const statuses = await Promise.all(
      buyers.map(async ({ token }, index) => {
        const call = createApiClient(index % 2 === 0 ? shop.url : second.url);
        const headers = { 'x-forwarded-for': '198.51.100.77' };
        return (await call('POST', '/cart/checkout', { token, headers, body: BILLING })).status;
      }),
    );
    assert.equal(statuses.filter((status) => status === 201).length, 15, statuses.join());
    assert.deepEqual(await readStock(shop, productId), { available: 10, held: 60 });
  } finally {
    await second.stop();
  }
});

test('[OPS-26] staff list and release reservations, and the buyer gets a mail', async () => {
  const productId = takeProduct();
  await setStock(shop, productId, 1);
  const holder = await createBuyer(productId, 1);
  const placed = await checkOut(holder);
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  assert.equal(valueAt(placed.body, 'order', 'is_briefly_reserved'), true);
  const id = textAt(placed.body, 'order', 'id');
  const login = await shop.api('POST', '/users/login', { body: { username: 'staff', password: 'crypto-market' } });
  const staff = textAt(login.body, 'tokens', 'accessToken');
  const findReservation = async () =>
    listAt((await shop.api('GET', '/support/reservations', { token: staff })).body, 'reservations').find(
      (one) => textAt(one, 'order_id') === id,
    );
  const reservation = await findReservation();
  assert.equal(textAt(reservation, 'username'), holder.username);
  assert.equal(textAt(reservation, 'network'), holder.headers['x-forwarded-for']);
  assert.equal(textAt(reservation, 'expires_at'), textAt(placed.body, 'order', 'expires_at'));
  assert.equal(valueAt(reservation, 'is_brief'), true);
  assert.equal(valueAt(reservation, 'items', 0, 'quantity'), 1);
  const release = (body: unknown, token = staff) => shop.api('POST', `/orders/${id}/release-stock`, { token, body });
  assert.equal(readErrorCode(await release({ reason: 'Never pays' }, holder.token)), '403 forbidden');
  assert.equal(readErrorCode(await release({ reason: ' ' })), '400 invalid');
  const released = await release({ reason: 'Never pays, secretly' });
  assert.equal(released.status, 200, JSON.stringify(released.body));
  assert.equal(textAt(released.body, 'order', 'payment_status'), 'expired');
  assert.equal(readErrorCode(await release({ reason: 'Never pays' })), '409 not-reserved');
  assert.deepEqual(await readStock(shop, productId), { available: 1, held: 0 });
  assert.equal(await findReservation(), undefined);
  const readMails = async (): Promise<string> =>
    JSON.stringify((await shop.api('GET', `/dev/mail?to=${holder.email}`)).body);
  await waitUntil(async () => (await readMails()).includes('no longer reserved'));
  const timeline = await shop.api('GET', `/orders/${id}/timeline`, { token: holder.token });
  assert.match(JSON.stringify(timeline.body), /Reservation ended by us/);
  assert.ok(!`${await readMails()}${JSON.stringify(timeline.body)}`.includes('secretly'), 'the reason is for staff');
});

test('[OPS-26] RATE_LIMITS=off disables reservation limits', async () => {
  const free = await startTestShop({ settings: { RATE_LIMITS: 'off' } });
  try {
    const product = await findFirstProduct(free);
    await setStock(free, product, 40);
    const login = await free.api('POST', '/users/login', { body: { username: 'alice', password: 'crypto-market' } });
    const token = textAt(login.body, 'tokens', 'accessToken');
    await free.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 40 } });
    const placed = await free.api('POST', '/cart/checkout', { token, body: BILLING });
    assert.equal(placed.status, 201, JSON.stringify(placed.body));
    assert.equal(valueAt(placed.body, 'order', 'is_briefly_reserved'), false);
  } finally {
    await free.stop();
  }
});
