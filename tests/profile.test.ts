/** Account changes by users, against a running shop: name, address, password, sessions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LiveClient } from './support/live-client.ts';
import { keysAt, listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const PASSWORD = 'crypto-market';
const ABSENT_ID = '019a0000-0000-7000-8000-000000000000';
let count = 0;

interface Customer {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly token: string;
}

const logIn = (username: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  shop.api('POST', '/users/login', { body: { username, password }, headers });
async function createCustomer(): Promise<Customer> {
  const username = `changer ${(count += 1)}`;
  const email = `changer${count}@profile.example`;
  await shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } });
  const { body } = await logIn(username);
  return { id: textAt(body, 'user', 'id'), username, email, token: textAt(body, 'tokens', 'accessToken') };
}

const change = ({ id, token }: Customer, body: unknown) => shop.api('PUT', `/users/${id}`, { token, body });
const readUser = (token: string) => shop.api('GET', '/users/user', { token });
const readError = ({ status, body }: ApiResponse) => [status, textAt(body, 'error', 'code')];
const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
const listMailsTo = async (email: string): Promise<readonly unknown[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body);
/** The newest mail with this subject, once it was sent. */
async function waitForMail(email: string, subject: string, skip = 0): Promise<string> {
  const listMatching = async () => (await listMailsTo(email)).filter((mail) => textAt(mail, 'subject') === subject);
  await waitUntil(async () => (await listMatching()).length > skip);
  return textAt((await listMatching())[0], 'text');
}
const listen = (token: string): Promise<LiveClient> => new LiveClient(shop.url).signIn(token);
const CONFIRM = 'Please confirm your email address';
const readToken = (mail: string): string => /\/confirm-email\/([\w-]{43})/.exec(mail)?.[1] ?? assert.fail(mail);
const confirm = (token: string) => shop.api('POST', '/users/confirm-email', { body: { token } });
const isConfirmed = async ({ token }: Customer): Promise<unknown> =>
  valueAt((await shop.api('GET', '/users/email-confirmation', { token })).body, 'is_confirmed');

test('[API-08] [API-13] changes name, address and password alone or together', async () => {
  const customer = await createCustomer();
  const renamed = await change(customer, { username: `${customer.username} II` });
  const expected = { id: customer.id, email: customer.email, tickets: [], orders: [], role: 'customer' };
  assert.deepEqual([renamed.status, renamed.body], [200, { ...expected, username: `${customer.username} II` }]);
  assert.deepEqual((await readUser(customer.token)).body, renamed.body);
  const all = { username: `${customer.username} III`, email: 'third@profile.example', password: 'another-password' };
  const changed = await change(customer, all);
  assert.deepEqual(changed.body, { ...expected, username: all.username, email: all.email });
  assert.equal((await logIn(all.username)).status, 401);
  for (const name of [all.username, all.email]) assert.equal((await logIn(name, all.password)).status, 200);
  for (const nothing of [{}, { password: '' }, { email: all.email, username: all.username, password: '' }]) {
    assert.deepEqual((await change(customer, nothing)).body, changed.body);
  }
  assert.equal((await logIn(all.username, all.password)).status, 200, 'an empty password is unchanged');
});

test('[API-00] [API-08] returns 404 identically for a foreign and a missing user', async () => {
  const [customer, stranger] = [await createCustomer(), await createCustomer()];
  const body = { username: 'stolen', password: 'stolen-password' };
  const foreign = await shop.api('PUT', `/users/${stranger.id}`, { token: customer.token, body });
  const missing = await shop.api('PUT', `/users/${ABSENT_ID}`, { token: customer.token, body });
  assert.deepEqual([foreign.status, foreign.body], [404, missing.body]);
  assert.equal((await logIn(stranger.username)).status, 200);
});

