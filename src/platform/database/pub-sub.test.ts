import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { silentLog, createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { runAfterCommit, transact } from './database.ts';
import { PubSub } from './pub-sub.ts';

let database: TestDatabase;
const all: PubSub[] = [];
before(async () => {
  database = await createTestDatabase();
});
after(() => Promise.all(all.map((pubSub) => pubSub.stop())));

interface Subscriber {
  readonly pubSub: PubSub;
  readonly ids: string[];
  readonly batches: number[];
  gaps: number;
}

/** Opens the pub/sub of one process. */
async function open(topic = 'order'): Promise<Subscriber> {
  const { db, connection } = database;
  const received: Subscriber = {
    pubSub: new PubSub({ db, connection, log: silentLog }),
    ids: [],
    batches: [],
    gaps: 0,
  };
  all.push(received.pubSub);
  received.pubSub.subscribe(topic, (ids) => {
    received.ids.push(...ids);
    received.batches.push(ids.length);
  });
  received.pubSub.onGap(() => (received.gaps += 1));
  await received.pubSub.start();
  return received;
}

test('every process receives each notification once, by topic', async () => {
  const [one, two, other] = [await open(), await open(), await open('session')];
  const ids = Array.from({ length: 500 }, () => uuidv7());
  for (const id of [...ids, ...ids]) one.pubSub.publish('order', id);
  const ofTwo = uuidv7();
  two.pubSub.publish('order', ofTwo);
  two.pubSub.publish('session', ofTwo);
  for (const { ids: received } of [one, two]) {
    await waitUntil(() => received.length >= 501);
    assert.deepEqual(received.toSorted(), [...ids, ofTwo].toSorted());
  }
  assert.ok(one.batches.length <= 5, `${one.batches.length} batches`);
  await waitUntil(() => other.ids.length > 0);
  assert.deepEqual(other.ids, [ofTwo]);
});

test('reconnects after a lost connection and reports the gap', async () => {
  const one = await open();
  const { gaps } = one;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'crypto-market pub-sub' and datname = current_database()`.execute(database.db);
  await waitUntil(() => one.gaps > gaps);
  const id = uuidv7();
  one.pubSub.publish('order', id);
  await waitUntil(() => one.ids.includes(id));
});

test('ignores other notifications, and all of them after stop', async () => {
  const one = await open();
  for (const odd of ['', 'order', 'order:', 'order:x; drop', `nobody:${uuidv7()}`, ':']) {
    await sql`select pg_notify('shop_news', ${odd})`.execute(database.db);
  }
  const id = uuidv7();
  one.pubSub.publish('order', id);
  await waitUntil(() => one.ids.includes(id));
  assert.deepEqual(one.ids, [id]);
  await one.pubSub.stop();
  one.pubSub.publish('order', uuidv7());
  await one.pubSub.start();
});

test('afterCommit runs after a commit and not after a rollback', async () => {
  const { db } = database;
  const done: string[] = [];
  await transact(db, async (tx) => {
    runAfterCommit(tx, () => done.push('first'));
    await transact(tx, async (inner) => runAfterCommit(inner, () => done.push('inner')));
    await sql`select 1`.execute(tx);
    assert.deepEqual(done, []);
  });
  assert.deepEqual(done, ['first', 'inner']);
  await assert.rejects(
    transact(db, (tx) => {
      runAfterCommit(tx, () => done.push('never'));
      return Promise.reject(new Error('no'));
    }),
  );
  // The callback of an attempt that was rolled back is not called.
  let tries = 0;
  await transact(db, async (tx) => {
    tries += 1;
    runAfterCommit(tx, () => done.push(`try ${tries}`));
    if (tries === 1) await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx);
  });
  assert.deepEqual(done, ['first', 'inner', 'try 2']);
});
