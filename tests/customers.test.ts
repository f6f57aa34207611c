/** Customers as staff see them: search, blocks, sessions and erasure, over HTTP and in two processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { LiveClient } from './support/live-client.ts';
import { createOrder, findFirstProduct } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { createCustomer, createTicket, readErrorCode, signIn } from './support/support-fixtures.ts';

let shop: TestShop;
let other: ShopProcess;
let staff: string;
before(async () => {
  shop = await startTestShop();
  other = await startSecondProcess(shop);
  staff = textAt((await signIn(shop, 'staff')).body, 'tokens', 'accessToken');
});
after(async () => {
  await other.stop();
  await shop.stop();
});

const get = (path: string, token = staff) => shop.api('GET', path, { token });
const act = (id: string, action: string, body?: unknown) =>
  shop.api('POST', `/support/customers/${id}/${action}`, { token: staff, ...(body === undefined ? {} : { body }) });
const list = async (query: string): Promise<string[]> =>
  listAt((await get(`/support/customers?${query}`)).body, 'customers').map((one) => textAt(one, 'username'));
const findUserId = async (token: string): Promise<string> => textAt((await get('/users/user', token)).body, 'id');

async function listActions(subjectId: string): Promise<readonly string[]> {
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ action: string }>`select action from audit_entries where subject_id = ${subjectId} order by id`.execute(db),
  );
  return rows.map(({ action }) => action);
}

test('[OPS-14] finds customers by name, address and order number', async () => {
  const order = await createOrder(shop, `Zoë-Finder-${Date.now()}`);
  const customer = await createCustomer(shop, `Quiet-${Date.now()}`);
  for (const q of [order.username.toUpperCase(), order.number]) {
    assert.deepEqual(await list(`q=${encodeURIComponent(q)}`), [order.username], q);
  }
  assert.deepEqual(await list(`q=${customer.email.toUpperCase()}`), [customer.username]);
  assert.deepEqual(await list('q=%25'), []);
  assert.deepEqual(await list(`q=${customer.username}&show=with-orders`), []);
  assert.equal((await list('sort=newest'))[0], customer.username);
  const byName = (await list('sort=name')).map((name) => name.normalize('NFKC').toLowerCase());
  assert.deepEqual(
    byName,
    byName.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});

test('[OPS-14] shows orders, totals, tickets, reviews and sessions of a customer', async () => {
  const order = await createOrder(shop, `whole-${Date.now()}`);
  await createTicket(shop, order.token, 'A parcel');
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const review = { product_id: textAt(order.order, 'order_items', 0, 'product_id'), rating: 4, text: 'Quiet' };
  await shop.api('POST', '/reviews', { token: order.token, body: review });
  const { body } = await get(`/support/customers/${await findUserId(order.token)}`);
  assert.equal(textAt(body, 'customer', 'username'), order.username);
  assert.deepEqual([numberAt(body, 'customer', 'orders'), numberAt(body, 'customer', 'paid_orders')], [1, 1]);
  assert.equal(numberAt(body, 'customer', 'paid_usd'), numberAt(body, 'orders', 0, 'total_usd'));
  assert.equal(numberAt(body, 'customer', 'open_tickets'), 1);
  assert.equal(textAt(body, 'orders', 0, 'number'), order.number);
  assert.equal(textAt(body, 'tickets', 0, 'title'), 'A parcel');
  assert.equal(textAt(body, 'reviews', 0, 'text'), 'Quiet');
  assert.equal(listAt(body, 'sessions').length, 1);
});

test('[OPS-14] a block ends the sessions of a customer in every process', async () => {
  const customer = await createCustomer(shop);
  const client = await new LiveClient(other.url).signIn(customer.token);
  assert.equal((await act(customer.id, 'block')).status, 200);
  assert.equal(await client.waitForClose(), 4401);
  const headers = { authorization: `Bearer ${customer.token}` };
  for (const { url } of [shop, other]) {
    assert.equal((await fetch(`${url}/api/users/user`, { headers })).status, 401);
  }
  assert.equal((await act(customer.id, 'block')).status, 200, 'idempotent');
  assert.deepEqual(await list(`q=${customer.username}&show=blocked`), [customer.username]);
  assert.deepEqual(await listActions(customer.id), ['account.blocked']);
});

test('[OPS-14] reports a block after the right password only', async () => {
  const customer = await createCustomer(shop);
  await act(customer.id, 'block');
  const logIn = (username: string, password: string) =>
    shop.api('POST', '/users/login', { body: { username, password } });
  const wrong = await logIn(customer.username, 'not the password');
  const unknown = await logIn(`nobody-${Date.now()}`, 'not the password');
  assert.equal(readErrorCode(wrong), '401 invalid-credentials');
  assert.deepEqual(wrong.body, unknown.body);
  for (const name of [customer.username, customer.email]) {
    assert.equal(readErrorCode(await logIn(name, 'crypto-market')), '403 blocked');
  }
  assert.equal((await act(customer.id, 'unblock')).status, 200);
  assert.equal((await logIn(customer.username, 'crypto-market')).status, 200);
  assert.deepEqual(await listActions(customer.id), ['account.blocked', 'account.unblocked']);
});

test('[OPS-14] an open order of a blocked customer stays payable by its link', async () => {
  const order = await createOrder(shop, `payer-${Date.now()}`);
  const link = textAt((await get(`/orders/${order.id}/timeline`, order.token)).body, 'pay_path');
  await act(await findUserId(order.token), 'block');
  const page = await fetch(`${shop.url}${link}`);
  assert.equal(page.status, 200);
  assert.ok((await page.text()).includes(order.address));
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const { body } = await get(`/support/orders/${order.id}`);
  assert.equal(valueAt(body, 'order', 'payment_status'), 'paid');
});

/** Blocks an account whose session goes on, as for a call that was under way. */
const blockQuietly = (userId: string) =>
  runWithShopDatabase(shop, (db) => sql`update users set blocked_at = now() where id = ${userId}`.execute(db));

