/** Abuse of other people's accounts, against a shop with its rate limits on. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

// Behind a proxy, so that each request names its client address.
let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
});
after(() => shop.stop());

const PASSWORD = 'crypto-market';
let count = 0;

/** A new address; each is used by one test only. */
const createAddress = (): string => `203.0.${Math.floor((count += 1) / 250)}.${(count % 250) + 1}`;
const postFrom = (ip: string, path: string, body: unknown, cookie = ''): Promise<ApiResponse> =>
  shop.api('POST', path, {
    body,
    headers: { 'x-forwarded-for': ip, 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
    ...(cookie === '' ? {} : { cookie }),
  });
const logIn = (ip: string, username: string, password = PASSWORD, cookie = '') =>
  postFrom(ip, '/users/login', { username, password }, cookie);
const requestCode = (ip: string, email: string, cookie = '') =>
  postFrom(ip, '/users/request-password-reset', { email }, cookie);
const readCookie = (response: ApiResponse, name: string): string =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

async function createCustomer(): Promise<{ readonly username: string; readonly email: string }> {
  const username = `target ${(count += 1)}`;
  const email = `target${count}@abuse.example`;
  const response = await postFrom(createAddress(), '/users/register', { username, email, password: PASSWORD });
  assert.equal(response.status, 201);
  return { username, email };
}
const listMailsTo = async (email: string, subject: string): Promise<readonly string[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body)
    .filter((mail) => textAt(mail, 'subject') === subject)
    .map((mail) => textAt(mail, 'text'));
const waitForCodes = async (email: string, atLeast: number): Promise<readonly string[]> => {
  const listSent = () => listMailsTo(email, 'Your password reset code');
  await waitUntil(async () => (await listSent()).length >= atLeast);
  return (await listSent()).map((text) => /^Code: ([A-Z2-7]{8})$/m.exec(text)?.[1] ?? assert.fail(text));
};

test('[OPS-26] keeps a known device unlocked after a stranger’s wrong passwords', async () => {
  const { username } = await createCustomer();
  const ownAddress = createAddress();
  const first = await logIn(ownAddress, username);
  const device = readCookie(first, 'device');
  assert.match(device, /^device=[\w.~-]+$/);
  assert.match(first.headers.getSetCookie().join('\n'), /^device=[^\n]*HttpOnly; SameSite=Lax/m);
  const stranger = createAddress();
  for (let guess = 0; guess < 8; guess += 1) await logIn(stranger, username, 'wrong-password');
  assert.equal((await logIn(stranger, username)).status, 429, 'the limit of the address is used up');
  assert.equal((await logIn(ownAddress, username, PASSWORD, device)).status, 200);
  assert.equal((await logIn(createAddress(), username, PASSWORD, device)).status, 200, 'also from another address');
});

test('[OPS-26] keeps staff unlocked after a stranger’s wrong passwords', async () => {
  const device = readCookie(await logIn(createAddress(), 'staff'), 'device');
  const stranger = createAddress();
  for (let guess = 0; guess < 8; guess += 1) await logIn(stranger, 'staff', 'wrong-password');
  assert.equal((await logIn(createAddress(), 'staff', PASSWORD, device)).status, 200);
});

test('[OPS-26] ten of ten unknown devices log in while one address guesses', async () => {
  const stranger = createAddress();
  const statuses = [];
  for (let login = 0; login < 10; login += 1) {
    for (let guess = 0; guess < 5; guess += 1) await logIn(stranger, 'staff', 'wrong-password');
    statuses.push((await logIn(createAddress(), 'staff')).status);
  }
  assert.deepEqual(statuses, Array<number>(10).fill(200));
});

test('[OPS-26] unknown devices log in while sixty addresses guess', async () => {
  const { username } = await createCustomer();
  const strangers = Array.from({ length: 60 }, createAddress);
  await Promise.all(strangers.map((stranger) => logIn(stranger, username, 'wrong-password')));
  for (let login = 0; login < 3; login += 1) assert.equal((await logIn(createAddress(), username)).status, 200);
});

test('[OPS-17] [OPS-26] forgets the known devices of a promoted account', async () => {
  const { username } = await createCustomer();
  const device = readCookie(await logIn(createAddress(), username), 'device');
  const owner = await logIn(createAddress(), 'owner');
  const promoted = await shop.api('PUT', '/staff/role', {
    token: textAt(owner.body, 'tokens', 'accessToken'),
    cookie: readCookie(owner, 'session'),
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username, role: 'support' },
  });
  assert.equal(promoted.status, 200, JSON.stringify(promoted.body));
  const known = readCookie(await logIn(createAddress(), username), 'device');
  const stranger = createAddress();
  for (let guess = 0; guess < 8; guess += 1) await logIn(stranger, username, 'wrong-password');
  assert.equal((await logIn(stranger, username, PASSWORD, device)).status, 429, 'known before the promotion');
  assert.equal((await logIn(stranger, username, PASSWORD, known)).status, 200, 'known since the promotion');
});

