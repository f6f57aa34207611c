/** Erasing an account removes what was sent to and from its addresses in any spelling, and what staff wrote. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import { silentLog } from './support/database.ts';
import { findTraces } from './support/find-traces.ts';
import { findFirstProduct } from './support/new-order.ts';
import { listAt, textAt } from './support/read-json.ts';
import type { ApiResponse } from './support/api-client.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { BILLING } from './support/stress-buyer.ts';
import { enterPassword } from './support/totp-app.ts';
import { waitUntil } from './support/wait-until.ts';

const PASSWORD = 'crypto-market';
const CONFIRMATION = /\/confirm-email\/([\w-]{43})/;

let shop: TestShop;
let database: Database;
let staff: string;
before(async () => {
  shop = await startTestShop();
  database = openDatabase({ connection: await shop.getConnection(), log: silentLog, poolSize: 1 });
  staff = textAt((await enterPassword(shop, 'staff')).body, 'tokens', 'accessToken');
});
after(async () => {
  await database.close();
  await shop.stop();
});

const succeed = async (called: Promise<ApiResponse>, what: string): Promise<unknown> => {
  const { status, body } = await called;
  assert.ok(status < 300, `${what}: ${status} ${JSON.stringify(body)}`);
  return body;
};
const asStaff = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown> =>
  succeed(shop.api(method, path, { token: staff, ...(body === undefined ? {} : { body }) }), path);

const countMails = async (recipient: string, text: RegExp): Promise<number> => {
  const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(recipient)}`);
  return listAt(body).filter((mail) => text.test(textAt(mail, 'text'))).length;
};

const countStored = async (text: string): Promise<number> =>
  (await sql`select from mails where text_body like ${`%${text}%`}`.execute(database.db)).rows.length;

interface Customer {
  readonly mark: string;
  readonly id: string;
  readonly token: string;
  readonly username: string;
}

async function confirm(address: string): Promise<void> {
  const find = async () => {
    const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(address)}`);
    return listAt(body).flatMap((mail) => CONFIRMATION.exec(textAt(mail, 'text'))?.[1] ?? []);
  };
  await waitUntil(async () => (await find()).length > 0);
  await succeed(shop.api('POST', '/users/confirm-email', { body: { token: (await find())[0] } }), 'confirm');
}

async function register(mark: string, email: string): Promise<Customer> {
  const username = `Spelled ${mark}`;
  await succeed(shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } }), 'register');
  const { body } = await enterPassword(shop, username);
  await confirm(email);
  return { mark, id: textAt(body, 'user', 'id'), token: textAt(body, 'tokens', 'accessToken'), username };
}

/** A contact message from this spelling, which staff answer: the answer is a mail to it. */
async function exchangeMessages({ mark }: Customer, email: string): Promise<void> {
  const body = { firstName: mark, lastName: mark, email, message: `From ${email}` };
  await succeed(shop.api('POST', '/contact', { body }), 'contact');
  const listed = listAt(await asStaff('GET', `/support/contact-messages?q=${mark}`), 'messages');
  const id = textAt(
    // The newest one; the shop composes the letters of an address.
    listed.find((one) => textAt(one, 'email').normalize('NFKC') === email.normalize('NFKC')),
    'id',
  );
  const answer = { text: `Dear ${mark}`, seen_answer_id: null };
  await asStaff('POST', `/support/contact-messages/${id}/answers`, answer);
  await asStaff('POST', `/support/contact-messages/${id}/state`, { is_done: true });
}

const storeMail = (event: string, recipient: string, mark: string) =>
  sql`insert into mails
  (event, outcome, at, recipient, subject, text_body, html_body)
  values (${event}, 'delivered', now(), ${recipient}, ${mark}, ${mark}, ${mark})`.execute(database.db);

/** What staff write about a ticket, an order and a review of the customer. */
async function writeAsStaff({ mark, token }: Customer): Promise<void> {
  const draft = { title: `Title ${mark}`, theme: `Theme ${mark}`, description: mark };
  const ticket = textAt(await succeed(shop.api('POST', '/tickets/create', { token, body: draft }), 'ticket'), 'id');
  const reply = { ticket_id: ticket, sender_type: 'support', message: `Dear ${mark}` };
  await asStaff('POST', '/tickets/messages', reply);
  await asStaff('POST', `/support/tickets/${ticket}/notes`, { text: `Called ${mark}` });
  await asStaff('POST', `/support/tickets/${ticket}/in-progress`);
  await asStaff('POST', `/support/tickets/${ticket}/close`);
  const product = await findFirstProduct(shop);
  await succeed(shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } }), 'add');
  const billing = { ...BILLING, firstName: mark, lastName: mark, city: mark, note: mark };
  const order = textAt(
    await succeed(shop.api('POST', '/cart/checkout', { token, body: billing }), 'order'),
    'order',
    'id',
  );
  await asStaff('POST', `/orders/${order}/notes`, { text: `Called ${mark}` });
  await asStaff('PUT', `/orders/${order}/address`, {
    firstName: mark,
    lastName: mark,
    streetAddress: mark,
    houseNumber: '1',
    city: mark,
    postcode: 'W8 4AA',
  });
  await succeed(shop.api('POST', '/dev/pay', { body: { order_id: order } }), 'pay');
  await succeed(shop.api('POST', '/dev/mine', { body: { blocks: 6 } }), 'mine');
  await waitUntil(async () => {
    const { body } = await shop.api('GET', `/orders/${order}`, { token });
    return textAt(body, 'order', 'payment_status') === 'paid';
  });
  const written = { product_id: product, rating: 5, text: `Sings like a ${mark}`, name: `Named ${mark}` };
  const review = textAt(await succeed(shop.api('POST', '/reviews', { token, body: written }), 'review'), 'id');
  await asStaff('POST', `/support/reviews/${review}/approve`);
  await asStaff('PUT', `/support/reviews/${review}/reply`, { text: `Thank you, ${mark}`, seen: null });
  await asStaff('POST', `/orders/${order}/ship`, { tracking_reference: `PARCEL-${mark}` });
}

