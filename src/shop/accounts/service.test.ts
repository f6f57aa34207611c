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
import { testDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { Accounts, hasDemoAccounts, seedDemoUsers } from './service.ts';
import type { AccountsOptions, Login, SignInResult } from './service.ts';

const DAY_S = 24 * 60 * 60;
const passwords = openPasswords();

async function openAccounts(options: Partial<AccountsOptions> & { readonly isLimited?: boolean } = {}) {
  const { db, pool } = await testDatabase();
  const clock = new AdjustableClock();
  const accounts = new Accounts({
    db,
    clock,
    passwords,
    limits: options.isLimited ? createRateLimits(pool) : noRateLimits,
    devices: new Devices(randomBytes(32)),
    listOrderIds: async () => [],
    listTicketIds: async () => [],
    onSignedIn: async () => ({ preserved: false }),
    ...options,
  });
  return { accounts, db, clock };
}

const alice = { username: 'Alice', email: 'alice@shop.example', password: 'crypto-market', ip: '192.0.2.1' };
const login = (change: Partial<Login> = {}): Login => ({
  name: 'alice',
  password: 'crypto-market',
  ip: '192.0.2.1',
  isBrowser: false,
  guestToken: null,
  ...change,
});

function granted(signedIn: SignInResult): SignInResult & { ok: true } {
  assert.ok(signedIn.ok, JSON.stringify(signedIn));
  return signedIn;
}

test('[API-08] an account is opened once for a name and an address, however they are spelled', async () => {
  const { accounts, db } = await openAccounts();
  assert.equal((await accounts.register(alice)).ok, true);
  const refused = { ok: false, reason: 'taken' };
  const name = { username: 'is taken' };
  const address = { email: 'has an account already' };
  const other = { ...alice, username: 'other', email: 'other@shop.example' };
  assert.deepEqual(await accounts.register({ ...other, username: 'ＡLICE' }), { ...refused, fields: name });
  assert.deepEqual(await accounts.register({ ...other, email: 'ALICE@Shop.example' }), { ...refused, fields: address });
  assert.deepEqual(await accounts.register(alice), { ...refused, fields: { ...name, ...address } });
  const { rows } =
    await sql`select username, role, is_demo, password_hash like '$argon2id$%' as hashed from users`.execute(db);
  assert.deepEqual(rows, [{ username: 'Alice', role: 'customer', is_demo: false, hashed: true }]);
});

test('[API-08] of registrations at once with one name exactly one succeeds and the others are told', async () => {
  const { accounts, db } = await openAccounts();
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, at) => accounts.register({ ...alice, email: `alice${at}@shop.example` })),
  );
  assert.equal(all.filter(({ ok }) => ok).length, 1);
  for (const one of all) if (!one.ok) assert.equal(one.reason, 'taken');
  assert.equal((await sql`select 1 from users`.execute(db)).rows.length, 1);
});