test('[OPS-26] limits a known device to five wrong passwords', async () => {
  const { username } = await createCustomer();
  const device = readCookie(await logIn(createAddress(), username), 'device');
  const statuses = [];
  for (let guess = 0; guess < 6; guess += 1) {
    statuses.push((await logIn(createAddress(), username, 'wrong-password', device)).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  assert.equal((await logIn(createAddress(), username)).status, 200, 'others have their own limit');
});

test('[OPS-26] treats a forged or foreign device cookie as unknown', async () => {
  const [target, other] = [await createCustomer(), await createCustomer()];
  const targetCookie = readCookie(await logIn(createAddress(), target.username), 'device');
  const otherCookie = readCookie(await logIn(createAddress(), other.username), 'device');
  const stranger = createAddress();
  for (let guess = 0; guess < 5; guess += 1) await logIn(stranger, target.username, 'wrong-password');
  const forged = targetCookie.replaceAll(/\.[\w-]{5}/g, '.AAAAA');
  for (const cookie of ['', 'device=x', otherCookie, forged]) {
    assert.equal((await logIn(stranger, target.username, PASSWORD, cookie)).status, 429, cookie);
  }
});

test('[OPS-26] refuses an address with too many failures before counting the account', async () => {
  const { username } = await createCustomer();
  const stranger = createAddress();
  for (let guess = 0; guess < 30; guess += 1) await logIn(stranger, `nobody ${guess}`, 'wrong-password');
  for (let guess = 0; guess < 10; guess += 1) {
    assert.equal((await logIn(stranger, username, 'wrong-password')).status, 429);
  }
  assert.equal((await logIn(createAddress(), username)).status, 200, 'the limit of the account is unused');
});

test('[OPS-26] keeps reauthentication possible after wrong passwords at login', async () => {
  const { username } = await createCustomer();
  const signedIn = await logIn(createAddress(), username);
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  const cookie = readCookie(signedIn, 'session');
  const stranger = createAddress();
  for (let guess = 0; guess < 8; guess += 1) await logIn(stranger, username, 'wrong-password');
  const reauthenticate = (password: string) =>
    shop.api('POST', '/users/reauthenticate', {
      token,
      cookie,
      body: { password },
      headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': stranger },
    });
  assert.equal((await reauthenticate(PASSWORD)).status, 200);
  for (let guess = 0; guess < 5; guess += 1) assert.equal((await reauthenticate('wrong-password')).status, 403);
  assert.equal((await reauthenticate(PASSWORD)).status, 429);
});

test('[OPS-26] the tenth wrong password in a row ends the session', async () => {
  const { username } = await createCustomer();
  const open = async (): Promise<string> =>
    textAt(
      (await shop.api('POST', '/users/login', { body: { username, password: PASSWORD } })).body,
      'tokens',
      'accessToken',
    );
  const [token, other] = [await open(), await open()];
  const reauthenticate = async (password: string): Promise<string> => {
    const { status, body } = await shop.api('POST', '/users/reauthenticate', {
      token,
      body: { password },
      password: null,
    });
    if (status !== 429) return status === 200 ? '200' : `${status} ${textAt(body, 'error', 'code')}`;
    // Minutes pass between the guesses.
    await runWithShopDatabase(shop, (db) =>
      sql`delete from rate_limits where key like 'login-failures-device%'`.execute(db),
    );
    return reauthenticate(password);
  };
  for (let guess = 0; guess < 9; guess += 1) assert.equal(await reauthenticate('wrong'), '403 wrong-password');
  assert.equal(await reauthenticate(PASSWORD), '200');
  for (let guess = 0; guess < 9; guess += 1) assert.equal(await reauthenticate('wrong'), '403 wrong-password');
  assert.equal(await reauthenticate('wrong'), '401 session-ended');
  assert.equal(await reauthenticate(PASSWORD), '401 unauthenticated');
  assert.equal((await shop.api('GET', '/users/user', { token: other })).status, 200, 'other sessions go on');
});

test('[OPS-26] shares a limit among addresses of an IPv6 /64', async () => {
  const { username } = await createCustomer();
  for (let guess = 0; guess < 30; guess += 1)
    await logIn(`2001:db8:1:2::${guess}`, `nobody six ${guess}`, 'wrong-password');
  assert.equal((await logIn('2001:db8:1:2:ffff::1', username)).status, 429);
  assert.equal((await logIn('2001:db8:1:3::1', username)).status, 200);
});

test('[ACC-07] [OPS-26] lets the owner reset despite a stranger’s requests', async () => {
  const { email } = await createCustomer();
  const stranger = createAddress();
  for (let request = 0; request < 3; request += 1) assert.equal((await requestCode(stranger, email)).status, 200);
  const refused = await requestCode(stranger, email);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) <= 3600);
  const owner = createAddress();
  assert.equal((await requestCode(owner, email)).status, 200);
  const [code = ''] = await waitForCodes(email, 4);
  const reset = await postFrom(owner, '/users/reset-password', { email, code, newPassword: 'another-password' });
  assert.equal(reset.status, 200);
});

