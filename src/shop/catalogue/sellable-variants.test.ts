import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { Rate } from '#src/platform/rates/rate-source.ts';
import '../../../tests/support/own-process.ts';
import { seedCatalogue } from '../../../db/seed/catalogue.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { Catalogue } from './service.ts';

const now = new Date('2026-01-02T03:04:05Z');
const rate: Rate = { centsPerBtc: 11_100_000n, at: now, evidence: {} };

const { db } = await createTestDatabase();
let catalogue: Catalogue;
before(async () => {
  await seedCatalogue(db, now);
  catalogue = await Catalogue.open(db, { getCurrent: () => rate, getState: () => 'current' });
});

test('[OPS-08] lists the variants that are sold with their own price and stock', async () => {
  const read = async () => (await catalogue.findDetail('iphone-air')) ?? assert.fail('no product');
  const shown = await read();
  const sizes = shown.variants.length;
  assert.ok(sizes > 2);
  const [cheap, gone, own] = shown.variants;
  assert.ok(cheap && gone && own);
  assert.equal(cheap.price_usd, shown.base_price_in_usd);
  await sql`update product_variants set is_published = false where sku = ${gone.sku}`.execute(db);
  await sql`update product_variants set own_price_cents = 55500, gtin = '4006381333931'
    where sku = ${own.sku}`.execute(db);
  await sql`insert into variant_stock (variant_id, available) select id, 0 from product_variants
    where sku = ${cheap.sku}`.execute(db);
  await catalogue.reload();
  const after = await read();
  assert.equal(after.variants.length, sizes - 1);
  assert.ok(!after.variants.some(({ sku }) => sku === gone.sku));
  const [soldOut, priced] = [cheap, own].map(({ sku }) => after.variants.find((of) => of.sku === sku));
  assert.deepEqual([soldOut?.is_available, priced?.is_available], [false, true]);
  assert.deepEqual([priced?.price_usd, priced?.price_btc, priced?.gtin], [555, 0.005, '4006381333931']);
});

test('[OPS-10] a product is sold out when none of its sold variants can be ordered', async () => {
  const several = catalogue.snapshot.products.findLast(({ offered }) => offered.length > 1);
  const id = several?.id ?? assert.fail('no product');
  const { rows: variants } = await sql<{ id: string }>`
    select id from product_variants where product_id = ${id} and is_published order by position
  `.execute(db);
  const [first, ...others] = variants.map((variant) => variant.id);
  assert.ok(first !== undefined && others.length > 0);
  const setAvailable = async (ids: readonly string[], available: number): Promise<void> => {
    await sql`insert into variant_stock (variant_id, available) select unnest(${ids}::uuid[]), ${available}::integer
      on conflict (variant_id) do update set available = excluded.available`.execute(db);
    await catalogue.refreshStock(ids);
  };
  const isSoldOut = async () => (await catalogue.listCards([id]))[0]?.is_sold_out;
  await setAvailable([first], 1);
  await setAvailable(others, 0);
  const { version } = catalogue;
  assert.equal(await isSoldOut(), false, 'one is left');
  await setAvailable([first], 0);
  assert.equal(await isSoldOut(), true);
  await setAvailable([first], 0);
  assert.equal(catalogue.version, version + 1, 'nothing changed');
  await setAvailable([first], 3);
  assert.equal(await isSoldOut(), false);
  await transact(db, async (tx) => {
    const revision = await incrementRevision(tx, 'catalogue');
    await sql`update product_variants set is_published = false where id = ${first}`.execute(tx);
    await sql`update products set revision = ${revision} where id = ${id}`.execute(tx);
  });
  await catalogue.refresh();
  assert.equal(await isSoldOut(), true, 'what is left is not sold');
});
