import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { createRateLimits } from './rate-limits.ts';

const limit = { points: 3, seconds: 60, by: 'ip' } as const;

for (const isShared of [false, true]) {
  const where = isShared ? 'in the database' : 'in memory';

  test(`calls counted ${where} are refused beyond the limit, with the time to wait`, async () => {
    const { pool } = await createTestDatabase();
    const limits = createRateLimits(pool);
    for (let call = 0; call < 3; call += 1)
      assert.deepEqual(await limits.consume('a', { ...limit, isShared }, 'k'), { ok: true });
    const refused = await limits.consume('a', { ...limit, isShared }, 'k');
    assert.ok(!refused.ok && refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 60);
    assert.deepEqual(await limits.consume('a', { ...limit, isShared }, 'other'), { ok: true });
    assert.deepEqual(await limits.consume('b', { ...limit, isShared }, 'k'), { ok: true });
  });

  test(`calls counted ${where} can be reset or uncounted`, async () => {
    const { pool } = await createTestDatabase();
    const limits = createRateLimits(pool);
    const take = async () => (await limits.consume('a', { ...limit, isShared }, 'k')).ok;
    assert.deepEqual([await take(), await take(), await take(), await take()], [true, true, true, false]);
    await limits.reset('a', { ...limit, isShared }, 'k');
    assert.deepEqual([await take(), await take(), await take()], [true, true, true]);
    await limits.restore('a', { ...limit, isShared }, 'k');
    assert.deepEqual([await take(), await take()], [true, false]);
  });
}

test('shared limits count across processes', async () => {
  const { pool } = await createTestDatabase();
  const [one, other] = [createRateLimits(pool), createRateLimits(pool)];
  const shared = { ...limit, isShared: true };
  const taken = [one, other, one, other].map((limits) => limits.consume('a', shared, 'k'));
  assert.equal((await Promise.all(taken)).filter(({ ok }) => ok).length, 3);
});

test('a count is committed without waiting for the disk', async () => {
  const { db, pool } = await createTestDatabase();
  await sql`create table commits (setting text)`.execute(db);
  await sql`create function record_commit() returns trigger language plpgsql as $$
    begin insert into commits values (current_setting('synchronous_commit')); return null; end $$`.execute(db);
  await sql`create constraint trigger record_commit after insert or update on rate_limits
    deferrable initially deferred for each row execute function record_commit()`.execute(db);
  const limits = createRateLimits(pool);
  for (let call = 0; call < 2; call += 1) await limits.consume('a', { ...limit, isShared: true }, 'k');
  const { rows } = await sql<{ setting: string }>`select setting from commits`.execute(db);
  assert.deepEqual(rows, [{ setting: 'off' }, { setting: 'off' }]);
});