test('[ACC-07] [OPS-26] keeps the limit of a known device separate', async () => {
  const { username, email } = await createCustomer();
  const device = readCookie(await logIn(createAddress(), username), 'device');
  const statuses = [];
  for (let request = 0; request < 9; request += 1) statuses.push((await requestCode(createAddress(), email)).status);
  // Six for all unknown devices, and one reserved for a known device.
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 429, 429]);
  assert.equal((await requestCode(createAddress(), email, device)).status, 200);
  const mails = await waitForCodes(email, 8);
  assert.equal(mails.length, 8);
});

test('[ACC-07] [OPS-26] keeps the attempts of a known device separate', async () => {
  const { username, email } = await createCustomer();
  const device = readCookie(await logIn(createAddress(), username), 'device');
  await requestCode(createAddress(), email, device);
  const [code = ''] = await waitForCodes(email, 1);
  const stranger = createAddress();
  const reset = (ip: string, typed: string, cookie = '') =>
    postFrom(ip, '/users/reset-password', { email, code: typed, newPassword: 'another-password' }, cookie);
  for (let guess = 0; guess < 6; guess += 1) assert.equal((await reset(stranger, 'AAAAAAAA')).status, 400);
  assert.equal((await reset(createAddress(), code)).status, 400, 'the attempts of unknown devices are used up');
  assert.equal((await reset(createAddress(), code, device)).status, 200);
});

test('[ACC-07] [OPS-26] marks the browser as known after a reset', async () => {
  const { username, email } = await createCustomer();
  const owner = createAddress();
  await requestCode(owner, email);
  const [code = ''] = await waitForCodes(email, 1);
  const done = await postFrom(owner, '/users/reset-password', { email, code, newPassword: 'another-password' });
  const device = readCookie(done, 'device');
  const stranger = createAddress();
  for (let guess = 0; guess < 6; guess += 1) await logIn(stranger, username, 'wrong-password');
  assert.equal((await logIn(owner, username, 'another-password', device)).status, 200);
});

