import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';

// With rate limits, which must leave room for a customer and for these tests.
let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
});
after(() => shop.stop());

const BROWSER = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
let count = 0;

async function register(): Promise<{ username: string; email: string; password: string }> {
  count += 1;
  const account = { username: `Customer ${count}`, email: `customer${count}@shop.example`, password: 'crypto-market' };
  const response = await shop.api('POST', '/users/register', { body: account });
  assert.deepEqual([response.status, response.body], [201, { message: 'success' }]);
  return account;
}

const logIn = (username: string, password = 'crypto-market', headers: Record<string, string> = {}, cookie?: string) =>
  shop.api('POST', '/users/login', { body: { username, password }, headers, ...(cookie ? { cookie } : {}) });
const readUser = (token: string, cookie?: string) =>
  shop.api('GET', '/users/user', { token, ...(cookie ? { cookie } : {}) });

/** The Set-Cookie header of a cookie. */
const setCookie = (response: ApiResponse, name: string): string | undefined =>
  response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
const readCookiePair = (line: string | undefined): string => line?.split(';')[0] ?? '';
const readError = (response: ApiResponse) => [
  response.status,
  textAt(response.body, 'error', 'code'),
  textAt(response.body, 'error', 'message'),
];

test('[API-08] [API-13] registers, logs in and out without a browser', async () => {
  const { username, email } = await register();
  const signedIn = await logIn(username);
  assert.equal(signedIn.status, 200);
  assert.deepEqual(signedIn.headers.getSetCookie(), []);
  assert.equal(signedIn.headers.get('cache-control'), 'no-store');
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  const user = valueAt(signedIn.body, 'user');
  assert.deepEqual(user, { id: textAt(user, 'id'), username, email, tickets: [], orders: [], role: 'customer' });
  assert.deepEqual(signedIn.body, { user, tokens: { accessToken: token }, cart_preserved: false });

  const seen = await readUser(token);
  assert.deepEqual([seen.status, seen.body, seen.headers.get('cache-control')], [200, user, 'no-store']);
  assert.deepEqual((await shop.api('POST', '/users/logout', { token })).body, { message: 'success' });
  assert.equal((await readUser(token)).status, 401);
});

test('[API-08] [API-14] refuses a taken name or address by field', async () => {
  const { username, email } = await register();
  for (const [body, field] of [
    [{ username: username.toUpperCase(), email: 'free@shop.example' }, 'username'],
    [{ username: 'free', email: email.toUpperCase() }, 'email'],
  ] as const) {
    const refused = await shop.api('POST', '/users/register', { body: { ...body, password: 'crypto-market' } });
    assert.deepEqual(readError(refused), [409, 'taken', 'Registration failed']);
    assert.equal(textAt(refused.body, 'message'), 'error');
    assert.deepEqual(Object.keys(valueAt(refused.body, 'error', 'fields') ?? {}), [field]);
  }
});

test('[ACC-01] [API-08] refuses invalid names, addresses and passwords by field', async () => {
  const valid = { username: 'somebody', email: 'somebody@shop.example', password: 'crypto-market' };
  for (const [field, value] of [
    ['username', ''],
    ['username', ' '],
    ['username', 7],
    ['username', 'a\u0000b'],
    ['email', 'somebody'],
    ['email', 'somebody@shop.e'],
    ['password', '12345'],
    ['password', '123456'],
    ['password', 'x'.repeat(129)],
  ] as const) {
    const refused = await shop.api('POST', '/users/register', { body: { ...valid, [field]: value } });
    assert.equal(refused.status, 400, `${field} ${value}`);
    assert.equal(textAt(refused.body, 'message'), 'error');
    assert.deepEqual(Object.keys(valueAt(refused.body, 'error', 'fields') ?? {}), [field]);
  }
});

test('[API-00] ignores a role and id in a registration', async () => {
  const id = '019a0000-0000-7000-8000-000000000001';
  const body = {
    username: 'climber',
    email: 'climber@shop.example',
    password: 'crypto-market',
    role: 'owner',
    id,
    is_demo: true,
  };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  const { body: signedIn } = await logIn('climber');
  assert.equal(textAt(signedIn, 'user', 'role'), 'customer');
  assert.notEqual(textAt(signedIn, 'user', 'id'), id);
});

test('[API-08] lets one of ten concurrent registrations succeed without a 5xx', async () => {
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      shop.api('POST', '/users/register', {
        body: { username: 'Popular', email: `popular${at}@shop.example`, password: 'crypto-market' },
      }),
    ),
  );
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201, 409]));
  assert.equal(all.filter(({ status }) => status === 201).length, 1);
});

test('[ACC-04] [API-14] responds identically to a wrong password and an unknown name', async () => {
  const { username } = await register();
  const [wrong, unknown] = await Promise.all([logIn(username, 'wrong'), logIn('nobody at all', 'wrong')]);
  assert.deepEqual(readError(wrong), [401, 'invalid-credentials', 'Login failed']);
  assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body]);
});

test('[API-00] returns 429 with Retry-After after too many wrong passwords', async () => {
  const { username } = await register();
  for (let attempt = 0; attempt < 5; attempt += 1) assert.equal((await logIn(username, 'wrong')).status, 401);
  const refused = await logIn(username);
  assert.deepEqual(readError(refused), [429, 'too-often', 'Login failed']);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60);
});

