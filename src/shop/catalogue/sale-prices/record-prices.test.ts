import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { seedCatalogue } from '../../../../db/seed/catalogue.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { Catalogue } from '../service.ts';
import { MAX_RECORDS, recordPrices } from './record-prices.store.ts';

const SEEDED = new Date('2026-01-02T03:04:05Z');
const HOUR_MS = 3_600_000;
const at = (hours: number): Date => new Date(SEEDED.getTime() + hours * HOUR_MS);
const SLUG = 'iphone-air';

let db: Db;
let id: string;
before(async () => {
  ({ db } = await createTestDatabase());
  await seedCatalogue(db, SEEDED);
  const { rows } = await sql<{ id: string }>`select id from products where slug = ${SLUG}`.execute(db);
  id = rows[0]?.id ?? '';
});

async function changePrice(hours: number, cents: number): Promise<void> {
  await sql`update products set base_price_cents = ${cents} where id = ${id}`.execute(db);
  await recordPrices(db, [id], at(hours));
}

async function countRecords(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from price_records where product_id = ${id}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

test('[OPS-09] the records of frequent price changes stay few', async () => {
  for (let change = 1; change <= 300; change += 1) await changePrice(change, 90_000 + (change % 7) * 100);
  const count = await countRecords();
  assert.ok(count > 70 && count <= MAX_RECORDS, `${count} records`);
  await sql`
    insert into sale_prices (id, product_id, starts_at, base_price_cents, edited_at)
    values (gen_random_uuid(), ${id}, ${at(301)}, 50000, ${at(301)})
  `.execute(db);
  const rates = { getCurrent: () => null, getState: () => 'none' as const };
  const catalogue = await Catalogue.open(db, rates, { now: () => at(302) });
  const [card] = await catalogue.listCards([id]);
  assert.equal(card?.was_price_usd, 900);
});

test('[OPS-09] records before the 30 days are deleted when there are many', async () => {
  await sql`delete from sale_prices`.execute(db);
  const later = 300 + 40 * 24;
  for (let change = 0; change <= MAX_RECORDS; change += 1) await changePrice(later + change, 80_000 + change);
  const { rows } = await sql<{ old: number }>`
    select count(*)::integer as old from price_records where product_id = ${id} and recorded_at < ${at(later)}
  `.execute(db);
  assert.equal(rows[0]?.old, 1);
});
