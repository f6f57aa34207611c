/** The setting of the national currency, and rates by day. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface CurrencySettings {
  /** Empty: none. */
  readonly currency: string;
  /** For how many days after its day a rate counts, unless there is a newer one. */
  readonly valid_days: number;
  /** Rates that staff enter, or those of the European Central Bank. */
  readonly rates_from: 'table' | 'ecb';
  readonly version: number;
}

export async function readSettings(db: Db): Promise<CurrencySettings> {
  const { rows } = await sql<CurrencySettings>`
    select currency, valid_days, rates_from, version from national_currency_settings
  `.execute(db);
  const [settings] = rows;
  if (settings === undefined) throw new Error('the row of national_currency_settings is missing');
  return settings;
}

export async function lockSettings(tx: Db): Promise<CurrencySettings> {
  await sql`select from national_currency_settings for update`.execute(tx);
  return readSettings(tx);
}

export async function updateSettings(tx: Db, settings: CurrencySettings): Promise<void> {
  const { currency, valid_days: days, rates_from: from, version } = settings;
  await sql`
    update national_currency_settings
    set currency = ${currency}, valid_days = ${days}, rates_from = ${from}, version = ${version}
  `.execute(tx);
}

export interface StoredRate {
  /** `2026-11-27`. */
  readonly day: string;
  /** Hundred-millionths of the currency for one dollar. */
  readonly rateE8: bigint;
  readonly source: string;
}

/** The newest rate that counts on a day; null if there is none. */
export async function findRate(
  db: Db,
  { currency, valid_days: validDays }: Pick<CurrencySettings, 'currency' | 'valid_days'>,
  day: string,
): Promise<StoredRate | null> {
  const { rows } = await sql<StoredRate>`
    select day::text as day, rate_e8 as "rateE8", source from national_rates
    where currency = ${currency} and day <= ${day}::date and day >= ${day}::date - ${validDays}::integer
    order by day desc limit 1
  `.execute(db);
  return rows[0] ?? null;
}

/** The latest rates, the newest day first. */
export async function listRates(db: Db, currency: string, limit: number): Promise<readonly StoredRate[]> {
  const { rows } = await sql<StoredRate>`
    select day::text as day, rate_e8 as "rateE8", source from national_rates
    where currency = ${currency} order by day desc limit ${limit}
  `.execute(db);
  return rows;
}

/** Stores rates; those of the same days are replaced. Returns what they replace, by day. */
export async function writeRates(
  tx: Db,
  currency: string,
  rates: readonly StoredRate[],
  at: Date,
): Promise<readonly StoredRate[]> {
  const days = rates.map(({ day }) => day);
  const { rows: before } = await sql<StoredRate>`
    select day::text as day, rate_e8 as "rateE8", source from national_rates
    where currency = ${currency} and day = any(${days}::date[]) order by national_rates.day for update
  `.execute(tx);
  await sql`
    insert into national_rates (currency, day, rate_e8, source, edited_at)
    select ${currency}, day, rate, source, ${at}
    from unnest(${days}::date[], ${rates.map(({ rateE8 }) => String(rateE8))}::bigint[],
      ${rates.map(({ source }) => source)}::text[]) as entered (day, rate, source) order by day
    on conflict (currency, day) do update
      set rate_e8 = excluded.rate_e8, source = excluded.source, edited_at = excluded.edited_at
  `.execute(tx);
  return before;
}

/** Deletes the rate of a day; null if there is none. */
export async function deleteRate(tx: Db, currency: string, day: string): Promise<StoredRate | null> {
  const { rows } = await sql<StoredRate>`
    delete from national_rates where currency = ${currency} and day = ${day}::date
    returning day::text as day, rate_e8 as "rateE8", source
  `.execute(tx);
  return rows[0] ?? null;
}
