import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createFixedRate } from '#src/platform/rates/rate-source.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import './support/own-process.ts';
import { createTestDatabase } from './support/database.ts';
import { seedCatalogue } from '../db/seed/catalogue.ts';
import { seedPromotions } from '../db/seed/promotions.ts';

const now = new Date('2026-01-02T03:04:05Z');
const farAway = new Date('2090-01-01T00:00:00Z');

const { db } = await createTestDatabase();
await seedCatalogue(db, now);
await seedPromotions(db, now);
await seedPromotions(db, now);
const catalogue = await Catalogue.open(
  db,
  createFixedRate(11_100_000n, () => now),
);
const promotions = await Promotions.open(db, catalogue);

test('[PAGE-04] [PROMO-03] always runs one promotion of each type', () => {
  const running = promotions.listRunning(now).map(({ code, type, discount_value: value }) => [code, type, value]);
  assert.deepEqual(
    running.toSorted(([a = ''], [b = '']) => String(a).localeCompare(String(b))),
    [
      ['EXTRA5', 'extra_discount', 5],
      ['GIFT', 'free_item', 0],
      ['MINUS50', 'fixed_amount', 50],
      ['SPRING15', 'fixed_percent', 15],
      ['WELCOME10', 'discount_percent', 10],
    ],
  );
  assert.deepEqual(promotions.listRunning(farAway), promotions.listRunning(now));
  const gift = promotions.listRunning(now).find(({ code }) => code === 'GIFT');
  assert.equal(gift?.gift_product?.slug, 'airtag');
});

/** Codes shown after a change of EXTRA5. */
async function listCodesAfter(set: string): Promise<string[]> {
  await sql`update promotions set ${sql.raw(set)} where code = 'EXTRA5'`.execute(db);
  await promotions.refresh();
  return promotions.listRunning(now).map(({ code }) => code);
}

test('[PAGE-04] hides promotions that do not run or are not advertised', async () => {
  for (const set of [
    `ends_at = '2026-01-02T03:04:05Z'`,
    `ends_at = null, starts_at = '2026-01-02T03:04:06Z'`,
    'starts_at = null, max_uses = 1, uses = 1',
    'max_uses = null, uses = 0, is_active = false',
    'is_active = true, is_advertised = false',
  ]) {
    assert.ok(!(await listCodesAfter(set)).includes('EXTRA5'), set);
  }
  assert.ok((await listCodesAfter('is_advertised = true')).includes('EXTRA5'));
});

test('[PAGE-04] hides a promotion whose gift is no longer sold', async () => {
  await sql`update products set is_published = false where slug = 'airtag'`.execute(db);
  await catalogue.reload();
  assert.ok(!promotions.listRunning(now).some(({ code }) => code === 'GIFT'));
  await sql`update products set is_published = true where slug = 'airtag'`.execute(db);
  await catalogue.reload();
});

test('[PROMO-03] rejects inconsistent promotions by constraints', async () => {
  const assertRefused = async (columns: string, values: string): Promise<void> => {
    const insert = sql.raw(
      `insert into promotions (id, code, ${columns}) values (gen_random_uuid(), 'TEST', ${values})`,
    );
    await assert.rejects(sql`${insert}`.execute(db), /check constraint/, `${columns}: ${values}`);
  };
  await assertRefused('type', `'free_item'`);
  await assertRefused('type, discount_cents', `'discount_percent', 100`);
  await assertRefused('type, discount_basis_points', `'discount_percent', 10001`);
  await assertRefused('type, discount_basis_points', `'discount_percent', 0`);
  await assertRefused('type, discount_cents, discount_basis_points', `'fixed_amount', 100, 100`);
  await assertRefused('type, discount_cents, max_uses, uses', `'fixed_amount', 100, 1, 2`);
  await assertRefused('type, discount_cents, starts_at, ends_at', `'fixed_amount', 100, '2026-01-02', '2026-01-02'`);
  await assert.rejects(
    sql`insert into promotions (id, code, type, discount_cents)
        values (gen_random_uuid(), 'gift', 'fixed_amount', 1)`.execute(db),
    /check constraint/,
    'stores codes in upper case, unique in any case',
  );
  await assert.rejects(sql`update promotions set max_uses = 1, uses = 2 where code = 'GIFT'`.execute(db), /check/);
});
