import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { silentLog, testDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { afterCommit, transact } from './database.ts';
import { PubSub } from './pub-sub.ts';

let database: TestDatabase;
const all: PubSub[] = [];
before(async () => {
  database = await testDatabase();
});
after(() => Promise.all(all.map((news) => news.stop())));

interface Heard {
  readonly news: PubSub;
  readonly ids: string[];
  readonly batches: number[];
  gaps: number;
}

/** As one process has it. */
async function open(topic = 'order'): Promise<Heard> {
  const { db, connection } = database;
  const heard: Heard = { news: new PubSub({ db, connection, log: silentLog }), ids: [], batches: [], gaps: 0 };
  all.push(heard.news);
  heard.news.subscribe(topic, (ids) => {
    heard.ids.push(...ids);
    heard.batches.push(ids.length);
  });
  heard.news.onGap(() => (heard.gaps += 1));
  await heard.news.start();
  return heard;
}

test('every process receives each notification once, by topic', async () => {
  const [one, two, other] = [await open(), await open(), await open('session')];
  const ids = Array.from({ length: 500 }, () => uuidv7());
  for (const id of [...ids, ...ids]) one.news.publish('order', id);
  const ofTwo = uuidv7();
  two.news.publish('order', ofTwo);
  two.news.publish('session', ofTwo);
  for (const { ids: heard } of [one, two]) {
    await waitUntil(() => heard.length >= 501);
    assert.deepEqual(heard.toSorted(), [...ids, ofTwo].toSorted());
  }
  assert.ok(one.batches.length <= 5, `${one.batches.length} batches`);
  await waitUntil(() => other.ids.length > 0);
  assert.deepEqual(other.ids, [ofTwo]);
});

test('reconnects after a lost connection and reports the gap', async () => {
  const one = await open();
  const { gaps } = one;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'crypto-market news' and datname = current_database()`.execute(database.db);
  await waitUntil(() => one.gaps > gaps);
  const id = uuidv7();
  one.news.publish('order', id);
  await waitUntil(() => one.ids.includes(id));
});

test('ignores other notifications, and all of them after stop', async () => {
  const one = await open();
  for (const odd of ['', 'order', 'order:', 'order:x; drop', `nobody:${uuidv7()}`, ':']) {
    await sql`select pg_notify('shop_news', ${odd})`.execute(database.db);
  }
  const id = uuidv7();
  one.news.publish('order', id);
  await waitUntil(() => one.ids.includes(id));
  assert.deepEqual(one.ids, [id]);
  await one.news.stop();
  one.news.publish('order', uuidv7());
  await one.news.start();
});

test('afterCommit runs after a commit and not after a rollback', async () => {
  const { db } = database;
  const done: string[] = [];
  await transact(db, async (tx) => {
    afterCommit(tx, () => done.push('first'));
    await transact(tx, async (inner) => afterCommit(inner, () => done.push('inner')));
    await sql`select 1`.execute(tx);
    assert.deepEqual(done, []);
  });
  assert.deepEqual(done, ['first', 'inner']);
  await assert.rejects(
    transact(db, (tx) => {
      afterCommit(tx, () => done.push('never'));
      return Promise.reject(new Error('no'));
    }),
  );
  // A try that met a conflict has not happened.
  let tries = 0;
  await transact(db, async (tx) => {
    tries += 1;
    afterCommit(tx, () => done.push(`try ${tries}`));
    if (tries === 1) await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx);
  });
  assert.deepEqual(done, ['first', 'inner', 'try 2']);
});
