import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { LeaderLockLostError, runWithFence } from '#src/platform/database/fence.ts';
import { LeaderLock } from '#src/platform/database/leader-lock.ts';
import { createTestDatabase, silentLog } from '../../../tests/support/database.ts';
import { createRateStore } from './store.ts';

const createRate = (medianCents: bigint) => ({
  medianCents,
  quotes: [{ source: 'kraken', bid_cents: '1' }],
  dropped: [{ source: 'gemini', because: 'old' }],
  at: new Date('2026-03-01T12:00:00Z'),
  shownCents: 9_990_000n,
  shownAt: new Date('2026-03-01T11:55:00Z'),
});

test('[PAY-06] stores the last rate with its age by the clock of the database', async () => {
  const { db } = await createTestDatabase();
  const [here, there] = [createRateStore(db), createRateStore(db)];
  assert.equal(await here.read(), null);
  await here.write(createRate(10_000_000n));
  await sql`update last_rate set heard_at = heard_at - interval '10 minutes'`.execute(db);
  const { ageMs, receivedAt, ...kept } = (await there.read()) ?? assert.fail('nothing is stored');
  assert.deepEqual(kept, createRate(10_000_000n));
  assert.ok(ageMs >= 600_000 && ageMs < 660_000, String(ageMs));
  await there.write(createRate(10_100_000n));
  const next = (await here.read()) ?? assert.fail('nothing is stored');
  assert.equal(next.medianCents, 10_100_000n);
  assert.ok(next.ageMs >= 0 && next.ageMs < 60_000 && next.receivedAt > receivedAt);
});

test('[OPS-23] refuses the rate of a former leader', async () => {
  const { connection, db } = await createTestDatabase();
  const store = createRateStore(db);
  const lock = new LeaderLock({ connection, role: 'test', log: silentLog });
  await lock.start();
  const fence = lock.fence ?? assert.fail('no leader');
  await runWithFence(fence, () => store.write(createRate(10_000_000n)));
  await sql`update leases set token = token + 1`.execute(db);
  await assert.rejects(
    runWithFence(fence, () => store.write(createRate(1n))),
    LeaderLockLostError,
  );
  assert.equal((await store.read())?.medianCents, 10_000_000n);
  await lock.stop();
});

test('a row of an earlier release shows its own rate', async () => {
  const { db } = await createTestDatabase();
  const store = createRateStore(db);
  await store.write(createRate(10_000_000n));
  await sql`update last_rate set shown_cents = null, shown_at = null`.execute(db);
  const { shownCents, shownAt } = (await store.read()) ?? assert.fail('nothing is stored');
  assert.deepEqual([shownCents, shownAt], [10_000_000n, createRate(0n).at]);
});
