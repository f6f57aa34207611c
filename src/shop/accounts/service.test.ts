import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { Devices } from '#src/platform/security/devices/devices.ts';
import { noRateLimits, createRateLimits } from '#src/platform/http/rate-limits.ts';
import { openPasswords } from '#src/platform/security/passwords.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { hasDemoAccounts, seedDemoUsers } from './demo-users.service.ts';
import { Accounts } from './service.ts';
import type { AccountsOptions, Login, SignInResult } from './service.ts';

const DAY_S = 24 * 60 * 60;
const passwords = openPasswords();

async function openAccounts(options: Partial<AccountsOptions> & { readonly isLimited?: boolean } = {}) {
  const { db, pool } = await createTestDatabase();
  const clock = new AdjustableClock();
  const accounts = new Accounts({
    db,
    clock,
    passwords,
    limits: options.isLimited ? createRateLimits(pool) : noRateLimits,
    devices: new Devices(randomBytes(32)),
    listOrderIds: async () => [],
    listTicketIds: async () => [],
    getShopName: () => '',
    onSignedIn: async () => ({ preserved: false }),
    ...options,
  });
  return { accounts, db, clock };
}

const alice = { username: 'Alice', email: 'alice@shop.example', password: 'crypto-market', ip: '192.0.2.1' };
const createLogin = (change: Partial<Login> = {}): Login => ({
  name: 'alice',
  password: 'crypto-market',
  ip: '192.0.2.1',
  isBrowser: false,
  guestToken: null,
  ...change,
});

function requireSignedIn(signedIn: SignInResult): SignInResult & { ok: true } {
  assert.ok(signedIn.ok, JSON.stringify(signedIn));
  return signedIn;
}

test('[API-08] allows one account per normalised name and address', async () => {
  const { accounts, db } = await openAccounts();
  assert.equal((await accounts.register(alice)).ok, true);
  const refused = { ok: false, reason: 'taken' };
  const name = { username: 'is taken' };
  const address = { email: 'already has an account' };
  const otherAccount = { ...alice, username: 'other', email: 'other@shop.example' };
  assert.deepEqual(await accounts.register({ ...otherAccount, username: 'ＡLICE' }), { ...refused, fields: name });
  assert.deepEqual(await accounts.register({ ...otherAccount, email: 'ALICE@Shop.example' }), {
    ...refused,
    fields: address,
  });
  assert.deepEqual(await accounts.register(alice), { ...refused, fields: { ...name, ...address } });
  const { rows } =
    await sql`select username, role, is_demo, password_hash like '$argon2id$%' as hashed from users`.execute(db);
  assert.deepEqual(rows, [{ username: 'Alice', role: 'customer', is_demo: false, hashed: true }]);
});

test('[API-08] lets one of concurrent registrations with one name succeed', async () => {
  const { accounts, db } = await openAccounts();
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, at) => accounts.register({ ...alice, email: `alice${at}@shop.example` })),
  );
  assert.equal(all.filter(({ ok }) => ok).length, 1);
  for (const result of all) if (!result.ok) assert.equal(result.reason, 'taken');
  assert.equal((await sql`select 1 from users`.execute(db)).rows.length, 1);
});

test('refuses common passwords, empty names and foreign addresses as names', async () => {
  const { accounts } = await openAccounts();
  for (const [change, field] of [
    [{ password: 'password1' }, 'password'],
    [{ username: '\u200b' }, 'username'],
    [{ username: 'bob@shop.example' }, 'username'],
  ] as const) {
    const refused = await accounts.register({ ...alice, ...change });
    assert.ok(!refused.ok && refused.reason === 'refused');
    assert.deepEqual(Object.keys(refused.fields), [field]);
  }
});

test('[ACC-04] [API-13] signs in by username or address and returns only contract fields', async () => {
  const orderId = '019a0000-0000-7000-8000-000000000001';
  const { accounts } = await openAccounts({ listOrderIds: async () => [orderId] });
  const registered = await accounts.register(alice);
  assert.ok(registered.ok);
  for (const name of ['alice', 'ALICE', 'alice@shop.example']) {
    const { user, token } = requireSignedIn(await accounts.signIn(createLogin({ name })));
    const id: string = registered.userId;
    assert.deepEqual(user, {
      id,
      username: 'Alice',
      email: alice.email,
      tickets: [],
      orders: [orderId],
      role: 'customer',
    });
    assert.deepEqual(await accounts.getUser(id), user);
    assert.equal((await accounts.identify(token, null))?.userId, id);
  }
});

