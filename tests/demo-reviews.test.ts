import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { executeRoute } from '#src/platform/http/call.ts';
import type { Outcome } from '#src/platform/http/call.ts';
import { createFixedRate } from '#src/platform/rates/rate-source.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { reviewsApi } from '#src/shop/reviews/contract.ts';
import { createReviewRoutes } from '#src/shop/reviews/routes.ts';
import { Reviews } from '#src/shop/reviews/service.ts';
import './support/own-process.ts';
import { createTestDatabase } from './support/database.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { seedCatalogue } from '../db/seed/catalogue.ts';
import { productReviews, seedReviews } from '../db/seed/reviews.ts';

const YEAR_MS = 366 * 86_400_000;
const now = new Date('2026-01-02T03:04:05Z');

const { db } = await createTestDatabase();
await seedCatalogue(db, now);
await seedReviews(db, now);
await seedReviews(db, now);
const catalogue = await Catalogue.open(
  db,
  createFixedRate(11_100_000n, () => now),
);
const reviews = await Reviews.open({
  db,
  catalogue,
  clock: { now: () => new Date() },
  hasBought: () => Promise.resolve(false),
  findFirstName: () => Promise.resolve(null),
  checkName: () => Promise.resolve(null),
  announce: () => Promise.resolve(),
});
const visitor = {
  identity: null,
  guestToken: null,
  ip: '127.0.0.1',
  isBrowser: false,
  bearer: null,
  idempotencyKey: null,
};
const silence = { header: () => {}, setCookie: () => {}, clearCookie: () => {}, recordSecurityEvent: () => {} };

function callRoute(key: keyof typeof reviewsApi, params = {}): Promise<Outcome> {
  const raw = { params, query: {}, body: undefined };
  return executeRoute(reviewsApi[key], createReviewRoutes(reviews)[key], raw, visitor, silence);
}

async function readReviews(key: keyof typeof reviewsApi, params = {}): Promise<readonly unknown[]> {
  const outcome = await callRoute(key, params);
  assert.ok(outcome.ok);
  return listAt(outcome.wire);
}

test('[API-02] [API-13] lists at least 12 shop reviews, newest first', async () => {
  const list = await readReviews('GET /reviews/shop');
  assert.ok(list.length >= 12);
  const dates = list.map((review) => Date.parse(textAt(review, 'created')));
  assert.deepEqual(
    dates,
    dates.toSorted((a, b) => b - a),
  );
  for (const review of list) {
    assert.ok(typeof review === 'object' && review !== null);
    assert.deepEqual(Object.keys(review), ['id', 'name', 'text', 'rating', 'created']);
    assert.match(textAt(review, 'created'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const age = now.getTime() - Date.parse(textAt(review, 'created'));
    assert.ok(age > 0 && age < YEAR_MS, 'written in the last year');
  }
  assert.ok(new Set(list.map((review) => numberAt(review, 'rating'))).size >= 3, 'the ratings vary');
});

test('[API-02] lists product reviews by id or slug', async () => {
  const product = catalogue.snapshot.productsBySlug.get('airtag');
  assert.ok(product);
  const bySlug = await readReviews('GET /reviews/product/{id}', { id: 'airtag' });
  assert.deepEqual(await readReviews('GET /reviews/product/{id}', { id: product.id }), bySlug);
  assert.deepEqual(
    bySlug.map((review) => textAt(review, 'name')),
    productReviews['airtag']?.map(({ name }) => name),
  );
});

test('[API-02] returns an empty list without reviews, 404 without product', async () => {
  assert.deepEqual(await readReviews('GET /reviews/product/{id}', { id: 'nomad-base-one' }), []);
  for (const id of ['iphone-1', '019b0000-0000-7000-8000-000000000001', '%00', 'x'.repeat(300)]) {
    const outcome = await callRoute('GET /reviews/product/{id}', { id });
    assert.ok(!outcome.ok && outcome.refusal.status === 404, id);
  }
});

test('[REV-03] hides a review that is not approved', async () => {
  const before = reviews.listShopReviews().length;
  await sql`
    insert into reviews (id, name, text, rating, created_at)
    values ('019b0000-0000-7000-8000-000000000002', 'Mallory', 'Buy elsewhere', 1, ${now})
  `.execute(db);
  await reviews.refresh();
  assert.equal(reviews.listShopReviews().length, before);
  await sql`update reviews set is_approved = true where name = 'Mallory'`.execute(db);
  await reviews.refresh();
  assert.equal(reviews.listShopReviews().length, before + 1);
  await sql`delete from reviews where name = 'Mallory'`.execute(db);
  await reviews.refresh();
});

test('has two to five reviews for at least 20 products', () => {
  const entries = Object.entries(productReviews);
  assert.ok(entries.length >= 20);
  for (const [slug, list] of entries) {
    assert.ok(catalogue.snapshot.productsBySlug.has(slug), slug);
    assert.ok(list.length >= 2 && list.length <= 5, slug);
    assert.equal(reviews.listProductReviews(slug)?.length, list.length);
  }
});

test('rejects other ratings than 1 to 5 and empty texts', async () => {
  for (const [rating, text] of [
    [0, 'x'],
    [6, 'x'],
    [3, '  '],
  ] as const) {
    await assert.rejects(
      sql`insert into reviews (id, name, text, rating, created_at)
          values ('019b0000-0000-7000-8000-000000000003', 'Mallory', ${text}, ${rating}, ${now})`.execute(db),
      /check constraint/,
    );
  }
});