const SPELLINGS = [
  {
    what: 'capital letters',
    registered: (mark: string) => `Ada.${mark}@Mail.Example`,
    others: (mark: string) => [`ada.${mark}@mail.example`, `ADA.${mark.toUpperCase()}@MAIL.EXAMPLE`],
  },
  {
    what: 'letters outside of ASCII',
    registered: (mark: string) => `JÖRG.${mark}@Mail.Example`,
    others: (mark: string) => [`jörg.${mark}@mail.example`, `Jörg.${mark}@MAIL.example`],
  },
  {
    what: 'composed letters',
    registered: (mark: string) => `Jörg.${mark}@mail.example`,
    others: (mark: string) => [`Jo\u0308rg.${mark}@mail.example`, `ｊörg.${mark}@mail.example`],
  },
];

for (const [index, { what, registered, others }] of SPELLINGS.entries()) {
  test(`[PRIV-02] erases what was exchanged with an address with ${what}`, async () => {
    const mark = `erased${index}desare`;
    const customer = await register(mark, registered(mark));
    const spellings = [registered(mark), ...others(mark)];
    for (const [at, spelling] of spellings.entries()) {
      await exchangeMessages(customer, spelling);
      await storeMail(`spelling-${index}-${at}`, spelling, mark);
      await succeed(shop.api('POST', '/users/request-password-reset', { body: { email: spelling } }), 'reset');
    }
    await waitUntil(async () => {
      const [answers, codes] = [await countStored(`Dear ${mark}`), await countMails(registered(mark), /^Code: /m)];
      return answers === spellings.length && codes === spellings.length;
    });
    const { id, token, username } = customer;
    const exported = await succeed(shop.api('GET', `/users/${id}/data`, { token }), 'export');
    assert.equal(listAt(exported, 'contact_messages').length, spellings.length);
    const moved = `Moved.${registered(mark)}`;
    await succeed(shop.api('PUT', `/users/${id}`, { token, body: { email: moved } }), 'move');
    await confirm(moved);
    await storeMail(`moved-${index}`, moved.toLowerCase(), mark);
    await writeAsStaff(customer);
    await waitUntil(async () => (await countMails(moved, /PARCEL-/)) > 0);
    assert.ok((await findTraces(database.db, mark)).length > 12, 'there is data to erase');
    await asStaff('POST', `/support/customers/${id}/erase`, { username });
    assert.deepEqual(await findTraces(database.db, mark), []);
  });
}

test('[PRIV-02] keeps the reset requests of who has a former address now', async () => {
  const email = 'former@mail.example';
  const customer = await register('former', email);
  const { id, token, username } = customer;
  await succeed(shop.api('PUT', `/users/${id}`, { token, body: { email: 'present@mail.example' } }), 'move');
  await succeed(
    shop.api('POST', '/users/register', { body: { username: 'Successor', email, password: PASSWORD } }),
    'successor',
  );
  await succeed(shop.api('POST', '/users/request-password-reset', { body: { email } }), 'reset');
  const countRequests = async (): Promise<number> =>
    (await sql`select from password_reset_requests where email_key = ${email}`.execute(database.db)).rows.length;
  assert.equal(await countRequests(), 1);
  await asStaff('POST', `/support/customers/${id}/erase`, { username });
  assert.equal(await countRequests(), 1);
});

test('[PRIV-02] erases the mails to an address that was never confirmed', async () => {
  const [username, email] = ['Unconfirmed erasable', 'unconfirmed.erasable@mail.example'];
  await succeed(shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } }), 'register');
  await waitUntil(async () => (await countMails(email, CONFIRMATION)) > 0);
  await storeMail('never-confirmed', email, 'neverconfirmed');
  const id = textAt((await enterPassword(shop, username)).body, 'user', 'id');
  await asStaff('POST', `/support/customers/${id}/erase`, { username });
  assert.equal(await countMails(email, CONFIRMATION), 0);
  assert.deepEqual(await findTraces(database.db, 'neverconfirmed'), []);
});
