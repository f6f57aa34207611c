/** The rate at which an invoice repeats its tax in the national currency. */
import type { Db } from '#src/platform/database/database.ts';
import { addShopDays, toShopDay } from '#src/shop/shop-days.ts';
import { ECB_VALID_DAYS, findPublishedDay, isKnownUntil } from './ecb-calendar.ts';
import { findEcbRate, findNewestDay, readFetches } from './ecb.store.ts';
import type { EcbRate } from './ecb.store.ts';
import { crossRate } from './national-tax.ts';
import type { NationalRate } from './national-tax.ts';
import { findRate, lockSettings, readSettings } from './store.ts';

const ECB = 'European Central Bank';

export const toNationalRate = (currency: string, { day, dollarsE8, nationalE8 }: EcbRate): NationalRate => ({
  currency,
  day,
  source: ECB,
  rateE8: crossRate(nationalE8, dollarsE8),
  euro: { dollarsE8, nationalE8 },
});

export interface FoundRate {
  /** The day whose rate is needed. */
  readonly day: string;
  /** Null: it is missing. Undefined: invoices have dollars only. */
  readonly rate: NationalRate | null | undefined;
}

/**
 * The latest rate that the European Central Bank had published at the time of the payment (article 91(2) of Directive
 * 2006/112/EC). Null also while the file was not read since.
 */
async function findPublishedRate(tx: Db, currency: string, paidAt: Date): Promise<FoundRate> {
  const day = findPublishedDay(paidAt);
  const newestDay = await findNewestDay(tx, currency);
  const { checkedAt } = await readFetches(tx);
  if (!isKnownUntil(day, { checkedAt, newestDay })) return { day, rate: null };
  const rate = await findEcbRate(tx, currency, addShopDays(day, -ECB_VALID_DAYS), day);
  return { day, rate: rate && toNationalRate(currency, rate) };
}

/** The rate for a payment, by the setting. @param timeZone of the shop: entered rates are by its days */
export async function findNationalRate(tx: Db, paidAt: Date, timeZone: string): Promise<FoundRate> {
  const settings = await readSettings(tx);
  const { currency, rates_from: from } = settings;
  if (currency !== '' && from === 'ecb') return findPublishedRate(tx, currency, paidAt);
  const day = toShopDay(paidAt, timeZone);
  if (currency === '') return { day, rate: undefined };
  const rate = await findRate(tx, settings, day);
  return { day, rate: rate && { ...rate, currency } };
}

/** The same, after a lock that lets no rate be stored meanwhile. */
export async function lockNationalRate(tx: Db, paidAt: Date, timeZone: string): Promise<FoundRate> {
  await lockSettings(tx);
  return findNationalRate(tx, paidAt, timeZone);
}