test('[OPS-14] refuses checkout, requote and cart merge of a blocked customer', async () => {
  const token = await createStockBuyer(shop, `blocked-${Date.now()}`, await findFirstProduct(shop));
  await blockQuietly(await findUserId(token));
  const checkout = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(readErrorCode(checkout), '403 blocked');
  assert.equal(listAt((await get('/cart', token)).body, 'cart_items').length, 1, 'the cart stays');
  assert.equal(readErrorCode(await shop.api('POST', '/orders/transfer-cart', { token })), '403 blocked');

  const order = await createOrder(shop, `requoter-${Date.now()}`);
  await runWithShopDatabase(shop, (db) =>
    sql`update orders set payment_status = 'expired', is_open = false, expired_at = now() where id = ${order.id}`.execute(
      db,
    ),
  );
  await blockQuietly(await findUserId(order.token));
  const requote = await shop.api('POST', `/orders/${order.id}/requote`, { token: order.token });
  assert.equal(readErrorCode(requote), '403 blocked');
});

test('[OPS-14] no order is placed after a concurrent block', async () => {
  const product = await findFirstProduct(shop);
  for (let round = 0; round < 8; round += 1) {
    const token = await createStockBuyer(shop, `racer-${Date.now()}-${round}`, product);
    const id = await findUserId(token);
    const [checkout] = await Promise.all([
      shop.api('POST', '/cart/checkout', { token, body: BILLING }),
      act(id, 'block'),
    ]);
    assert.ok([201, 401, 403].includes(checkout.status), JSON.stringify(checkout.body));
    const placed = numberAt((await get(`/support/customers/${id}`)).body, 'customer', 'orders');
    assert.equal(placed, checkout.status === 201 ? 1 : 0);
    const { rows } = await runWithShopDatabase(shop, (db) =>
      sql`select from sessions where user_id = ${id}`.execute(db),
    );
    assert.equal(rows.length, 0);
  }
});

test('[OPS-14] no session outlives a concurrent block', async () => {
  for (let round = 0; round < 5; round += 1) {
    const customer = await createCustomer(shop);
    await Promise.all([...Array.from({ length: 4 }, () => signIn(shop, customer.username)), act(customer.id, 'block')]);
    const { body } = await get(`/support/customers/${customer.id}`);
    assert.deepEqual(listAt(body, 'sessions'), []);
  }
});

