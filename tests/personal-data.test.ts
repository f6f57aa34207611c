/** Export and deletion of personal data. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { findTraces } from './support/find-traces.ts';
import { keysAt, listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let product: string;
before(async () => {
  shop = await startTestShop();
  product = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
after(() => shop.stop());

const PASSWORD = 'crypto-market';
const ABSENT_ID = '019a0000-0000-7000-8000-000000000000';
const REFUND_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
let count = 0;

interface Customer {
  /** A marker contained in every text of this customer. */
  readonly mark: string;
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly token: string;
}

async function createCustomer(): Promise<Customer> {
  const mark = `canary${(count += 1)}yranac`;
  const username = `Canarina ${mark}`;
  const email = `${mark}@mail.example`;
  await shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } });
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });
  return { mark, id: textAt(body, 'user', 'id'), username, email, token: textAt(body, 'tokens', 'accessToken') };
}

const createBilling = ({ mark }: Pick<Customer, 'mark'>) => ({
  firstName: `Ada ${mark}`,
  lastName: `Lovelace ${mark}`,
  // Without postcodes, so that any text is one.
  region: 'Asia',
  country: 'HK',
  streetAddress: `${mark} Street`,
  houseNumber: mark,
  city: mark,
  postcode: mark,
  phone: '+852 5550 0199',
  note: `Whistle like a ${mark}`,
});
async function order(customer: Customer): Promise<string> {
  const { token } = customer;
  await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
  const headers = { 'idempotency-key': `canary-${(count += 1)}` };
  const checkout = await shop.api('POST', '/cart/checkout', { token, body: createBilling(customer), headers });
  assert.equal(checkout.status, 201, JSON.stringify(checkout.body));
  return textAt(checkout.body, 'order', 'id');
}
async function pay(orderId: string): Promise<void> {
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
}
const send = (db: Db, orderId: string) =>
  sql`update orders set fulfilment_status = 'shipped' where id = ${orderId}`.execute(db);
