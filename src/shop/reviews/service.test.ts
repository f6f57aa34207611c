/** The reviews in memory follow the database in every process, also without notifications. */
import { Refusal } from '#src/platform/http/call.ts';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import { RevisionWatcher } from '#src/platform/database/revisions.ts';
import { createFixedRate } from '#src/platform/rates/rate-source.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import '../../../tests/support/own-process.ts';
import { createTestDatabase, silentLog } from '../../../tests/support/database.ts';
import { Reviews } from './service.ts';

const now = new Date('2026-01-02T03:04:05Z');
const REVIEW = '019b0000-0000-7000-8000-000000000001';
const USER = '019b0000-0000-7000-8000-000000000002';

const STAFF = { kind: 'command', name: 'test' } as const;

const { db } = await createTestDatabase();

interface Process {
  readonly reviews: Reviews;
  readonly watcher: RevisionWatcher;
}

/** The reviews of one process, whose notifications are lost. */
async function open(): Promise<Process> {
  const pubSub = { subscribe: () => {}, onGap: () => {}, publish: () => {} };
  const watcher = new RevisionWatcher({ db, log: silentLog, pubSub });
  const reviews = await Reviews.open({
    db,
    catalogue: await Catalogue.open(
      db,
      createFixedRate(11_100_000n, () => now),
    ),
    clock: { now: () => now },
    hasBought: () => Promise.resolve(false),
    findFirstName: () => Promise.resolve(null),
    checkName: () => Promise.resolve(null),
    announce: () => watcher.announce(),
  });
  watcher.add(reviews);
  return { reviews, watcher };
}

let first: Process;
let second: Process;
before(async () => {
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${USER}, 'grace', 'grace', 'grace@example.com', 'grace@example.com', 'x', ${now})
  `.execute(db);
  await sql`
    insert into reviews (id, user_id, name, text, rating, created_at)
    values (${REVIEW}, ${USER}, 'grace', 'Quick and quiet', 5, ${now})
  `.execute(db);
  first = await open();
  second = await open();
});

const listShown = ({ reviews }: Process): readonly string[] => reviews.listShopReviews().map(({ text }) => text);

test('[REV-03] a decision shows here at once and in other processes after their poll', async () => {
  const [here, there] = [first.reviews.version, second.reviews.version];
  const approved = await first.reviews.moderate(REVIEW, true, STAFF);
  assert.ok(!(approved instanceof Refusal) && approved.state === 'approved');
  assert.deepEqual([listShown(first), listShown(second)], [['Quick and quiet'], []]);
  assert.notEqual(first.reviews.version, here);
  assert.equal(second.reviews.version, there);
  await second.watcher.check();
  assert.deepEqual(listShown(second), ['Quick and quiet']);
  assert.equal(second.reviews.revision, first.reviews.revision);
});

test('a poll without a change does not refresh the reviews', async () => {
  const { version } = second.reviews;
  await second.watcher.check();
  const unknown = await first.reviews.moderate(USER, true, STAFF);
  assert.ok(unknown instanceof Refusal && unknown.code === 'not-found', 'no such review');
  await second.watcher.check();
  assert.equal(second.reviews.version, version);
});

test('erased reviews disappear in every process, and stay after a rollback', async () => {
  const rollback = new Error('rolled back');
  const erase = (end: () => void): Promise<void> =>
    transact(db, async (tx) => {
      await first.reviews.erasePersonalData(tx, USER);
      end();
    });
  await assert.rejects(
    erase(() => {
      throw rollback;
    }),
    rollback,
  );
  for (const { watcher } of [first, second]) await watcher.check();
  assert.deepEqual([listShown(first), listShown(second)], [['Quick and quiet'], ['Quick and quiet']]);
  await erase(() => {});
  for (const { watcher } of [first, second]) await watcher.check();
  assert.deepEqual([listShown(first), listShown(second)], [[], []]);
});
