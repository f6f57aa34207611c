import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { executeCancellable } from './cancellable.ts';
import type { Db } from './database.ts';

let db: Db;
before(async () => {
  ({ db } = await createTestDatabase());
});

async function isSleeping(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and state = 'active' and query = 'select pg_sleep(600)'`.execute(db);
  return rows.length > 0;
}

test('[OPS-16] PostgreSQL stops a statement when the signal aborts', async () => {
  for (let round = 0; round < 5; round += 1) {
    const client = new AbortController();
    const running = executeCancellable(db, sql`select pg_sleep(600)`, client.signal);
    const stopped = assert.rejects(running, { code: '57014' });
    await waitUntil(isSleeping);
    client.abort();
    await stopped;
    assert.equal(await isSleeping(), false);
    const later = await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.01)`.execute(db)));
    assert.equal(later.length, 20, 'later statements on the connection are not stopped');
  }
});

test('[OPS-16] a statement is not started after the abort, and one without an abort returns its rows', async () => {
  const statement = sql<{ n: number }>`select 1 as n`;
  await assert.rejects(executeCancellable(db, statement, AbortSignal.abort()), { name: 'AbortError' });
  assert.deepEqual(await executeCancellable(db, statement, new AbortController().signal), [{ n: 1 }]);
  assert.deepEqual(await executeCancellable(db, statement, undefined), [{ n: 1 }]);
});