test('[API-01] ignores unknown fields and refuses wrong types', async () => {
  const customer = await createCustomer();
  const more = { role: 'owner', id: ABSENT_ID, is_demo: true, email_confirmed_at: '2026-01-01', password_hash: 'x' };
  const { body, status } = await change(customer, { username: customer.username, ...more });
  assert.deepEqual([status, textAt(body, 'role'), textAt(body, 'id')], [200, 'customer', customer.id]);
  assert.deepEqual(keysAt(body).toSorted(), ['email', 'id', 'orders', 'role', 'tickets', 'username']);
  assert.equal(await isConfirmed(customer), false);
  for (const [field, value] of [
    ['username', ' '],
    ['username', '\u200b'],
    ['username', 'else@profile.example'],
    ['email', 'nowhere'],
    ['email', null],
    ['password', '12345'],
    ['password', 'password1'],
  ] as const) {
    const refused = await change(customer, { [field]: value });
    assert.deepEqual(readError(refused), [400, 'invalid'], `${field} ${value}`);
    assert.deepEqual(keysAt(refused.body, 'error', 'fields'), [field]);
    assert.equal(textAt(refused.body, 'error', 'message'), 'Update failed');
  }
});

test('[API-08] returns 409 for a taken name, also under concurrency', async () => {
  const [customer, otherCustomer] = [await createCustomer(), await createCustomer()];
  const name = await change(customer, { username: otherCustomer.username.toUpperCase() });
  assert.deepEqual([...readError(name), keysAt(name.body, 'error', 'fields')], [409, 'taken', ['username']]);
  const address = await change(customer, { email: otherCustomer.email.toUpperCase() });
  assert.deepEqual([...readError(address), keysAt(address.body, 'error', 'fields')], [409, 'taken', ['email']]);
  const all = await Promise.all(Array.from({ length: 6 }, createCustomer));
  for (const body of [{ username: 'wanted by all' }, { email: 'wanted@profile.example' }]) {
    const statuses = await Promise.all(all.map(async (user) => (await change(user, body)).status));
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409, 409],
    );
  }
});

test('[API-08] requires recent authentication for address and password', async () => {
  const customer = await createCustomer();
  const other = textAt((await logIn(customer.username)).body, 'tokens', 'accessToken');
  try {
    await moveClock(16 * 60);
    for (const body of [{ email: 'later@profile.example' }, { password: 'later-password' }]) {
      assert.deepEqual(readError(await change(customer, body)), [401, 'reauth']);
    }
    assert.equal((await readUser(customer.token)).status, 200, 'the session stays valid');
    assert.equal((await change(customer, { username: `${customer.username} later` })).status, 200);
    assert.equal((await change(customer, { email: customer.email, password: '' })).status, 200);
    const reauthenticate = (password: string) =>
      shop.api('POST', '/users/reauthenticate', { token: customer.token, body: { password } });
    assert.deepEqual(readError(await reauthenticate('wrong-password')), [403, 'wrong-password']);
    assert.deepEqual(readError(await change(customer, { password: 'later-password' })), [401, 'reauth']);
    assert.deepEqual((await reauthenticate(PASSWORD)).body, { message: 'success' });
    assert.deepEqual(
      readError(await shop.api('PUT', `/users/${customer.id}`, { token: other, body: { password: 'later-password' } })),
      [401, 'reauth'],
      'for the one session only',
    );
    assert.equal((await change(customer, { password: 'later-password' })).status, 200);
  } finally {
    await moveClock(0);
  }
});

test('[API-08] ends other sessions and sends a notice for a new password', async () => {
  const customer = await createCustomer();
  const other = textAt((await logIn(customer.username)).body, 'tokens', 'accessToken');
  const [ownChannel, otherChannel] = [await listen(customer.token), await listen(other)];
  assert.equal((await change(customer, { password: 'another-password' })).status, 200);
  assert.equal((await readUser(other)).status, 401);
  assert.equal(await otherChannel.waitForClose(), 4401, 'its live channel too');
  assert.ok(ownChannel.isOpen);
  ownChannel.close();
  assert.equal((await readUser(customer.token)).status, 200);
  const mail = await waitForMail(customer.email, 'Your password was changed');
  assert.match(mail, /^Hello, on .* the password of your account was changed/m);
  assert.doesNotMatch(mail, /another-password/);
});

test('[ACC-12] confirms an address once by the mailed link', async () => {
  const customer = await createCustomer();
  assert.equal(await isConfirmed(customer), false);
  const token = readToken(await waitForMail(customer.email, CONFIRM));
  for (const wrong of ['', 'x', 'x'.repeat(43)])
    assert.deepEqual(readError(await confirm(wrong)), [400, 'invalid-link']);
  const responses = await Promise.all(Array.from({ length: 8 }, () => confirm(token)));
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, ...Array.from({ length: 7 }, () => 400)],
  );
  assert.equal(await isConfirmed(customer), true);
  const reauthenticate = await shop.api('POST', '/users/send-confirmation', { token: customer.token });
  assert.deepEqual(reauthenticate.body, { is_confirmed: true });
  assert.equal((await listMailsTo(customer.email)).length, 1);
});

