import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { silentLog, createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { transact } from './database.ts';
import { PubSub } from './pub-sub.ts';
import { incrementRevision, readRevision, RevisionWatcher } from './revisions.ts';

let database: TestDatabase;
const closings: (() => Promise<void>)[] = [];
before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  for (const close of closings) await close();
});

interface Process {
  readonly watcher: RevisionWatcher;
  readonly data: { topic: string; revision: bigint; refreshes: number; refresh: () => Promise<void> };
}

/** The watcher of one process. `isDeaf`: its notifications are lost. */
function open(topic: string, { isDeaf = false, refusals = 0 } = {}): Process {
  const { db, connection } = database;
  const heard = new PubSub({ db, connection, log: silentLog });
  const pubSub = isDeaf ? { subscribe: () => {}, onGap: () => {}, publish: () => {} } : heard;
  const watcher = new RevisionWatcher({ db, log: silentLog, pubSub });
  let refusalsLeft = refusals;
  const data = {
    topic,
    revision: 0n,
    refreshes: 0,
    refresh: async () => {
      data.refreshes += 1;
      refusalsLeft -= 1;
      if (refusalsLeft >= 0) throw new Error('the database is unreachable');
      data.revision = await readRevision(db, topic);
    },
  };
  watcher.add(data);
  watcher.start();
  if (!isDeaf) void heard.start();
  closings.push(async () => {
    await watcher.stop();
    await heard.stop();
  });
  return { watcher, data };
}

test('a change shows in its process at once and in all others soon', async () => {
  const [one, two, deaf] = [open('one'), open('one'), open('one', { isDeaf: true })];
  for (let revision = 1n; revision <= 3n; revision += 1n) {
    await transact(database.db, (tx) => incrementRevision(tx, 'one'));
    await one.watcher.announce();
    assert.equal(one.data.revision, revision);
    await waitUntil(() => two.data.revision === revision && deaf.data.revision === revision);
  }
});

test('refreshes only what changed', async () => {
  const { watcher, data } = open('unchanged');
  await transact(database.db, (tx) => incrementRevision(tx, 'something else'));
  await watcher.check();
  assert.equal(data.refreshes, 0);
});

test('a check shows every change that was committed before it', async () => {
  const { watcher, data } = open('many');
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const revision = await transact(database.db, (tx) => incrementRevision(tx, 'many'));
      await watcher.check();
      assert.ok(data.revision >= revision, `${data.revision} of ${revision}`);
    }),
  );
});

test('a revision commits after every earlier one', async () => {
  const seen: bigint[] = [];
  await Promise.all(
    Array.from({ length: 8 }, () =>
      transact(database.db, async (tx) => {
        const revision = await incrementRevision(tx, 'ordered');
        await sql`select pg_sleep(0.002)`.execute(tx);
        seen.push(revision);
      }),
    ),
  );
  assert.deepEqual(seen, [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
});

test('tries again after a failed refresh', async () => {
  const { data } = open('failing', { refusals: 2 });
  await transact(database.db, (tx) => incrementRevision(tx, 'failing'));
  await waitUntil(() => data.revision === 1n);
  assert.equal(data.refreshes, 3);
});
