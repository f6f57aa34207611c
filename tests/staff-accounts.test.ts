/** Accounts with a role, over HTTP: their sessions, passwords and entries of the audit log. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import './support/built-pages.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import type { ApiResponse } from './support/api-client.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { enterPassword } from './support/totp-app.ts';
import { waitUntil } from './support/wait-until.ts';

const PASSWORD = 'crypto-market';
const SHORT = 'elevenchars';
const HOUR_S = 3600;
const BROWSER = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  owner = await logIn('owner');
});
after(() => shop.stop());
afterEach(() => moveClock(0));

const moveClock = (seconds: number) => shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
const logIn = async (username: string, password = PASSWORD): Promise<string> =>
  textAt((await enterPassword(shop, username, password)).body, 'tokens', 'accessToken');
const readStatus = async (token: string, path = '/users/user'): Promise<number> =>
  (await shop.api('GET', path, { token })).status;
const readError = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const setRole = async (username: string, role: string): Promise<void> => {
  const changed = await shop.api('PUT', '/staff/role', { token: owner, body: { username, role } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
};

let count = 0;
async function register(password = PASSWORD): Promise<{ readonly username: string; readonly email: string }> {
  const username = `person${(count += 1)}`;
  const email = `${username}@staff.example`;
  const registered = await shop.api('POST', '/users/register', { body: { username, email, password } });
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  return { username, email };
}

async function createMember(role = 'support', password = PASSWORD): Promise<string> {
  const { username } = await register(password);
  await setRole(username, role);
  return username;
}

async function readResetCode(email: string): Promise<string> {
  await shop.api('POST', '/users/request-password-reset', { body: { email } });
  const readMails = async () => JSON.stringify((await shop.api('GET', `/dev/mail?to=${email}`)).body);
  await waitUntil(async () => /Code: [A-Z2-7]{8}/.test(await readMails()));
  return /Code: ([A-Z2-7]{8})/.exec(await readMails())?.[1] ?? '';
}

interface BrowserLogin {
  readonly token: string;
  /** Of the session, as a browser sends it. */
  readonly cookie: string;
}

const readSessionCookie = ({ headers }: ApiResponse): string =>
  headers
    .getSetCookie()
    .find((one) => one.startsWith('session='))
    ?.split(';')[0] ?? '';

async function logInWithBrowser(username: string): Promise<BrowserLogin> {
  const body = { username, password: PASSWORD };
  const response = await shop.api('POST', '/users/login', { headers: BROWSER, body });
  return { token: textAt(response.body, 'tokens', 'accessToken'), cookie: readSessionCookie(response) };
}

const readPage = async (path: string, cookie: string): Promise<string> => {
  const response = await fetch(`${shop.url}${path}`, { headers: { cookie } });
  return response.text();
};

test('[OPS-17] a promotion ends the sessions from before it', async () => {
  const { username } = await register();
  const asCustomer = await logIn(username);
  await setRole(username, 'shipping');
  assert.equal(await readStatus(asCustomer), 401, 'of a customer');
  const asShipping = await logIn(username);
  assert.equal(await readStatus(asShipping, '/support/orders'), 200);
  for (const role of ['support', 'manager', 'owner']) {
    const earlier = await logIn(username);
    await setRole(username, role);
    assert.equal(await readStatus(earlier), 401, `before ${role}`);
  }
  const asOwner = await logIn(username);
  await setRole(username, 'owner');
  await setRole(username, 'support');
  assert.deepEqual([await readStatus(asOwner), await readStatus(asOwner, '/staff')], [200, 403], 'a lower role');
});

test('[OPS-17] a promotion ends reset codes from before it', async () => {
  const { username, email } = await register();
  const code = await readResetCode(email);
  await setRole(username, 'support');
  const body = { email, code, newPassword: 'quite another one' };
  assert.equal(readError(await shop.api('POST', '/users/reset-password', { body })), '400 invalid-code');
});

test('[OPS-17] a session of the team ends 24 hours after the login', async () => {
  const member = await createMember();
  const { username: customer } = await register();
  const tokens = { member: await logIn(member), customer: await logIn(customer) };
  for (const hours of [11, 22]) {
    await moveClock(hours * HOUR_S);
    assert.deepEqual(
      [await readStatus(tokens.member), await readStatus(tokens.customer)],
      [200, 200],
      `${hours} hours`,
    );
  }
  await moveClock(24 * HOUR_S - 60);
  assert.equal(await readStatus(tokens.member), 200, 'a minute before');
  await moveClock(24 * HOUR_S + 1);
  assert.deepEqual([await readStatus(tokens.member), await readStatus(tokens.customer)], [401, 200]);
});