test('[ACC-12] accepts a link for three days and can resend it', async () => {
  const customer = await createCustomer();
  const first = readToken(await waitForMail(customer.email, CONFIRM));
  try {
    await moveClock(3 * 24 * 3600 + 60);
    assert.deepEqual(readError(await confirm(first)), [400, 'invalid-link']);
    const sent = await shop.api('POST', '/users/send-confirmation', { token: customer.token });
    assert.deepEqual(sent.body, { is_confirmed: false });
    const second = readToken(await waitForMail(customer.email, CONFIRM, 1));
    assert.notEqual(second, first);
    await shop.api('POST', '/users/reauthenticate', { token: customer.token, body: { password: PASSWORD } });
    const moved = { ...customer, email: 'moved@profile.example' };
    assert.equal((await change(customer, { email: moved.email })).status, 200);
    assert.deepEqual(readError(await confirm(second)), [400, 'invalid-link'], 'it was for the previous address');
    const mail = await waitForMail(customer.email, 'Your email address was changed');
    assert.doesNotMatch(mail, /moved@/);
    const third = readToken(await waitForMail(moved.email, CONFIRM));
    assert.equal((await confirm(third)).status, 200);
    assert.equal(await isConfirmed(moved), true);
    assert.equal((await change(moved, { email: customer.email })).status, 200);
    assert.equal(await isConfirmed(moved), false, 'another address needs its own confirmation');
  } finally {
    await moveClock(0);
  }
});

test('[DASH-02] lists sessions with devices and ends one’s own only', async () => {
  const [customer, stranger] = [await createCustomer(), await createCustomer()];
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:149.0) Gecko/20100101 Firefox/149.0';
  const otherSessions = [];
  for (const headers of [{ 'user-agent': agent }, {}]) {
    otherSessions.push(textAt((await logIn(customer.username, PASSWORD, headers)).body, 'tokens', 'accessToken'));
  }
  const list = async () =>
    listAt((await shop.api('GET', '/users/sessions', { token: customer.token })).body, 'sessions');
  const sessions = await list();
  assert.equal(sessions.length, 3);
  assert.equal(sessions.filter((session) => valueAt(session, 'is_current') === true).length, 1);
  assert.deepEqual(keysAt(sessions[0]).toSorted(), ['created_at', 'device', 'id', 'is_current', 'last_seen_at']);
  const windows = sessions.find((session) => textAt(session, 'device') === 'Firefox on Windows');
  const path = `/users/sessions/${textAt(windows, 'id')}`;
  const foreign = await shop.api('DELETE', path, { token: stranger.token });
  const missing = await shop.api('DELETE', `/users/sessions/${ABSENT_ID}`, { token: stranger.token });
  assert.deepEqual([foreign.status, foreign.body], [404, missing.body]);
  assert.equal((await shop.api('DELETE', path, { token: customer.token })).status, 200);
  assert.equal((await readUser(otherSessions[0] ?? '')).status, 401);
  assert.equal((await list()).length, 2);
  assert.deepEqual((await shop.api('DELETE', '/users/sessions', { token: customer.token })).body, { ended: 1 });
  assert.equal((await readUser(otherSessions[1] ?? '')).status, 401);
  assert.equal((await readUser(customer.token)).status, 200);
  assert.equal((await readUser(stranger.token)).status, 200);
});

test('[API-00] limits reauthentication to five wrong passwords a minute', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const login = await limited.api('POST', '/users/login', { body: { username: 'bob', password: PASSWORD } });
    const token = textAt(login.body, 'tokens', 'accessToken');
    const reauthenticate = (password: string) =>
      limited.api('POST', '/users/reauthenticate', { token, body: { password } });
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await reauthenticate('wrong-password')).status);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
    assert.equal((await reauthenticate(PASSWORD)).status, 429);
    assert.equal(
      (await limited.api('POST', '/users/login', { body: { username: 'bob', password: PASSWORD } })).status,
      200,
    );
  } finally {
    await limited.stop();
  }
});