test('[ACC-04] returns the same for wrong passwords and unknown or empty names', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const refused = { ok: false, reason: 'invalid-credentials' };
  for (const change of [{ password: 'crypto-markeT' }, { name: 'nobody' }, { name: '' }, { password: '' }]) {
    assert.deepEqual(await accounts.signIn(createLogin(change)), refused);
  }
});

test('stores tokens and cookies only as hashes', async () => {
  const { accounts, db } = await openAccounts();
  await accounts.register(alice);
  const { token, cookie } = requireSignedIn(await accounts.signIn(createLogin({ isBrowser: true })));
  const { rows } = await sql<{ session: string }>`select row_to_json(sessions)::text as session from sessions`.execute(
    db,
  );
  assert.equal(rows.length, 1);
  for (const secret of [token, cookie ?? '']) {
    assert.equal(rows[0]?.session.includes(secret), false);
    assert.equal(rows[0]?.session.includes(Buffer.from(secret, 'base64url').toString('hex')), false);
  }
});

test('accepts a browser token only with its cookie', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const browser = requireSignedIn(await accounts.signIn(createLogin({ isBrowser: true })));
  const other = requireSignedIn(await accounts.signIn(createLogin({ isBrowser: true })));
  const plain = requireSignedIn(await accounts.signIn(createLogin()));
  assert.equal((await accounts.identify(browser.token, browser.cookie))?.username, 'Alice');
  for (const cookie of [null, '', other.cookie, randomBytes(32).toString('base64url')]) {
    assert.equal(await accounts.identify(browser.token, cookie), null);
  }
  assert.equal(plain.cookie, null);
  assert.equal((await accounts.identify(plain.token, null))?.username, 'Alice');
  // A foreign cookie is ignored.
  assert.equal((await accounts.identify(plain.token, other.cookie))?.username, 'Alice');
});

test('identifies page requests by cookie only', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const { token, cookie } = requireSignedIn(await accounts.signIn(createLogin({ isBrowser: true })));
  assert.equal((await accounts.identifyByCookie(cookie))?.username, 'Alice');
  for (const wrong of [null, '', token]) assert.equal(await accounts.identifyByCookie(wrong), null);
});

test('[ACC-08] ends only the current session at sign-out', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const one = requireSignedIn(await accounts.signIn(createLogin({ isBrowser: true })));
  const other = requireSignedIn(await accounts.signIn(createLogin()));
  const identity = await accounts.identify(one.token, one.cookie);
  assert.ok(identity);
  await accounts.signOut(identity);
  assert.equal(await accounts.identify(one.token, one.cookie), null);
  assert.equal(await accounts.identifyByCookie(one.cookie), null);
  assert.ok(await accounts.identify(other.token, null));
});

test('ends a session after 7 idle days or 30 days', async () => {
  const { accounts, clock, db } = await openAccounts();
  await accounts.register(alice);
  const idle = requireSignedIn(await accounts.signIn(createLogin()));
  const busy = requireSignedIn(await accounts.signIn(createLogin()));
  for (let day = 6; day < 30; day += 6) {
    clock.setOffset(day * DAY_S);
    assert.ok(await accounts.identify(busy.token, null), `day ${day}`);
  }
  assert.equal(await accounts.identify(idle.token, null), null);
  clock.setOffset(30 * DAY_S - 60);
  assert.ok(await accounts.identify(busy.token, null));
  clock.setOffset(30 * DAY_S + 60);
  assert.equal(await accounts.identify(busy.token, null), null);

  const living = requireSignedIn(await accounts.signIn(createLogin()));
  await accounts.deleteExpiredSessions();
  assert.equal((await sql`select 1 from sessions`.execute(db)).rows.length, 1);
  assert.ok(await accounts.identify(living.token, null));
});