test('[OPS-17] the login page says why a session of the team ended', async () => {
  const tooOld = 'sessions of the team end 24 hours after the login';
  const idle = 'sessions of the team end after 12 hours without a visit';
  const { token, cookie } = await logInWithBrowser(await createMember());
  assert.equal((await fetch(`${shop.url}/login`, { headers: { cookie }, redirect: 'manual' })).status, 302);
  await moveClock(12 * HOUR_S + 1);
  assert.match(await readPage('/admin', cookie), new RegExp(idle));
  await moveClock(11 * HOUR_S);
  assert.equal((await shop.api('GET', '/users/user', { token, cookie, headers: BROWSER })).status, 200);
  await moveClock(22 * HOUR_S);
  assert.equal((await shop.api('GET', '/users/user', { token, cookie, headers: BROWSER })).status, 200);
  await moveClock(24 * HOUR_S + 1);
  const page = await readPage('/admin', cookie);
  assert.match(page, new RegExp(tooOld));
  assert.doesNotMatch(page, new RegExp(idle));
  assert.doesNotMatch(await readPage('/login', 'session=unknown'), /You were logged out/);
});

test('[DASH-02] the settings of a member list active sessions only', async () => {
  const member = await createMember();
  await logIn(member);
  await moveClock(13 * HOUR_S);
  const token = await logIn(member);
  const { body } = await shop.api('GET', '/users/sessions', { token });
  assert.equal(listAt(body, 'sessions').length, 1);
});

test('[OPS-17] the back office is closed to a short password until it is replaced', async () => {
  const username = await createMember('support', SHORT);
  const login = await enterPassword(shop, username, SHORT);
  const token = textAt(login.body, 'tokens', 'accessToken');
  const id = textAt(login.body, 'user', 'id');
  assert.equal(readError(await shop.api('GET', '/support/orders', { token })), '403 password-too-short');
  assert.equal(readError(await shop.api('GET', '/second-factor', { token })), '403 password-too-short');
  const change = (password: string) => shop.api('PUT', `/users/${id}`, { token, body: { password } });
  const refused = await change('elevenchar2');
  assert.equal(readError(refused), '400 invalid');
  assert.equal(textAt(refused.body, 'error', 'fields', 'password'), 'must be at least 12 characters');
  assert.equal(await readStatus(token, '/support/orders'), 403, 'nothing was stored');
  assert.equal((await change('twelve-chars')).status, 200);
  assert.equal(await readStatus(token, '/support/orders'), 200);
  assert.equal(await readStatus(await logIn(username, 'twelve-chars'), '/support/orders'), 200);
});

test('[OPS-17] a page of the back office leads to the form for a longer password', async () => {
  const username = await createMember('support', SHORT);
  const body = { username, password: SHORT };
  const cookie = readSessionCookie(await shop.api('POST', '/users/login', { headers: BROWSER, body }));
  const response = await fetch(`${shop.url}/admin/orders`, { headers: { cookie }, redirect: 'manual' });
  assert.deepEqual([response.status, response.headers.get('location')], [302, '/admin/security']);
  const page = await readPage('/admin/security', cookie);
  assert.match(page, /too short for a member of the team/);
  assert.match(page, /At least 12 characters\./);
  assert.match(await readPage('/dashboard/settings', cookie), /Account details/);
});

test('[ACC-07] a reset of a member’s password requires twelve characters', async () => {
  const { username, email } = await register();
  await setRole(username, 'support');
  const code = await readResetCode(email);
  const reset = (newPassword: string) =>
    shop.api('POST', '/users/reset-password', { body: { email, code, newPassword } });
  const refused = await reset(SHORT);
  assert.equal(readError(refused), '400 invalid');
  assert.equal(textAt(refused.body, 'error', 'fields', 'newPassword'), 'must be at least 12 characters');
  assert.equal((await reset('twelve-chars')).status, 200, 'the code is still valid');
});

test('[ACC-01] customers need six characters', async () => {
  const { username } = await register('sixsix');
  const login = await enterPassword(shop, username, 'sixsix');
  const path = `/users/${textAt(login.body, 'user', 'id')}`;
  const token = textAt(login.body, 'tokens', 'accessToken');
  const changed = await shop.api('PUT', path, { token, body: { password: 'other6' } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(valueAt(changed.body, 'username'), username);
});
