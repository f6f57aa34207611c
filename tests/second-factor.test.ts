/** The second factor of the team, over HTTP. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import { createApiClient } from './support/api-client.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { enterCode, enterPassword, readPendingLogin, setUpApp, showCode, showWrongCode } from './support/totp-app.ts';
import { waitUntil } from './support/wait-until.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info' } });
  owner = textAt((await enterPassword(shop, 'owner')).body, 'tokens', 'accessToken');
});
after(() => shop.stop());
afterEach(() => shop.api('POST', '/dev/clock', { body: { offset_s: 0 } }));

let count = 0;
async function createMember(role = 'support', at = shop, ownerToken = owner): Promise<string> {
  const username = `member${(count += 1)}`;
  const body = { username, email: `${username}@team.example`, password: PASSWORD };
  assert.equal((await at.api('POST', '/users/register', { body })).status, 201);
  const changed = await at.api('PUT', '/staff/role', { token: ownerToken, body: { username, role } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  return username;
}

const readError = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const readToken = ({ body }: ApiResponse): string => textAt(body, 'tokens', 'accessToken');
const readMe = async (token: string): Promise<number> => (await shop.api('GET', '/users/user', { token })).status;
const logInWith = async (username: string, code: string): Promise<ApiResponse> =>
  enterCode(shop, readPendingLogin(await enterPassword(shop, username)), code);

test('[OPS-17] a login needs password and code, and the password alone opens nothing', async () => {
  const username = await createMember();
  const { secret } = await setUpApp(shop, username);
  const cookie = readPendingLogin(await enterPassword(shop, username));
  assert.equal((await shop.api('GET', '/users/user', { cookie })).status, 401);
  const token = cookie.split('=')[1] ?? '';
  assert.equal(await readMe(token), 401, 'its token is no bearer token');
  assert.equal(readError(await enterCode(shop, cookie, showWrongCode(secret))), '401 wrong-code');
  const done = await enterCode(shop, cookie, showCode(secret));
  assert.deepEqual([done.status, await readMe(readToken(done))], [200, 200]);
  assert.equal(valueAt(done.body, 'user', 'role'), 'staff');
});

test('[OPS-17] a code is accepted once, also in concurrent logins', async () => {
  const username = await createMember();
  const { secret } = await setUpApp(shop, username);
  const cookies = [];
  for (let login = 0; login < 5; login += 1) cookies.push(readPendingLogin(await enterPassword(shop, username)));
  const code = showCode(secret);
  const responses = await Promise.all(cookies.map((cookie) => enterCode(shop, cookie, code)));
  assert.deepEqual(responses.map(({ status }) => String(status)).toSorted(), ['200', '401', '401', '401', '401']);
  assert.equal(readError(await logInWith(username, code)), '401 wrong-code');
  assert.equal(readError(await logInWith(username, showCode(secret, -1))), '401 wrong-code', 'an earlier one');
  assert.equal((await logInWith(username, showCode(secret, 1))).status, 200);
});

test('[OPS-17] a pending login is completed once and ends after five codes', async () => {
  const username = await createMember();
  const { secret } = await setUpApp(shop, username);
  const used = readPendingLogin(await enterPassword(shop, username));
  assert.equal((await enterCode(shop, used, showCode(secret))).status, 200);
  assert.equal(readError(await enterCode(shop, used, showCode(secret, 1))), '401 login-expired');
  const guessed = readPendingLogin(await enterPassword(shop, username));
  for (let guess = 0; guess < 5; guess += 1) {
    assert.equal(readError(await enterCode(shop, guessed, showWrongCode(secret))), '401 wrong-code');
  }
  assert.equal(readError(await enterCode(shop, guessed, showCode(secret, 1))), '401 login-expired');
  assert.equal(readError(await enterCode(shop, 'pending_login=stolen', '123456')), '401 login-expired');
});

test('[OPS-17] a pending login ends after ten minutes and with a change of password', async () => {
  const username = await createMember();
  const { token, secret, recoveryCodes } = await setUpApp(shop, username);
  const stolen = readPendingLogin(await enterPassword(shop, username));
  const id = textAt((await shop.api('GET', '/users/user', { token })).body, 'id');
  const changed = await shop.api('PUT', `/users/${id}`, { token, body: { password: 'another long password' } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(readError(await enterCode(shop, stolen, showCode(secret))), '401 login-expired');
  const body = { username, password: 'another long password' };
  const late = readPendingLogin(await shop.api('POST', '/users/login', { body }));
  await shop.api('POST', '/dev/clock', { body: { offset_s: 601 } });
  assert.equal(readError(await enterCode(shop, late, recoveryCodes[0] ?? '')), '401 login-expired');
});

test('[OPS-17] each recovery code replaces a code of the app once, with a mail', async () => {
  const username = await createMember();
  const { recoveryCodes } = await setUpApp(shop, username);
  assert.equal(recoveryCodes.length, 10);
  const [first = '', second = ''] = recoveryCodes;
  const done = await logInWith(username, first.toLowerCase().replaceAll('-', ' '));
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal(readError(await logInWith(username, first)), '401 wrong-code');
  assert.equal((await logInWith(username, second)).status, 200);
  const state = await shop.api('GET', '/second-factor', { token: readToken(done) });
  assert.equal(numberAt(state.body, 'recovery_codes_left'), 8);
  await waitUntil(async () => {
    const { body } = await shop.api('GET', `/dev/mail?to=${username}@team.example`);
    return JSON.stringify(body).includes('A recovery code was used');
  });
});

test('[OPS-17] set-up ends all other sessions', async () => {
  const username = await createMember();
  const earlier = readToken(await enterPassword(shop, username));
  const { token } = await setUpApp(shop, username);
  assert.deepEqual([await readMe(earlier), await readMe(token)], [401, 200]);
});

test('[OPS-17] a set-up without a correct first code changes nothing', async () => {
  const username = await createMember();
  const token = readToken(await enterPassword(shop, username));
  const confirm = (code: string) => shop.api('POST', '/second-factor/confirm', { token, body: { code } });
  assert.equal(readError(await confirm('123456')), '409 not-started');
  const secret = textAt((await shop.api('POST', '/second-factor', { token })).body, 'secret');
  assert.equal(readError(await confirm(showWrongCode(secret))), '400 wrong-code');
  assert.equal((await enterPassword(shop, username)).status, 200);
  const { body } = await shop.api('GET', '/second-factor', { token });
  assert.deepEqual(body, {
    confirmed_at: null,
    passkeys: [],
    recovery_codes_left: 0,
    is_required: false,
    confirmed_with: null,
    pending_change: null,
  });
  const again = textAt((await shop.api('POST', '/second-factor', { token })).body, 'secret');
  assert.notEqual(again, secret);
  assert.equal(readError(await confirm(showCode(secret))), '400 wrong-code', 'the former secret');
  assert.equal((await confirm(showCode(again))).status, 200);
  assert.equal(readError(await shop.api('POST', '/second-factor', { token })), '409 already-set-up');
});

test('[OPS-17] removal and new recovery codes need the password and a code', async () => {
  const username = await createMember();
  const { token, secret, recoveryCodes } = await setUpApp(shop, username);
  const post = (path: string, code: string, password: string | null = null) =>
    shop.api('POST', `/second-factor/${path}`, { token, body: { code }, password });
  assert.equal(readError(await post('remove', showWrongCode(secret))), '400 wrong-code');
  const replaced = await post('recovery-codes', recoveryCodes[0] ?? '');
  assert.equal(replaced.status, 200);
  assert.equal(readError(await post('remove', recoveryCodes[1] ?? '')), '400 wrong-code', 'a replaced code');
  const fresh = textAt(replaced.body, 'recovery_codes', 0);
  await shop.api('POST', '/dev/clock', { body: { offset_s: 16 * 60 } });
  for (const path of ['remove', 'recovery-codes']) assert.equal(readError(await post(path, fresh)), '401 reauth');
  assert.equal(readError(await shop.api('POST', '/second-factor', { token, password: null })), '401 reauth');
  assert.equal((await post('remove', showCode(secret, 32), PASSWORD)).status, 200);
  await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
  assert.equal((await enterPassword(shop, username)).status, 200, 'a password is enough again');
});

test('[OPS-17] codes from another origin are refused', async () => {
  const username = await createMember();
  const { secret } = await setUpApp(shop, username);
  const cookie = readPendingLogin(await enterPassword(shop, username));
  const headers = { origin: 'https://evil.example' };
  const body = { code: showCode(secret) };
  const forged = await shop.api('POST', '/users/login/second-factor', { cookie, headers, body });
  assert.equal(readError(forged), '403 foreign-origin');
  assert.equal((await enterCode(shop, cookie, showCode(secret))).status, 200);
});

test('[OPS-17] the owner sees roles, second factors and last calls of the team', async () => {
  const [username, other] = [await createMember('shipping'), await createMember()];
  await setUpApp(shop, username);
  const { body } = await shop.api('GET', '/staff', { token: owner });
  const show = (name: string) => {
    const member = listAt(body, 'staff').find((one) => textAt(one, 'username') === name);
    return [textAt(member, 'role'), valueAt(member, 'has_second_factor'), valueAt(member, 'last_seen_at') !== null];
  };
  assert.deepEqual(
    [show(username), show(other)],
    [
      ['shipping', true, true],
      ['support', false, false],
    ],
  );
});

test('[OPS-17] customers have no second factor, and lose it with their role', async () => {
  const username = await createMember();
  await setUpApp(shop, username);
  const body = { username, role: 'customer' };
  assert.equal((await shop.api('PUT', '/staff/role', { token: owner, body })).status, 200);
  const login = await enterPassword(shop, username);
  assert.equal(login.status, 200);
  for (const method of ['GET', 'POST'] as const) {
    assert.equal(readError(await shop.api(method, '/second-factor', { token: readToken(login) })), '403 forbidden');
  }
});

test('[OPS-17] secrets and codes are neither stored as text nor logged', async () => {
  const username = await createMember();
  const { secret, recoveryCodes } = await setUpApp(shop, username);
  await logInWith(username, recoveryCodes[0] ?? '');
  const { Secret } = await import('otpauth');
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ secret: Buffer }>`select secret from second_factors`.execute(db),
  );
  assert.ok(rows.length > 0);
  for (const row of rows) assert.equal(row.secret.includes(bytes) || row.secret.includes(secret), false);
  const output = shop.readOutput();
  for (const text of [secret, ...recoveryCodes]) assert.equal(output.includes(text), false);
  assert.match(output, /"recovery_code_used"/);
  assert.match(output, /"second_factor_changed"/);
});

test('[OPS-17] [OPS-06] set-up and removal are in the audit log', async () => {
  const username = await createMember();
  const { token, recoveryCodes } = await setUpApp(shop, username);
  const body = { code: recoveryCodes[0] };
  assert.equal((await shop.api('POST', '/second-factor/remove', { token, body })).status, 200);
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ action: string }>`
      select action from audit_entries
      where subject_id = (select id::text from users where username = ${username}) order by id
    `.execute(db),
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['account.role-changed', 'account.second-factor-added', 'account.second-factor-removed'],
  );
});

test('[OPS-17] sessions of the team end after 12 hours without a call', async () => {
  const username = await createMember();
  const [busy, idle] = [readToken(await enterPassword(shop, username)), readToken(await enterPassword(shop, username))];
  const customer = readToken(await enterPassword(shop, 'alice'));
  const moveTo = (hours: number) => shop.api('POST', '/dev/clock', { body: { offset_s: hours * 3600 } });
  await moveTo(11);
  assert.equal(await readMe(busy), 200);
  await moveTo(13);
  assert.deepEqual([await readMe(busy), await readMe(idle), await readMe(customer)], [200, 401, 200]);
  await moveTo(26);
  assert.deepEqual([await readMe(busy), await readMe(customer)], [401, 200]);
});

test('[OPS-17] the refusal of many wrong codes promises no wait of minutes', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const limitedOwner = textAt((await enterPassword(limited, 'owner')).body, 'tokens', 'accessToken');
    const { token, secret } = await setUpApp(limited, await createMember('support', limited, limitedOwner));
    const guess = () => limited.api('POST', '/second-factor/verify', { token, body: { code: showWrongCode(secret) } });
    assert.equal(readError(await guess()), '400 wrong-code');
    await runWithShopDatabase(limited, (db) =>
      sql`update rate_limits set points = 30 where key like 'second-factor-a-day:%:sessions'`.execute(db),
    );
    const refused = await guess();
    assert.equal(readError(refused), '429 too-often');
    assert.ok(Number(refused.headers.get('retry-after')) > 3600);
    assert.doesNotMatch(textAt(refused.body, 'error', 'message'), /minutes/);
  } finally {
    await limited.stop();
  }
});

test('[OPS-17] wrong codes are limited per account across logins', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const token = textAt((await enterPassword(limited, 'owner')).body, 'tokens', 'accessToken');
    const username = await createMember('support', limited, token);
    const { secret, recoveryCodes } = await setUpApp(limited, username);
    const guess = async (code: string): Promise<string> =>
      readError(await enterCode(limited, readPendingLogin(await enterPassword(limited, username)), code));
    for (let tries = 0; tries < 5; tries += 1) assert.equal(await guess(showWrongCode(secret)), '401 wrong-code');
    assert.equal(await guess(showCode(secret)), '429 too-often');
    const other = await startSecondProcess(limited, { RATE_LIMITS: 'on' });
    const cookie = readPendingLogin(await enterPassword(limited, username));
    const body = { code: recoveryCodes[0] };
    const response = await createApiClient(other.url)('POST', '/users/login/second-factor', { cookie, body });
    assert.equal(response.status, 429, 'in another process');
    await other.stop();
  } finally {
    await limited.stop();
  }
});

test('[OPS-17] where it is required, the back office opens after the set-up', async () => {
  const strict = await startTestShop({ settings: { SECOND_FACTOR: 'required' } });
  try {
    const logIn = async (username: string) =>
      textAt((await enterPassword(strict, username)).body, 'tokens', 'accessToken');
    const [manager, customer] = [await logIn('staff'), await logIn('alice')];
    const ask = (path: string, token: string) => strict.api('GET', path, { token });
    assert.equal(readError(await ask('/support/orders', manager)), '403 second-factor-required');
    assert.equal((await ask('/users/user', manager)).status, 200, 'the shop itself stays open');
    assert.equal((await ask('/users/user', customer)).status, 200);
    const draft = { title: 'Question', theme: 'Delivery', description: 'When?' };
    const created = await strict.api('POST', '/tickets/create', { token: customer, body: draft });
    const ticket = `/tickets/${textAt(created.body, 'id')}`;
    assert.equal((await ask(ticket, manager)).status, 404, 'a ticket of a customer');
    const { token, secret } = await setUpApp(strict, 'staff');
    assert.deepEqual([(await ask('/support/orders', token)).status, (await ask(ticket, token)).status], [200, 200]);
    const next = await enterCode(strict, readPendingLogin(await enterPassword(strict, 'staff')), showCode(secret));
    assert.equal((await ask('/support/orders', textAt(next.body, 'tokens', 'accessToken'))).status, 200);
  } finally {
    await strict.stop();
  }
});
