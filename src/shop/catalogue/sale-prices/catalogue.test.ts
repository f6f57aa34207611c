/** The catalogue in memory while sale prices start and end by the clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { seedCatalogue } from '../../../../db/seed/catalogue.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { Catalogue } from '../service.ts';

const SEEDED = new Date('2026-01-02T03:04:05Z');
const START = new Date('2026-03-10T10:00:00Z');
const END = new Date('2026-03-11T10:00:00Z');
const QUERIES = [
  { sort: 'price_asc' },
  { sort: 'price_desc', price_max: 700 },
  { q: 'pro', price_min: 500, price_max: 1000 },
  { q: 'iphnoe' },
] as const;

const rates = { getCurrent: () => null, getState: () => 'none' as const };
const search = async (of: Catalogue) => [
  ...(await Promise.all(QUERIES.map(async (query) => [await of.list(query), of.countFilterOptions(query)]))),
  await of.suggestProducts('iphone'),
  of.findStartingPrice('none'),
];

test('[OPS-09] searches at any moment equal those of a new catalogue', async () => {
  const { db } = await createTestDatabase();
  await seedCatalogue(db, SEEDED);
  await sql`insert into sale_prices (id, product_id, starts_at, ends_at, discount_basis_points, edited_at)
    select gen_random_uuid(), id, ${START}, ${END}, 4000, ${SEEDED} from products where slug = 'iphone-17-pro'`.execute(
    db,
  );
  await sql`insert into sale_prices (id, product_id, starts_at, base_price_cents, edited_at)
    select gen_random_uuid(), id, ${END}, 45000, ${SEEDED} from products where slug = 'iphone-air'`.execute(db);
  let now = new Date(START.getTime() - 1);
  const clock = { now: () => now };
  const catalogue = await Catalogue.open(db, rates, clock);
  const others = catalogue.snapshot.products.filter(({ pricing }) => pricing === undefined);
  assert.equal(others.length, catalogue.snapshot.products.length - 2);
  const readPrice = (slug: string) => catalogue.snapshot.productsBySlug.get(slug)?.basePriceCents;
  const normal = [readPrice('iphone-17-pro'), readPrice('iphone-air')];
  await search(catalogue);
  const expected = [
    [START, [65_940n, normal[1]]],
    [new Date(END.getTime() - 1), [65_940n, normal[1]]],
    [END, [normal[0], 45_000n]],
    [new Date(START.getTime() - 1), normal],
  ] as const;
  for (const [moment, prices] of expected) {
    const { version, pricesSince } = catalogue;
    const isChange = readPrice('iphone-17-pro') !== prices[0] || readPrice('iphone-air') !== prices[1];
    now = moment;
    assert.deepEqual([readPrice('iphone-17-pro'), readPrice('iphone-air')], prices, moment.toISOString());
    assert.equal(catalogue.version > version, isChange);
    assert.equal(catalogue.pricesSince !== pricesSince, isChange);
    assert.deepEqual(
      await search(catalogue),
      await search(await Catalogue.open(db, rates, clock)),
      moment.toISOString(),
    );
    for (const product of others) assert.equal(catalogue.snapshot.productsById.get(product.id), product);
  }
});

test('[OPS-09] a card shows the reduction of its cheapest variant', async () => {
  const { db } = await createTestDatabase();
  await seedCatalogue(db, SEEDED);
  await sql`update products set base_price_cents = 100000 where slug = 'iphone-air'`.execute(db);
  // Sold, but not reduced, and first the cheapest one.
  await sql`update product_variants set own_price_cents = 90000 where id = (
    select variant.id from product_variants variant join products on products.id = product_id
    where slug = 'iphone-air' order by variant.position desc limit 1)`.execute(db);
  await sql`delete from price_records`.execute(db);
  await sql`insert into price_records (product_id, recorded_at, prices)
    select id, ${SEEDED}, jsonb_build_object('base', base_price_cents::text, 'own', '{}'::jsonb, 'unsold', '[]'::jsonb,
      'increases', (select jsonb_object_agg(value_id, increase_cents::text) from product_values where product_id = products.id))
    from products`.execute(db);
  const setPrice = async (usd: number): Promise<void> => {
    await sql`delete from sale_prices`.execute(db);
    await sql`insert into sale_prices (id, product_id, starts_at, base_price_cents, edited_at)
      select gen_random_uuid(), id, ${START}, ${usd * 100}, ${SEEDED} from products where slug = 'iphone-air'`.execute(
      db,
    );
  };
  const readCard = async () => {
    const catalogue = await Catalogue.open(db, rates, { now: () => START });
    const [card] = await catalogue.listCards([catalogue.snapshot.productsBySlug.get('iphone-air')?.id ?? '']);
    return card && [card.lowest_price_usd, card.was_price_usd, card.lowest_price_30_days_usd, card.is_price_from];
  };
  await setPrice(950);
  assert.deepEqual(await readCard(), [900, null, null, true]);
  await setPrice(800);
  assert.deepEqual(await readCard(), [800, 1000, 1000, false]);
});