test('sets an HttpOnly session cookie that the token requires', async () => {
  const { username } = await register();
  const signedIn = await logIn(username, undefined, BROWSER);
  const line = setCookie(signedIn, 'session');
  assert.match(line ?? '', /^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  assert.equal((await readUser(token, readCookiePair(line))).status, 200);
  for (const cookie of [undefined, 'session=', `session=${token}`])
    assert.equal((await readUser(token, cookie)).status, 401);
  // On /api the cookie alone does not authenticate.
  assert.equal((await shop.api('GET', '/users/user', { cookie: readCookiePair(line) })).status, 401);
});

test('[ACC-08] ends the session and clears cookies at logout, whatever the token', async () => {
  const { username } = await register();
  const signedIn = await logIn(username, undefined, BROWSER);
  const cookie = readCookiePair(setCookie(signedIn, 'session'));
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  const isCleared = (response: ApiResponse): boolean =>
    ['session', 'guest_user_id'].every((name) =>
      /Max-Age=0|Expires=Thu, 01 Jan 1970/.test(setCookie(response, name) ?? ''),
    );

  // Without its cookie the token is invalid and ends no session.
  assert.ok(isCleared(await shop.api('POST', '/users/logout', { token })));
  assert.equal((await readUser(token, cookie)).status, 200);
  assert.ok(isCleared(await shop.api('POST', '/users/logout', { token, cookie })));
  assert.equal((await readUser(token, cookie)).status, 401);
  const again = await shop.api('POST', '/users/logout', { token, cookie });
  assert.deepEqual([again.status, again.body, isCleared(again)], [200, { message: 'success' }, true]);
});

test('[API-00] refuses an invalid token on open calls too', async () => {
  for (const token of ['x', 'x'.repeat(43)]) {
    assert.equal((await shop.api('GET', '/cart', { token })).status, 401);
    assert.equal((await shop.api('GET', '/products', { token })).status, 401);
  }
});

test('[ACC-11] [CART-08] merges the guest cart at login and clears the cookie', async () => {
  const { username } = await register();
  const productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  const added = await shop.api('POST', '/cart/add', { body: { product_id: productId, quantity: 2 } });
  const cookie = readCookiePair(setCookie(added, 'guest_user_id'));
  assert.notEqual(cookie, '');
  const signedIn = await logIn(username, undefined, {}, cookie);
  assert.equal(valueAt(signedIn.body, 'cart_preserved'), true);
  assert.match(setCookie(signedIn, 'guest_user_id') ?? '', /Max-Age=0|Expires=Thu, 01 Jan 1970/);
  const token = textAt(signedIn.body, 'tokens', 'accessToken');

  // A second login with the old cookie adds nothing.
  const again = await logIn(username, undefined, {}, cookie);
  assert.equal(valueAt(again.body, 'cart_preserved'), false);
  const cart = (await shop.api('GET', '/cart', { token })).body;
  assert.deepEqual(
    listAt(cart, 'cart_items').map((item) => [textAt(item, 'product_id'), valueAt(item, 'quantity')]),
    [[productId, 2]],
  );
});

test('[API-00] refuses cross-site login and logout', async () => {
  for (const path of ['/users/login', '/users/logout']) {
    const body = { username: 'alice', password: 'crypto-market' };
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const refused = await shop.api('POST', path, { body, headers, cookie: 'session=x' });
      assert.equal(refused.status, 403);
      assert.deepEqual(refused.headers.getSetCookie(), []);
    }
  }
});

const sendLoginForm = (username: string, password: string) =>
  fetch(`${shop.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: BROWSER,
    body: new URLSearchParams({ username, password }),
  });

test('[ACC-09] [ACC-14] a login form sets the session cookie and hands the token over', async () => {
  const { username, password } = await register();
  const sent = await sendLoginForm(username, password);
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/dashboard']);
  assert.match(sent.headers.get('cache-control') ?? '', /no-store/);
  const cookies = sent.headers.getSetCookie();
  const session = cookies.find((line) => line.startsWith('session='));
  assert.match(session ?? '', /HttpOnly; SameSite=Lax$/);
  const handover = /^login_token=([\w-]+); Path=\/; Max-Age=300; SameSite=Strict$/m.exec(cookies.join('\n'));
  const user = await readUser(handover?.[1] ?? '', readCookiePair(session));
  assert.equal(textAt(user.body, 'username'), username);
  assert.equal((await readUser(handover?.[1] ?? '')).status, 401);
});

test('[API-14] a page refuses a body that is no form', async () => {
  for (const path of ['/login', '/registration', '/lost-password', '/cart', '/contact', '/login.data']) {
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      const body = Object.keys(headers).length === 0 ? null : '{}';
      const { status } = await fetch(`${shop.url}${path}`, { method: 'POST', headers, body });
      assert.equal(status, 415, path);
    }
  }
});

test('[ACC-14] [API-14] login forms count against the limits of passwords', async () => {
  const { username, password } = await register();
  const statuses: number[] = [];
  while (!statuses.includes(429)) {
    assert.ok(statuses.length < 100, 'a limit ends the attempts');
    statuses.push((await sendLoginForm(username, 'wrong horse')).status);
  }
  assert.equal(statuses[0], 401);
  const refused = await (await sendLoginForm(username, password)).text();
  assert.match(refused, /Too many attempts\./);
  assert.doesNotMatch(refused, /wrong horse|crypto-market"/);
});

const registerAddress = (email: string) => {
  count += 1;
  return shop.api('POST', '/users/register', {
    body: { username: `Customer ${count}`, email, password: 'crypto-market' },
  });
};

test('[ACC-01] takes addresses that mails can be sent to, and no others', async () => {
  for (const email of ['a..b@shop.example', 'x.@shop.example', 'ada@exam,ple.com', 'ada@-shop.example']) {
    const refused = await registerAddress(email);
    assert.equal(refused.status, 400, email);
    assert.equal(textAt(refused.body, 'error', 'fields', 'email'), 'is not a valid email address');
  }
  for (const email of ['ada@bücher.example', 'ada@例え.テスト', '\u200bbea＠shop.example ']) {
    assert.equal((await registerAddress(email)).status, 201, email);
  }
});