test('a common password, an empty name and somebody else’s address as a name are refused', async () => {
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

test('[ACC-04] [API-13] one signs in by username or address, and is described by the contract’s fields alone', async () => {
  const orderId = '019a0000-0000-7000-8000-000000000001';
  const { accounts } = await openAccounts({ listOrderIds: async () => [orderId] });
  const registered = await accounts.register(alice);
  assert.ok(registered.ok);
  for (const name of ['alice', 'ALICE', 'alice@shop.example']) {
    const { user, token } = granted(await accounts.signIn(login({ name })));
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

test('[ACC-04] a wrong password, an unknown name and no name at all are answered alike', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const refused = { ok: false, reason: 'invalid-credentials' };
  for (const change of [{ password: 'crypto-markeT' }, { name: 'nobody' }, { name: '' }, { password: '' }]) {
    assert.deepEqual(await accounts.signIn(login(change)), refused);
  }
});

test('tokens and cookies are stored as hashes only', async () => {
  const { accounts, db } = await openAccounts();
  await accounts.register(alice);
  const { token, cookie } = granted(await accounts.signIn(login({ isBrowser: true })));
  const { rows } = await sql<{ session: string }>`select row_to_json(sessions)::text as session from sessions`.execute(
    db,
  );
  assert.equal(rows.length, 1);
  for (const secret of [token, cookie ?? '']) {
    assert.equal(rows[0]?.session.includes(secret), false);
    assert.equal(rows[0]?.session.includes(Buffer.from(secret, 'base64url').toString('hex')), false);
  }
});

test('a browser’s token is worth nothing without its cookie; another client has none', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const browser = granted(await accounts.signIn(login({ isBrowser: true })));
  const other = granted(await accounts.signIn(login({ isBrowser: true })));
  const plain = granted(await accounts.signIn(login()));
  assert.equal((await accounts.identify(browser.token, browser.cookie))?.username, 'Alice');
  for (const cookie of [null, '', other.cookie, randomBytes(32).toString('base64url')]) {
    assert.equal(await accounts.identify(browser.token, cookie), null);
  }
  assert.equal(plain.cookie, null);
  assert.equal((await accounts.identify(plain.token, null))?.username, 'Alice');
  // A cookie that stands beside does it no harm.
  assert.equal((await accounts.identify(plain.token, other.cookie))?.username, 'Alice');
});

test('for a page the cookie alone says who asks, and a token does not', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const { token, cookie } = granted(await accounts.signIn(login({ isBrowser: true })));
  assert.equal((await accounts.identifyByCookie(cookie))?.username, 'Alice');
  for (const wrong of [null, '', token]) assert.equal(await accounts.identifyByCookie(wrong), null);
});

test('[ACC-08] signing out ends the one session at once', async () => {
  const { accounts } = await openAccounts();
  await accounts.register(alice);
  const one = granted(await accounts.signIn(login({ isBrowser: true })));
  const other = granted(await accounts.signIn(login()));
  const identity = await accounts.identify(one.token, one.cookie);
  assert.ok(identity);
  await accounts.signOut(identity);
  assert.equal(await accounts.identify(one.token, one.cookie), null);
  assert.equal(await accounts.identifyByCookie(one.cookie), null);
  assert.ok(await accounts.identify(other.token, null));
});

test('a session ends after 7 days without a request and after 30 days in any case', async () => {
  const { accounts, clock, db } = await openAccounts();
  await accounts.register(alice);
  const idle = granted(await accounts.signIn(login()));
  const busy = granted(await accounts.signIn(login()));
  for (let day = 6; day < 30; day += 6) {
    clock.setOffset(day * DAY_S);
    assert.ok(await accounts.identify(busy.token, null), `day ${day}`);
  }
  assert.equal(await accounts.identify(idle.token, null), null);
  clock.setOffset(30 * DAY_S - 60);
  assert.ok(await accounts.identify(busy.token, null));
  clock.setOffset(30 * DAY_S + 60);
  assert.equal(await accounts.identify(busy.token, null), null);

  const living = granted(await accounts.signIn(login()));
  await accounts.deleteExpiredSessions();
  assert.equal((await sql`select 1 from sessions`.execute(db)).rows.length, 1);
  assert.ok(await accounts.identify(living.token, null));
});

test('after five wrong passwords in a minute an account answers no more, from any address, to the right one neither', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  await accounts.register(alice);
  for (let at = 0; at < 5; at += 1) {
    const refused = await accounts.signIn(
      login({ password: 'wrong', ip: `192.0.2.${at}`, name: at % 2 ? 'alice' : alice.email }),
    );
    assert.deepEqual(refused, { ok: false, reason: 'invalid-credentials' });
  }
  for (const password of ['wrong', alice.password]) {
    const refused = await accounts.signIn(login({ password, ip: '192.0.2.99' }));
    assert.ok(!refused.ok && refused.reason === 'too-often');
    assert.ok(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 60);
  }
});

test('twenty guesses at once learn no more than five in turn', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  await accounts.register(alice);
  const all = await Promise.all(Array.from({ length: 20 }, () => accounts.signIn(login({ password: 'wrong' }))));
  assert.equal(all.filter((one) => !one.ok && one.reason === 'invalid-credentials').length, 5);
});

test('names that do not exist are counted like those that do', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  const reasons = [];
  for (let at = 0; at < 6; at += 1) {
    const refused = await accounts.signIn(login({ name: 'nobody' }));
    reasons.push(refused.ok || refused.reason);
  }
  assert.deepEqual(reasons, [...Array.from({ length: 5 }, () => 'invalid-credentials'), 'too-often']);
});

test('a login that succeeds forgets the account’s wrong passwords, but not those of the address', async () => {
  const { accounts } = await openAccounts({ isLimited: true });
  await accounts.register(alice);
  for (let at = 0; at < 12; at += 1) {
    assert.equal(
      (await accounts.signIn(login({ password: at % 3 === 2 ? alice.password : 'wrong' }))).ok,
      at % 3 === 2,
    );
  }
  // Eight of the address's thirty are used; one's own account buys no more guesses at others.
  const reasons = [];
  for (let at = 0; at < 23; at += 1) {
    const refused = await accounts.signIn(login({ name: `name ${at}` }));
    reasons.push(refused.ok || refused.reason);
  }
  assert.deepEqual(reasons.indexOf('too-often'), 22);
});

test('the session and what is done at a login stand or fall together', async () => {
  const { accounts, db } = await openAccounts({
    onSignedIn: async () => {
      throw new Error('the cart is on fire');
    },
  });
  await accounts.register(alice);
  await assert.rejects(accounts.signIn(login()), /on fire/);
  assert.equal((await sql`select 1 from sessions`.execute(db)).rows.length, 0);
});

test('the demo’s users are seeded once, marked, and sign in', async () => {
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
  assert.equal(granted(await accounts.signIn(login({ name: 'owner' }))).user.role, 'owner');
});

test('[ACC-07] a login with a password that is being replaced makes no session that outlives it', async () => {
  const { accounts, db } = await openAccounts();
  await accounts.register(alice);
  const began = Promise.withResolvers<void>();
  const checked = Promise.withResolvers<void>();
  const replaced = transact(db, async (tx) => {
    await sql`update users set password_hash = 'another'`.execute(tx);
    began.resolve();
    await checked.promise;
    await sql`delete from sessions`.execute(tx);
  });
  await began.promise;
  const signedIn = accounts.signIn(login());
  // It waits for the other, in whatever order the two come here.
  await untilSomebodyWaits(db);
  checked.resolve();
  await replaced;
  assert.deepEqual(await signedIn, { ok: false, reason: 'invalid-credentials' });
  assert.equal((await sql`select from sessions`.execute(db)).rows.length, 0);
});

async function untilSomebodyWaits(db: Db): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows.length > 0;
  });
}
