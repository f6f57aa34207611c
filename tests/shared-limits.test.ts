/** Limits that all processes count together in the database, by the right key. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import { ABSENT_ID } from './support/access-callers.ts';
import { CALL_LIMITS } from './support/call-limits.ts';
import { silentLog } from './support/database.ts';
import { toMethod } from './support/audit-walk.ts';
import { COUNTED_CALLS, COUNTER_IP, createCounterCallers, SHARED_COUNTERS } from './support/shared-counters.ts';
import type { CounterCallers } from './support/shared-counters.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
let second: TestShop;
let database: Database;
let callers: CounterCallers;
before(async () => {
  const settings = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  shop = await startTestShop({ settings });
  second = await startTestShop({ settings, beside: shop });
  database = openDatabase({ connection: await shop.getConnection(), log: silentLog, poolSize: 1 });
  callers = await createCounterCallers(shop);
});
after(async () => {
  await database.close();
  await second.stop();
  await shop.stop();
});

const forgetCounts = () => sql`delete from rate_limits`.execute(database.db);
const setCount = (name: string, key: string, points: number) =>
  sql`insert into rate_limits (key, points, expire)
  values (${`${name}:${key}`}, ${points}, ${Date.now() + 3_600_000})
  on conflict (key) do update set points = ${points}`.execute(database.db);

/** The only row of a limit. */
async function readCount(
  name: string,
): Promise<{ readonly key: string; readonly points: number; readonly expire: number }> {
  const { rows } = await sql<{ key: string; points: number; expire: bigint }>`
    select key, points, expire from rate_limits where split_part(key, ':', 1) = ${name}`.execute(database.db);
  assert.equal(rows.length, 1, `${name}: ${rows.map(({ key }) => key).join(', ')}`);
  const [row = assert.fail(name)] = rows;
  return { key: row.key.slice(name.length + 1), points: row.points, expire: Number(row.expire) };
}

const listCountedNames = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`select split_part(key, ':', 1) as name from rate_limits`.execute(
    database.db,
  );
  return rows.map(({ name }) => name);
};
/** Limits of mails, which a job counts: tests of mails prove them. */
const COUNTED_BY_JOBS = new Set([
  'mails-to-unconfirmed',
  'confirmation-mails-to',
  'notices-to-unconfirmed',
  'staff mails about tickets and messages',
]);
/** Beyond it a guess counts against another limit, and is not refused: a test of password guesses proves it. */
const ALLOWANCES = new Set(['login-failures-first']);
const isKnown = (name: string): boolean =>
  [SHARED_COUNTERS, CALL_LIMITS].some((limits) => name in limits) || COUNTED_BY_JOBS.has(name) || ALLOWANCES.has(name);

/** At most two tickets may be open. */
const closeTickets = () =>
  sql`update tickets set status = 'closed', slot = null, closed_at = now() where status <> 'closed' and id <> ${callers.ticketId}`.execute(
    database.db,
  );

for (const [name, { points, seconds, key, call, usedUp }] of Object.entries(SHARED_COUNTERS)) {
  test(`[OPS-26] counts '${name}' in the database up to its limit`, async () => {
    const make = async (at: TestShop): Promise<number> => {
      await closeTickets();
      return (await COUNTED_CALLS[call](at, callers)).status;
    };
    await forgetCounts();
    if (usedUp) await setCount(usedUp.name, usedUp.key(callers), usedUp.points);
    const began = Date.now();
    const counted = await make(shop);
    const ended = Date.now();
    assert.notEqual(counted, 429);
    assert.deepEqual(
      (await listCountedNames()).filter((one) => !isKnown(one)),
      [],
      'limits without a row',
    );
    const row = await readCount(name);
    const expected = key(callers);
    if (typeof expected === 'string') assert.equal(row.key, expected);
    else assert.match(row.key, expected);
    assert.equal(row.points, 1);
    const [earliest, latest] = [began + seconds * 1_000, ended + seconds * 1_000];
    assert.ok(row.expire >= earliest && row.expire <= latest, `${name}: ${(row.expire - began) / 1_000} s`);
    await setCount(name, row.key, points - 1);
    assert.equal(await make(second), counted, 'the last one');
    await setCount(name, row.key, points);
    assert.deepEqual([await make(shop), await make(second)], [429, 429], 'one more');
  });
}

const SHARED_CALLS = Object.entries(CALL_LIMITS).flatMap(([key, limit]) => {
  const [, points, by] = /^(\d+) in \d+ s by (ip|caller), shared/.exec(limit) ?? [];
  return points === undefined ? [] : [{ key, points: Number(points), by }];
});

test('[OPS-26] shared limits of calls count those of another process', async () => {
  const { id, token } = callers.owner;
  for (const { key, points, by } of SHARED_CALLS) {
    const [method = '', path = ''] = key.split(' ');
    const counted = by === 'ip' ? `ip:${COUNTER_IP}` : `user:${id}`;
    const make = async (): Promise<number> => {
      const request = { headers: { 'x-forwarded-for': COUNTER_IP }, ...(method === 'GET' ? {} : { body: {} }) };
      return (await second.api(toMethod(method), path.replaceAll(/\{\w+\}/g, ABSENT_ID), { ...request, token })).status;
    };
    await forgetCounts();
    await setCount(key, counted, points - 1);
    assert.notEqual(await make(), 429, `${key}: the last one`);
    assert.equal((await readCount(key)).points, points, key);
    assert.equal(await make(), 429, `${key}: one more`);
  }
});

const post = async (path: string, { token }: { readonly token: string }, ip: string): Promise<number> =>
  (await shop.api('POST', path, { token, body: {}, headers: { 'x-forwarded-for': ip } })).status;

test('[OPS-26] a limit by caller counts accounts apart, one by address together', async () => {
  const { customer, owner } = callers;
  await forgetCounts();
  await setCount('POST /cart/checkout', `user:${customer.id}`, 30);
  assert.equal(await post('/cart/checkout', customer, '203.0.113.10'), 429);
  assert.equal(await post('/cart/checkout', customer, '203.0.113.11'), 429, 'from another address');
  assert.equal(await post('/cart/checkout', owner, '203.0.113.10'), 400, 'another account');
  await setCount('POST /users/reset-password', 'ip:203.0.113.10', 30);
  assert.equal(await post('/users/reset-password', customer, '203.0.113.10'), 429);
  assert.equal(await post('/users/reset-password', owner, '203.0.113.10'), 429, 'another account');
  assert.equal(await post('/users/reset-password', customer, '203.0.113.11'), 400, 'from another address');
});