const listMailsTo = async (email: string): Promise<readonly string[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${email}`)).body).map((mail) => textAt(mail, 'text'));
async function confirm({ email }: Customer): Promise<void> {
  const listTokens = async () =>
    (await listMailsTo(email)).flatMap((mail) => /\/confirm-email\/([\w-]{43})/.exec(mail)?.[1] ?? []);
  await waitUntil(async () => (await listTokens()).length > 0);
  const [token] = await listTokens();
  assert.equal((await shop.api('POST', '/users/confirm-email', { body: { token } })).status, 200);
}
const write = ({ mark, email }: Pick<Customer, 'mark' | 'email'>, message: string) =>
  shop.api('POST', '/contact', { body: { firstName: mark, lastName: mark, email, message: `${message} ${mark}` } });

/** Creates a ticket with a message, and a review that staff approve. */
async function createTicket({ mark, token }: Customer): Promise<void> {
  const draft = { title: `Title ${mark}`, theme: `Theme ${mark}`, description: `Description ${mark}` };
  const ticket = await shop.api('POST', '/tickets/create', { token, body: draft });
  assert.equal(ticket.status, 201, JSON.stringify(ticket.body));
  const message = { ticket_id: textAt(ticket.body, 'id'), message: `Message ${mark}` };
  assert.equal((await shop.api('POST', '/tickets/messages', { token, body: message })).status, 201);
}
async function review({ mark, token }: Customer): Promise<void> {
  const body = { product_id: product, rating: 5, text: `Sings like a ${mark}` };
  const written = await shop.api('POST', '/reviews', { token, body });
  assert.equal(written.status, 201, JSON.stringify(written.body));
  const login = await shop.api('POST', '/users/login', { body: { username: 'staff', password: PASSWORD } });
  const staff = textAt(login.body, 'tokens', 'accessToken');
  const path = `/support/reviews/${textAt(written.body, 'id')}/approve`;
  assert.equal((await shop.api('POST', path, { token: staff })).status, 200);
  assert.ok(await isReviewShown(mark));
}
const isReviewShown = async (mark: string): Promise<boolean> =>
  JSON.stringify((await shop.api('GET', `/reviews/product/${product}`)).body).includes(mark);

const read = ({ id, token }: Customer) => shop.api('GET', `/users/${id}/data`, { token });
const remove = ({ id, token, username }: Customer, typed = username) =>
  shop.api('DELETE', `/users/${id}`, { token, body: { username: typed } });
const readErrorCode = ({ status, body }: ApiResponse) => [status, textAt(body, 'error', 'code')];

test('[PRIV-01] exports all data of the user and of no other', async () => {
  const [customer, other] = [await createCustomer(), await createCustomer()];
  const [mine, others] = [await order(customer), await order(other)];
  await shop.api('PUT', `/orders/${mine}/refund-address`, { token: customer.token, body: { address: REFUND_ADDRESS } });
  await write(customer, 'Do you have canaries?');
  await createTicket(customer);
  await createTicket(other);
  const response = await read(customer);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.json"$/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const { body } = response;
  const parts = [
    'cart',
    'contact_messages',
    'exported_at',
    'invoices',
    'orders',
    'reviews',
    'serial_numbers',
    'sessions',
    'stock_alerts',
    'tickets',
    'user',
  ];
  assert.deepEqual(keysAt(body).toSorted(), parts);
  // The order is not paid.
  assert.deepEqual(listAt(body, 'invoices'), []);
  const [ticket, ...otherTickets] = listAt(body, 'tickets');
  assert.deepEqual([textAt(ticket, 'title'), otherTickets], [`Title ${customer.mark}`, []]);
  assert.equal(textAt(listAt(ticket, 'messages')[0], 'message'), `Message ${customer.mark}`);
  assert.deepEqual(
    [textAt(body, 'user', 'username'), textAt(body, 'user', 'email'), textAt(body, 'user', 'role')],
    [customer.username, customer.email, 'customer'],
  );
  assert.equal(listAt(body, 'sessions').length, 1);
  const [kept, ...rest] = listAt(body, 'orders');
  assert.deepEqual([textAt(kept, 'id'), textAt(kept, 'refund_address'), rest], [mine, REFUND_ADDRESS, []]);
  assert.equal(textAt(kept, 'billing', 'streetAddress'), `${customer.mark} Street`);
  const whole = JSON.stringify(body);
  for (const theirs of [others, other.mark, other.id]) assert.ok(!whole.includes(theirs));
  for (const secret of ['argon2', customer.token]) assert.ok(!whole.includes(secret));
  // An unconfirmed address may belong to somebody else, and so may messages from it.
  assert.deepEqual(listAt(body, 'contact_messages'), []);
  await confirm(customer);
  const [message] = listAt((await read(customer)).body, 'contact_messages');
  assert.equal(textAt(message, 'message'), `Do you have canaries? ${customer.mark}`);
  const foreign = await shop.api('GET', `/users/${customer.id}/data`, { token: other.token });
  const missing = await shop.api('GET', `/users/${ABSENT_ID}/data`, { token: other.token });
  assert.deepEqual([foreign.status, foreign.body], [404, missing.body]);
});

test('[PRIV-02] deletes an account only for its owner, without open orders', async () => {
  const [customer, other] = [await createCustomer(), await createCustomer()];
  const body = { username: customer.username };
  const foreign = await shop.api('DELETE', `/users/${customer.id}`, { token: other.token, body });
  const missing = await shop.api('DELETE', `/users/${ABSENT_ID}`, { token: other.token, body });
  assert.deepEqual([foreign.status, foreign.body], [404, missing.body]);
  const orderId = await order(customer);
  const open = await remove(customer);
  assert.deepEqual(readErrorCode(open), [409, 'order-open']);
  assert.match(textAt(open.body, 'error', 'message'), /^Order CM-\d+ is open\. Pay it, cancel it/);
  await pay(orderId);
  const unsent = await remove(customer);
  assert.deepEqual(readErrorCode(unsent), [409, 'order-unshipped']);
  assert.match(textAt(unsent.body, 'error', 'message'), /is paid and not shipped yet/);
  await runWithShopDatabase(shop, (db) => send(db, orderId));
  assert.deepEqual(readErrorCode(await remove(customer, 'Canarina')), [400, 'invalid']);
  try {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 16 * 60 } });
    assert.deepEqual(readErrorCode(await remove(customer)), [401, 'reauth']);
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
  assert.equal((await shop.api('GET', '/users/user', { token: customer.token })).status, 200);
  const staff = await shop.api('POST', '/users/login', { body: { username: 'owner', password: PASSWORD } });
  const owner = { mark: '', id: textAt(staff.body, 'user', 'id'), username: 'owner', email: '' };
  assert.deepEqual(readErrorCode(await remove({ ...owner, token: textAt(staff.body, 'tokens', 'accessToken') })), [
    409,
    'staff',
  ]);
});

test('[PRIV-02] no column contains personal data of a deleted account', async () => {
  const customer = await createCustomer();
  const { token, id, mark } = customer;
  await confirm(customer);
  const cancelled = await order(customer);
  await shop.api('PUT', `/orders/${cancelled}/refund-address`, { token, body: { address: REFUND_ADDRESS } });
  await shop.api('POST', `/orders/${cancelled}/cancel`, { token });
  const withdrawal = { name: mark, units: null, acknowledgement_email: null, reason: mark };
  const named = { order_number: mark, order_email: customer.email };
  for (const chosen of [{ order_id: cancelled }, named]) {
    const body = { ...withdrawal, ...chosen, key: randomUUID() };
    assert.equal((await shop.api('POST', '/withdrawal', { token, body })).status, 201);
  }
  await shop.api('POST', '/withdrawal/link', { body: named });
  const orderId = await order(customer);
  await pay(orderId);
  await write(customer, 'It sings');
  await createTicket(customer);
  await review(customer);
  await waitUntil(async () =>
    (await listMailsTo('support@shop.example')).some((text) => text.includes(`Title ${mark}`)),
  );
  // A former address, unused codes, wrong passwords for the name, and a cart.
  const moved = { ...customer, email: `moved-${customer.mark}@mail.example` };
  assert.equal((await shop.api('PUT', `/users/${id}`, { token, body: { email: moved.email } })).status, 200);
  await confirm(moved);
  await write(moved, 'It sings again');
  for (const email of [moved.email, 'nobody@mail.example']) {
    await shop.api('POST', '/users/request-password-reset', { body: { email } });
  }
  await shop.api('POST', '/users/reset-password', {
    body: { email: moved.email, code: 'ABCDEFGH', newPassword: 'another-password' },
  });
  await shop.api('POST', '/users/login', { body: { username: moved.email, password: 'wrong' } });
  await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
  // A mail that is still being written would be stored after the deletion.
  await waitUntil(async () => {
    const mails = [...(await listMailsTo(customer.email)), ...(await listMailsTo(moved.email))];
    return [/^Code: /m, /This is your receipt/].every((text) => mails.some((mail) => text.test(mail)));
  });

  await runWithShopDatabase(shop, async (db) => {
    await send(db, orderId);
    assert.ok((await findTraces(db, mark)).length > 8, 'there is data to delete');
    const [booked] = (await sql`select count(*) as n, sum(total_cents) as sum from orders`.execute(db)).rows;

    const deleted = await remove(moved);
    assert.deepEqual([deleted.status, deleted.body], [200, { message: 'success' }]);
    assert.deepEqual(await findTraces(db, mark), []);
    await waitUntil(async () => !(await isReviewShown(mark)));
    const { rows: billings } = await sql<{ billing: unknown }>`
      select billing from orders where user_id = ${id}
    `.execute(db);
    assert.ok(billings.length > 0);
    for (const { billing: kept } of billings) {
      assert.deepEqual([textAt(kept, 'country'), textAt(kept, 'lastName')], ['HK', 'removed']);
    }
    assert.deepEqual((await sql`select count(*) as n, sum(total_cents) as sum from orders`.execute(db)).rows, [booked]);
    const payments = await sql`select 1 from payment_outputs where order_id = ${orderId}`.execute(db);
    assert.equal(payments.rows.length, 1);
  });

  assert.equal((await shop.api('GET', '/users/user', { token })).status, 401);
  for (const name of [customer.username, moved.email, 'Deleted customer', `deleted:${id}`]) {
    const login = await shop.api('POST', '/users/login', { body: { username: name, password: PASSWORD } });
    assert.deepEqual(readErrorCode(login), [401, 'invalid-credentials'], name);
  }
  const again = { username: customer.username, email: customer.email, password: PASSWORD };
  assert.equal((await shop.api('POST', '/users/register', { body: again })).status, 201, 'the name is free again');
});

test('[PRIV-02] a concurrent checkout prevents the deletion or finds no cart', async () => {
  for (let round = 0; round < 6; round += 1) {
    const customer = await createCustomer();
    await shop.api('POST', '/cart/add', { token: customer.token, body: { product_id: product, quantity: 1 } });
    const [made, deleted] = await Promise.all([
      shop.api('POST', '/cart/checkout', { token: customer.token, body: createBilling(customer) }),
      remove(customer),
    ]);
    assert.ok([201, 400, 401, 409].includes(made.status), JSON.stringify(made.body));
    assert.equal(deleted.status, made.status === 201 ? 409 : 200, JSON.stringify([made.body, deleted.body]));
  }
});

test('[PRIV-02] refuses deletion while a late payment is unconfirmed', async () => {
  const customer = await createCustomer();
  const orderId = await order(customer);
  try {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 3 * 3600 } });
    await waitForPayment(customer, orderId, 'expired', 'expired');
    await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
    await waitForPayment(customer, orderId, 'expired', 'late');
    await reauthenticate(customer);
    assert.deepEqual(readErrorCode(await remove(customer)), [409, 'payment-under-way']);
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
  // Accepted or not, the order has its address.
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const orderResponse = await shop.api('GET', `/orders/${orderId}`, { token: customer.token });
  assert.equal(textAt(orderResponse.body, 'order', 'billing', 'city'), customer.mark);
});

test('[PRIV-02] refuses deletion while a cancelled order holds a payment', async () => {
  const customer = await createCustomer();
  const orderId = await order(customer);
  await shop.api('POST', `/orders/${orderId}/cancel`, { token: customer.token });
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await waitForPayment(customer, orderId, 'cancelled', 'late');
  const refused = await remove(customer);
  assert.deepEqual(readErrorCode(refused), [409, 'payment-under-way']);
  assert.match(
    textAt(refused.body, 'error', 'message'),
    /^The payment for order CM-\d+ is still being processed\. Open the order/,
  );
});

test('[PRIV-02] refuses deletion while a payment is reorganised out', async () => {
  const customer = await createCustomer();
  const orderId = await order(customer);
  await pay(orderId);
  await waitForPayment(customer, orderId, 'paid', 'paid');
  await runWithShopDatabase(shop, (db) => send(db, orderId));
  await shop.api('POST', '/dev/reorg', { body: { depth: 6 } });
  await waitForPayment(customer, orderId, 'user_paid', 'reorged_out');
  assert.deepEqual(readErrorCode(await remove(customer)), [409, 'payment-under-way']);
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  await waitForPayment(customer, orderId, 'paid', 'paid');
  assert.equal((await remove(customer)).status, 200);
});

test('[PRIV-02] a payment after deletion does not pay an expired order', async () => {
  const customer = await createCustomer();
  const orderId = await order(customer);
  try {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 3 * 3600 } });
    await waitForPayment(customer, orderId, 'expired', 'expired');
    await reauthenticate(customer);
    assert.equal((await remove(customer)).status, 200);
    await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
    await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
    await runWithShopDatabase(shop, async (db) => {
      const readStored = async () =>
        (
          await sql<{ payment_status: string; received: bigint }>`
            select payment_status, recorded_received_sats as received from orders where id = ${orderId}`.execute(db)
        ).rows[0];
      await waitUntil(async () => ((await readStored())?.received ?? 0n) > 0n);
      assert.equal((await readStored())?.payment_status, 'cancelled');
    });
  } finally {
    await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  }
});

async function waitForPayment({ token }: Customer, orderId: string, status: string, state: string): Promise<void> {
  await waitUntil(async () => {
    const { body } = await shop.api('GET', `/orders/${orderId}`, { token });
    return textAt(body, 'order', 'payment_status') === status && textAt(body, 'order', 'payment', 'state') === state;
  });
}
const reauthenticate = ({ token }: Customer) =>
  shop.api('POST', '/users/reauthenticate', { token, body: { password: PASSWORD } });
