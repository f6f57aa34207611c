/** Writes the records of normal prices, which prior prices are computed from. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { mergeOldRecords } from './merge-records.ts';
import {
  ENDED_MS,
  presentPrices,
  salePriceJson,
  selectChainStart,
  selectFirstStart,
  storePrices,
  toPriceHistory,
} from './prices.store.ts';
import type { PriceHistoryJson } from './prices.store.ts';
import type { PriceRecord } from './prior-price.ts';

/** Of a product; with more, old records are deleted or merged. */
export const MAX_RECORDS = 100;

/**
 * Records the prices that these products have from now on, if they differ from the last record. Call
 * it in the transaction of every change of prices, variants or publication.
 */
export async function recordPrices(tx: Db, productIds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into price_records (product_id, recorded_at, prices)
    -- Clocks of processes differ slightly; the order of records is that of the changes.
    select present.id, greatest(${now}::timestamptz, last.recorded_at), present.prices
    from (
      select products.id, case when is_published then ${presentPrices} end as prices from products
      where products.id = any(${productIds}::uuid[])
    ) present
    left join lateral (
      select recorded_at, prices from price_records
      where product_id = present.id order by recorded_at desc limit 1
    ) last on true
    where present.prices is distinct from last.prices
    on conflict (product_id, recorded_at) do update set prices = excluded.prices
  `.execute(tx);
  const ids = await listIdsWithMany(tx, productIds);
  if (ids.length === 0) return;
  await deleteOldRecords(tx, ids, now);
  for (const id of await listIdsWithMany(tx, ids)) await mergeRecords(tx, id);
}

async function listIdsWithMany(tx: Db, productIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from price_records where product_id = any(${productIds}::uuid[])
    group by product_id having count(*) > ${MAX_RECORDS}
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes records that no present or future prior price depends on. */
async function deleteOldRecords(tx: Db, productIds: readonly string[], now: Date): Promise<void> {
  const present = new Date(now.getTime() - ENDED_MS);
  await sql`
    delete from price_records old
    using products
      cross join lateral (${selectFirstStart(now)}) first
      cross join lateral (${selectChainStart}) begun
    where products.id = any(${productIds}::uuid[]) and old.product_id = products.id and old.recorded_at < (
      select max(recorded_at) from price_records
      where product_id = products.id
        and recorded_at <= least(${present}::timestamptz, begun.at) - interval '30 days'
    )
  `.execute(tx);
}

async function mergeRecords(tx: Db, productId: string): Promise<void> {
  const { rows } = await sql<PriceHistoryJson>`
    select
      (
        select json_agg(json_build_object('at', recorded_at, 'prices', prices) order by recorded_at)
        from price_records where product_id = ${productId}
      ) as records,
      (
        select coalesce(json_agg(${salePriceJson}), '[]') from sale_prices listed where product_id = ${productId}
      ) as "salePrices"
  `.execute(tx);
  for (const row of rows) {
    const history = toPriceHistory(row);
    const merged = mergeOldRecords(history);
    if (merged.length < history.records.length) await replaceRecords(tx, productId, merged);
  }
}

async function replaceRecords(tx: Db, productId: string, records: readonly PriceRecord[]): Promise<void> {
  const written = records.map(({ recordedAt, prices }) => ({ at: recordedAt, prices: prices && storePrices(prices) }));
  await sql`delete from price_records where product_id = ${productId}`.execute(tx);
  await sql`
    insert into price_records (product_id, recorded_at, prices)
    select ${productId}, at, nullif(prices, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as written (at timestamptz, prices jsonb)
  `.execute(tx);
}