test('[OPS-14] shows no account of the team to anybody, nor its address', async () => {
  const owner = textAt((await signIn(shop, 'owner')).body, 'tokens', 'accessToken');
  const member = await createOrder(shop, `clerk-${Date.now()}`);
  const id = await findUserId(member.token);
  const ticketId = await createTicket(shop, member.token, 'A member asks');
  const email = textAt((await get('/users/user', member.token)).body, 'email');
  const body = { username: member.username, role: 'shipping' };
  assert.equal((await shop.api('PUT', '/staff/role', { token: owner, body })).status, 200);
  for (const token of [staff, owner]) {
    assert.equal((await get(`/support/customers/${id}`, token)).status, 404);
    for (const q of ['', member.username, email, member.number]) {
      const path = `/support/customers?q=${encodeURIComponent(q)}&sort=newest`;
      assert.ok(!JSON.stringify((await get(path, token)).body).includes(id), path);
    }
    for (const path of [`/support/orders/${member.id}`, `/support/tickets/${ticketId}`, '/support/tickets']) {
      const read = await get(path, token);
      assert.equal(read.status, 200);
      assert.ok(!JSON.stringify(read.body).includes(email), path);
    }
    for (const path of ['/support/orders', '/support/tickets']) {
      const found = await get(`${path}?q=${encodeURIComponent(email)}`, token);
      assert.equal(numberAt(found.body, 'total'), 0, path);
    }
  }
});

test('[OPS-14] neither blocks nor erases accounts of staff', async () => {
  const ownerId = textAt((await signIn(shop, 'owner')).body, 'user', 'id');
  for (const action of ['block', 'end-sessions']) {
    assert.equal(readErrorCode(await act(ownerId, action)), '409 staff');
  }
  assert.equal(readErrorCode(await act(ownerId, 'erase', { username: 'owner' })), '409 staff');
});

test('[OPS-14] ends all sessions of a customer, who can log in again', async () => {
  const customer = await createCustomer(shop);
  assert.equal((await act(customer.id, 'end-sessions')).status, 200);
  assert.equal((await get('/users/user', customer.token)).status, 401);
  assert.equal((await signIn(shop, customer.username)).status, 200);
  assert.deepEqual(await listActions(customer.id), ['account.sessions_ended']);
});

const ageSessions = (db: Db) =>
  sql`update sessions set authenticated_at = authenticated_at - interval '1 day' from users
    where users.id = user_id and username = 'staff'`.execute(db);

test('[OPS-14] erases a customer with a typed name and a recent password', async () => {
  const customer = await createCustomer(shop);
  await createTicket(shop, customer.token, 'A canary');
  const body = { username: customer.username };
  await runWithShopDatabase(shop, ageSessions);
  const path = `/support/customers/${customer.id}/erase`;
  assert.equal(readErrorCode(await shop.api('POST', path, { token: staff, body, password: null })), '401 reauth');
  staff = textAt((await signIn(shop, 'staff')).body, 'tokens', 'accessToken');
  assert.equal(readErrorCode(await act(customer.id, 'erase', { username: 'somebody' })), '400 invalid');
  assert.equal((await act(customer.id, 'erase', body)).status, 200);
  assert.equal((await get(`/support/customers/${customer.id}`)).status, 404);
  assert.deepEqual(await list(`q=${customer.username}`), []);
  assert.equal((await act(customer.id, 'erase', body)).status, 404);
  assert.deepEqual(await listActions(customer.id), ['account.erased']);
});

test('[OPS-14] keeps a customer with an open order', async () => {
  const order = await createOrder(shop, `keeper-${Date.now()}`);
  const id = await findUserId(order.token);
  const refused = await act(id, 'erase', { username: order.username });
  assert.equal(readErrorCode(refused), '409 order-open');
  assert.ok(textAt(refused.body, 'error', 'message').includes(order.number));
  assert.deepEqual(await listActions(id), []);
});
