import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, silentLog } from '../../../tests/support/database.ts';
import { transact } from '#src/platform/database/database.ts';
import { openJobs } from './jobs.ts';
import { QueueWatch, readQueueDepths } from './queue-health.ts';

test('[OPS-05] jobs that waited during a stop are overdue a minute after the start', async () => {
  const { db, connection } = await createTestDatabase();
  const jobs = openJobs({ connection, queues: ['letters'], log: silentLog });
  await jobs.start();
  try {
    await transact(db, (tx) => jobs.enqueue(tx, 'letters', {}));
    const due = new Date('2026-01-02T03:04:05.000Z');
    await sql`update pgboss.job set start_after = ${due}`.execute(db);
    let elapsedMs = 5_000;
    const watch = new QueueWatch(db, () => elapsedMs);
    assert.equal(await watch.findOverdueSince(false), null);
    assert.deepEqual(await watch.findOverdueSince(true), due, 'was behind before the stop');
    elapsedMs += 59_000;
    assert.equal(await watch.findOverdueSince(false), null);
    elapsedMs += 1_000;
    assert.deepEqual(await watch.findOverdueSince(false), due);
    await sql`update pgboss.job set state = 'completed'`.execute(db);
    assert.equal(await watch.findOverdueSince(true), null);
  } finally {
    await jobs.stop();
  }
});

test('[OPS-20] depth and age of a queue count jobs that wait', async () => {
  const { db, connection } = await createTestDatabase();
  const jobs = openJobs({ connection, queues: ['letters', 'parcels'], log: silentLog });
  await jobs.start();
  try {
    const depthOf = async (name: string) => (await readQueueDepths(db)).find(({ queue }) => queue === name);
    assert.deepEqual(await depthOf('parcels'), { queue: 'parcels', waiting: 0, ageSeconds: 0 });
    await transact(db, async (tx) => {
      await jobs.enqueue(tx, 'letters', { number: '1' });
      await jobs.enqueue(tx, 'letters', { number: '2' }, { delaySeconds: 3600 });
    });
    await sql`update pgboss.job set start_after = now() - interval '90 seconds' where start_after <= now()`.execute(db);
    const { ageSeconds, waiting } = (await depthOf('letters')) ?? assert.fail();
    assert.equal(waiting, 2);
    assert.ok(ageSeconds >= 90 && ageSeconds < 900, String(ageSeconds));
    await sql`update pgboss.job set state = 'completed'`.execute(db);
    assert.equal((await depthOf('letters'))?.waiting, 0);
  } finally {
    await jobs.stop();
  }
});