test('blocks an address at an account after five wrong passwords a minute', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  await accounts.register(alice);
  for (let at = 0; at < 5; at += 1) {
    const refused = await accounts.signIn(
      createLogin({ password: 'wrong', ip: '192.0.2.99', name: at % 2 ? 'alice' : alice.email }),
    );
    assert.deepEqual(refused, { ok: false, reason: 'invalid-credentials' });
  }
  for (const password of ['wrong', alice.password]) {
    const refused = await accounts.signIn(createLogin({ password, ip: '192.0.2.99' }));
    assert.ok(!refused.ok && refused.reason === 'too-often');
    assert.ok(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 60);
  }
  assert.equal((await accounts.signIn(createLogin({ ip: '192.0.2.98' }))).ok, true, 'another address');
});

test('limits concurrent guesses like sequential ones', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  await accounts.register(alice);
  const all = await Promise.all(Array.from({ length: 20 }, () => accounts.signIn(createLogin({ password: 'wrong' }))));
  assert.equal(all.filter((result) => !result.ok && result.reason === 'invalid-credentials').length, 5);
});

test('counts attempts at unknown names like those at accounts', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  const reasons = [];
  for (let at = 0; at < 6; at += 1) {
    const refused = await accounts.signIn(createLogin({ name: 'nobody' }));
    reasons.push(refused.ok || refused.reason);
  }
  assert.deepEqual(reasons, [...Array.from({ length: 5 }, () => 'invalid-credentials'), 'too-often']);
});

test('resets failed attempts of the account, not of the address', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  await accounts.register(alice);
  for (let at = 0; at < 12; at += 1) {
    assert.equal(
      (await accounts.signIn(createLogin({ password: at % 3 === 2 ? alice.password : 'wrong' }))).ok,
      at % 3 === 2,
    );
  }
  // Eight of the address's thirty attempts are used. A login to one's own account does not restore
  // them.
  const reasons = [];
  for (let at = 0; at < 23; at += 1) {
    const refused = await accounts.signIn(createLogin({ name: `name ${at}` }));
    reasons.push(refused.ok || refused.reason);
  }
  assert.deepEqual(reasons.indexOf('too-often'), 22);
});

test('rolls the session back when the login hook fails', async () => {
  const { accounts, db } = await openAccounts({
    onSignedIn: async () => {
      throw new Error('cart merge failed');
    },
  });
  await accounts.register(alice);
  await assert.rejects(accounts.signIn(createLogin()), /cart merge failed/);
  assert.equal((await sql`select 1 from sessions`.execute(db)).rows.length, 0);
});

test('seeds marked demo users once, who can sign in', async () => {
  const { accounts, db } = await openAccounts();
  const users = [
    { ...alice, role: 'customer' },
    { username: 'owner', email: 'owner@shop.example', password: 'crypto-market', role: 'owner' },
  ] as const;
  assert.equal(await hasDemoAccounts(db), false);
  for (let start = 0; start < 2; start += 1) await seedDemoUsers({ db, passwords }, users, new Date());
  assert.equal(await hasDemoAccounts(db), true);
  const { rows } = await sql`select username, role, is_demo from users order by username`.execute(db);
  assert.deepEqual(rows, [
    { username: 'Alice', role: 'customer', is_demo: true },
    { username: 'owner', role: 'owner', is_demo: true },
  ]);
  assert.equal(requireSignedIn(await accounts.signIn(createLogin({ name: 'owner' }))).user.role, 'owner');
});

test('[ACC-07] creates no session with a password replaced during login', async () => {
  const { accounts, db } = await openAccounts();
  await accounts.register(alice);
  const updated = Promise.withResolvers<void>();
  const checked = Promise.withResolvers<void>();
  const replaced = transact(db, async (tx) => {
    await sql`update users set password_hash = 'another'`.execute(tx);
    updated.resolve();
    await checked.promise;
    await sql`delete from sessions`.execute(tx);
  });
  await updated.promise;
  const signedIn = accounts.signIn(createLogin());
  // The login waits for the update, in either order.
  await waitUntilLocked(db);
  checked.resolve();
  await replaced;
  assert.deepEqual(await signedIn, { ok: false, reason: 'invalid-credentials' });
  assert.equal((await sql`select from sessions`.execute(db)).rows.length, 0);
});

async function waitUntilLocked(db: Db): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows.length > 0;
  });
}
