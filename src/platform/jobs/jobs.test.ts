import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { silentLog, createTestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { openJobs } from './jobs.ts';
import type { JobData } from './jobs.ts';

async function listStates(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    state: string;
  }>`select state::text as state from pgboss.job order by created_on`.execute(db);
  return rows.map(({ state }) => state);
}

test('a job runs if and only if its transaction commits', async (t) => {
  const { db, connection } = await createTestDatabase();
  const jobs = openJobs({ connection, queues: ['greet'], log: silentLog, pollSeconds: 0.5 });
  t.after(() => jobs.stop());
  await jobs.start();
  const seen: JobData[] = [];
  await jobs.work('greet', (data) => {
    seen.push(data);
    return Promise.resolve();
  });

  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, 'greet', { name: 'nobody' });
      throw new Error('rolled back on purpose');
    }),
    /rolled back on purpose/,
  );
  assert.deepEqual(await listStates(db), []);

  await db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, 'greet', { name: 'now' });
    await jobs.enqueue(tx, 'greet', { name: 'later' }, { delaySeconds: 3600 });
    assert.deepEqual(await listStates(db), [], 'not visible before the commit');
  });
  await waitUntil(async () => (await listStates(db)).includes('completed'));
  assert.deepEqual(seen, [{ name: 'now' }]);
  assert.deepEqual((await listStates(db)).toSorted(), ['completed', 'created']);
});

test('retries a failed handler and survives lost connections', async (t) => {
  const { db, connection } = await createTestDatabase();
  const reported: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void reported.push(message) };
  const jobs = openJobs({ connection, queues: ['fail', 'work'], log, pollSeconds: 0.5 });
  t.after(() => jobs.stop());
  await jobs.start();
  await jobs.start();
  const tries = new Map<string, number>();
  await jobs.work('fail', ({ what = '' }) => {
    tries.set(what, (tries.get(what) ?? 0) + 1);
    return Promise.reject(new Error('not today'));
  });
  await db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, 'fail', { what: 'one' });
    await jobs.enqueueAll(tx, 'fail', [{ data: { what: 'of many' }, deduplicationKey: 'of many' }]);
  });
  // Retries continue for days.
  await waitUntil(async () => {
    await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(db);
    return (tries.get('one') ?? 0) > 4 && (tries.get('of many') ?? 0) > 4;
  });
  await waitUntil(async () => (await listStates(db)).includes('retry'));

  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'crypto-market jobs' and datname = current_database()`;
  let runs = 0;
  await jobs.work('work', () => {
    runs += 1;
    return Promise.resolve();
  });
  for (let cuts = 0; cuts < 5; cuts += 1) {
    await cut.execute(db);
    await new Promise((resolve) => void setTimeout(resolve, 60));
  }
  await db.transaction().execute((tx) => jobs.enqueue(tx, 'work', {}));
  await waitUntil(() => runs === 1);
});

test('stop waits for the running job', async () => {
  const { db, connection } = await createTestDatabase();
  const jobs = openJobs({ connection, queues: ['slow'], log: silentLog, pollSeconds: 0.5 });
  await jobs.start();
  let state = 'waiting';
  await jobs.work('slow', async () => {
    state = 'running';
    await new Promise((resolve) => void setTimeout(resolve, 300));
    state = 'done';
  });
  await db.transaction().execute((tx) => jobs.enqueue(tx, 'slow', {}));
  await waitUntil(() => state === 'running');
  await jobs.stop();
  assert.equal(state, 'done');
  assert.deepEqual(await listStates(db), ['completed']);
  await jobs.stop();
});