test('[OPS-26] limits an address to 60 new accounts an hour', async () => {
  const ip = createAddress();
  const opened: number[] = [];
  for (let at = 0; at < 61; at += 1) {
    const body = { username: `flood ${at}`, email: `flood${at}@abuse.example`, password: PASSWORD };
    opened.push((await postFrom(ip, '/users/register', body)).status);
  }
  assert.deepEqual([opened.filter((status) => status === 201).length, opened.at(-1)], [60, 429]);
  await createCustomer();
});

test('[OPS-26] limits an address to 300 new guest carts an hour', async () => {
  const ip = createAddress();
  const product = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  const add = (cookie = '') => postFrom(ip, '/cart/add', { product_id: product, quantity: 1 }, cookie);
  const first = await add();
  const responses = await Promise.all(Array.from({ length: 300 }, () => add()));
  assert.equal(responses.filter(({ status }) => status === 200).length, 299);
  assert.equal(responses.filter(({ status }) => status === 429).length, 1);
  assert.equal((await add(readCookie(first, 'guest_user_id'))).status, 200, 'an existing cart can still be filled');
});

test('[OPS-26] limits promo code guesses per address across accounts', async () => {
  const ip = createAddress();
  const guess = (token: string) =>
    shop.api('POST', '/promocodes/apply', { token, body: { code: 'GUESS' }, headers: { 'x-forwarded-for': ip } });
  const statuses = [];
  for (let account = 0; account < 3; account += 1) {
    const { username } = await createCustomer();
    const body = { username, password: PASSWORD };
    const signedIn = await shop.api('POST', '/users/login', { body, headers: { 'x-forwarded-for': createAddress() } });
    const token = textAt(signedIn.body, 'tokens', 'accessToken');
    for (let at = 0; at < 25; at += 1) statuses.push((await guess(token)).status);
  }
  assert.equal(statuses.filter((status) => status === 404).length, 60);
  assert.deepEqual(new Set(statuses.slice(60)), new Set([429]));
});

test('[OPS-26] limits tickets per address across accounts', async () => {
  const ip = createAddress();
  const statuses = [];
  for (let account = 0; account < 11; account += 1) {
    const { username } = await createCustomer();
    const body = { username, password: PASSWORD };
    const signedIn = await shop.api('POST', '/users/login', { body, headers: { 'x-forwarded-for': createAddress() } });
    const token = textAt(signedIn.body, 'tokens', 'accessToken');
    for (const title of ['One', 'Two']) {
      const draft = { title, theme: 'Delivery', description: 'Where is it?' };
      const response = await shop.api('POST', '/tickets/create', {
        token,
        body: draft,
        headers: { 'x-forwarded-for': ip },
      });
      statuses.push(response.status);
    }
  }
  assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.at(-1)], [20, 429]);
});

test('[OPS-26] limits contact messages per address across a restart', async () => {
  const ip = createAddress();
  const write = (message: string) =>
    postFrom(ip, '/contact', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@abuse.example', message });
  for (let at = 0; at < 5; at += 1) assert.equal((await write(`Message ${at}`)).status, 201);
  await shop.restart();
  assert.equal((await write('Message 6')).status, 429);
});

test('[OPS-26] [OPS-20] logs X-Forwarded-For without TRUST_PROXY once', async () => {
  const plain = await startTestShop({ settings: { TRUST_PROXY: '0' } });
  try {
    const countWarnings = (): number => plain.readOutput().split('A request carries X-Forwarded-For').length - 1;
    await plain.api('GET', '/faq');
    assert.equal(countWarnings(), 0);
    for (let at = 0; at < 3; at += 1) await plain.api('GET', '/faq', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    await waitUntil(() => countWarnings() > 0);
    assert.equal(countWarnings(), 1);
  } finally {
    await plain.stop();
  }
});
