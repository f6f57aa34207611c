/** Reference rates of the European Central Bank, and the state of their fetching. Stored rates never change. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { EcbDay } from './ecb-file.ts';
import { EURO_E8 } from './national-tax.ts';

/** Hundred-millionths for one euro. */
export interface EcbRate {
  readonly day: string;
  readonly dollarsE8: bigint;
  readonly nationalE8: bigint;
}

/** The newest rates of a currency of some days, the newest day first. The euro has no rows: one euro is one euro. */
async function readRates(
  db: Db,
  currency: string,
  { from, to, limit }: { readonly from: string | null; readonly to: string | null; readonly limit: number },
): Promise<readonly EcbRate[]> {
  const { rows } = await sql<EcbRate>`
    select dollars.day::text as day, dollars.rate_e8 as "dollarsE8",
      coalesce(national.rate_e8, ${String(EURO_E8)}::bigint) as "nationalE8"
    from ecb_rates dollars
      left join ecb_rates national on national.day = dollars.day and national.currency = ${currency}
    where dollars.currency = 'USD' and (national.rate_e8 is not null or ${currency} = 'EUR')
      and (${from}::date is null or dollars.day >= ${from}::date) and (${to}::date is null or dollars.day <= ${to}::date)
    order by dollars.day desc limit ${limit}
  `.execute(db);
  return rows;
}

/** The newest rate of the days from one to another, both included; null if there is none. */
export async function findEcbRate(db: Db, currency: string, from: string, to: string): Promise<EcbRate | null> {
  const [rate] = await readRates(db, currency, { from, to, limit: 1 });
  return rate ?? null;
}

export const listEcbRates = (db: Db, currency: string, limit: number): Promise<readonly EcbRate[]> =>
  readRates(db, currency, { from: null, to: null, limit });

export async function findNewestDay(db: Db, currency: string): Promise<string | null> {
  const [rate] = await readRates(db, currency, { from: null, to: null, limit: 1 });
  return rate?.day ?? null;
}

/** Stores the days of a file. What is stored already stays as it is. Returns how many rates are new. */
export async function insertEcbRates(tx: Db, days: readonly EcbDay[], at: Date): Promise<number> {
  const rates = days.flatMap(({ day, rates: ofDay }) =>
    [...ofDay].map(([currency, rateE8]) => ({ day, currency, rateE8 })),
  );
  const { numAffectedRows } = await sql`
    insert into ecb_rates (currency, day, rate_e8, stored_at)
    select currency, day, rate, ${at}
    from unnest(${rates.map(({ currency }) => currency)}::text[], ${rates.map(({ day }) => day)}::date[],
      ${rates.map(({ rateE8 }) => String(rateE8))}::bigint[]) as published (currency, day, rate)
    order by currency, day
    on conflict (currency, day) do nothing
  `.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export interface EcbFetches {
  /** When the last usable file was read; null: never. */
  readonly checkedAt: Date | null;
  /** Since then, and the reason of the last one. */
  readonly failures: number;
  readonly failure: string | null;
  /** Null: now. */
  readonly nextAt: Date | null;
}

export async function readFetches(db: Db): Promise<EcbFetches> {
  const { rows } = await sql<EcbFetches>`
    select checked_at as "checkedAt", failures, failure, next_at as "nextAt" from ecb_fetches
  `.execute(db);
  const [fetches] = rows;
  if (fetches === undefined) throw new Error('the row of ecb_fetches is missing');
  return fetches;
}

/** Makes a fetch due, and forgets failures. */
export async function requestFetch(tx: Db): Promise<void> {
  await sql`update ecb_fetches set failures = 0, failure = null, next_at = null`.execute(tx);
}

export async function recordFetch(tx: Db, checkedAt: Date, nextAt: Date): Promise<void> {
  await sql`
    update ecb_fetches set checked_at = ${checkedAt}, failures = 0, failure = null, next_at = ${nextAt}
  `.execute(tx);
}

export async function recordFailure(tx: Db, failures: number, failure: string, nextAt: Date): Promise<void> {
  await sql`update ecb_fetches set failures = ${failures}, failure = ${failure}, next_at = ${nextAt}`.execute(tx);
}
