/** Thresholds of low stock, and which variants at or below theirs were reported. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface LowStockSettings {
  /** Threshold of variants without their own. */
  readonly threshold: number;
  readonly isMailed: boolean;
  readonly version: number;
}

export async function readSettings(db: Db): Promise<LowStockSettings> {
  const { rows } = await sql<LowStockSettings>`
    select low_stock_threshold as threshold, is_mailed as "isMailed", version from inventory_settings
  `.execute(db);
  const [settings] = rows;
  if (settings === undefined) throw new Error('the settings of the inventory are missing');
  return settings;
}

/** False if another version was written meanwhile. */
export async function updateSettings(db: Db, { threshold, isMailed, version }: LowStockSettings): Promise<boolean> {
  const { rows } = await sql`
    update inventory_settings set low_stock_threshold = ${threshold}, is_mailed = ${isMailed}, version = version + 1
    where version = ${version} returning version
  `.execute(db);
  return rows.length === 1;
}

/** The variant's own threshold, locked; null: the shop's. */
export async function readThreshold(tx: Db, variantId: string): Promise<number | null> {
  const { rows } = await sql<{ threshold: number }>`
    select threshold from low_stock_thresholds where variant_id = ${variantId} for update
  `.execute(tx);
  return rows[0]?.threshold ?? null;
}

/** @param threshold null: the shop's. False if there is no such variant. */
export async function writeThreshold(db: Db, variantId: string, threshold: number | null): Promise<boolean> {
  const { rows } = await sql`select id from product_variants where id = ${variantId}`.execute(db);
  if (rows.length === 0) return false;
  if (threshold === null) await sql`delete from low_stock_thresholds where variant_id = ${variantId}`.execute(db);
  else
    await sql`
      insert into low_stock_thresholds (variant_id, threshold) values (${variantId}, ${threshold})
      on conflict (variant_id) do update set threshold = excluded.threshold
    `.execute(db);
  return true;
}

/**
 * Replaces a threshold that `readThreshold` read; null: the shop's.
 * @returns false if somebody else set one or deleted the variant meanwhile
 */
export async function replaceThreshold(
  tx: Db,
  variantId: string,
  present: number | null,
  threshold: number | null,
): Promise<boolean> {
  // The lock of `readThreshold` keeps a threshold as it is, but not its absence.
  const { rows } =
    present === null
      ? await sql`
          insert into low_stock_thresholds (variant_id, threshold)
          select id, ${threshold}::integer from product_variants where id = ${variantId} for key share
          on conflict do nothing returning 1
        `.execute(tx)
      : await sql`
          ${threshold === null ? sql`delete from low_stock_thresholds` : sql`update low_stock_thresholds set threshold = ${threshold}`}
          where variant_id = ${variantId} returning 1
        `.execute(tx);
  return rows.length === 1;
}

// ---- reports

/** Whether a report may be mailed today; locks the settings, which serializes reports. */
export async function lockSettings(
  tx: Db,
  day: string,
): Promise<{ readonly isMailed: boolean; readonly isMailedToday: boolean }> {
  const { rows } = await sql<{ isMailed: boolean; isMailedToday: boolean }>`
    select is_mailed as "isMailed", coalesce(mailed_on >= ${day}::date, false) as "isMailedToday"
    from inventory_settings for update
  `.execute(tx);
  return rows[0] ?? { isMailed: false, isMailedToday: false };
}

export async function writeMailedOn(tx: Db, day: string): Promise<void> {
  await sql`update inventory_settings set mailed_on = ${day}::date`.execute(tx);
}

/** Variants on sale at or below their threshold. */
const lowNow = sql`(
  select stock.variant_id, stock.available, case when stock.available <= 0 then 'sold-out' else 'low' end as state
  from variant_stock stock
  join variants_on_sale variant on variant.id = stock.variant_id
  cross join inventory_settings
  left join low_stock_thresholds own on own.variant_id = stock.variant_id
  where stock.available <= coalesce(own.threshold, low_stock_threshold)
)`;

/** Marks what fell to or below its threshold, or sold out, since the last report. Returns how many. */
export async function markFallen(tx: Db, day: string): Promise<number> {
  await sql`
    delete from low_stock_reports
    where not exists (select from ${lowNow} low where low.variant_id = low_stock_reports.variant_id)
  `.execute(tx);
  await sql`
    update low_stock_reports set state = 'low' from ${lowNow} low
    where low.variant_id = low_stock_reports.variant_id and low.state = 'low' and low_stock_reports.state = 'sold-out'
  `.execute(tx);
  const { rows } = await sql<{ fallen: number }>`
    with marked as (
      insert into low_stock_reports (variant_id, state, reported_on)
      select variant_id, state, ${day}::date from ${lowNow} low
      on conflict (variant_id) do update set state = excluded.state, reported_on = excluded.reported_on
        where low_stock_reports.state = 'low' and excluded.state = 'sold-out'
      returning 1
    )
    select count(*)::integer as fallen from marked
  `.execute(tx);
  return rows[0]?.fallen ?? 0;
}

export interface LowVariant {
  readonly variantId: string;
  readonly available: number;
}

/** What was reported on a day and is still low, the lowest first, with their number. */
export async function listReported(
  db: Db,
  day: string,
  limit: number,
): Promise<{ readonly variants: readonly LowVariant[]; readonly total: number }> {
  const { rows } = await sql<LowVariant & { readonly total: number }>`
    select report.variant_id as "variantId", low.available, count(*) over ()::integer as total
    from low_stock_reports report join ${lowNow} low on low.variant_id = report.variant_id
    where report.reported_on = ${day}::date
    order by low.available, report.variant_id limit ${limit}
  `.execute(db);
  return { variants: rows.map(({ variantId, available }) => ({ variantId, available })), total: rows[0]?.total ?? 0 };
}
