import { z } from 'zod';
import { filledText, id, instant, rowVersion } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { ECB_FAILURES, isEcbCurrency } from './ecb-file.ts';
import { nationalCurrencies, parseRate } from './national-tax.ts';
import { isDay, MAX_RATES } from './parse-rates.ts';

const DAYS = { message: 'must be a whole number from 0 to 31' };
const settings = z.object({
  /** Empty: invoices have dollars only. */
  currency: z.enum(['', ...nationalCurrencies]),
  /** A rate counts on its day and on so many days after it, unless there is a newer one. */
  valid_days: z.int(DAYS).min(0, DAYS).max(31, DAYS),
  /** Rates that staff enter, or those that the European Central Bank publishes. */
  rates_from: z.enum(['table', 'ecb']),
  version: rowVersion(0),
});

const changed = settings.refine(({ currency, rates_from: from }) => from === 'table' || isEcbCurrency(currency), {
  path: ['rates_from'],
  message: 'must be table: the European Central Bank publishes no rate of this currency',
});

const day = z.string().refine(isDay, { message: 'must be a day such as 2026-11-27' });
const rate = z.string().refine((text) => parseRate(text) !== null, { message: 'must be a rate such as 0.8601' });

const shown = settings.extend({
  // What an earlier release stored.
  currency: z.string(),
  /** The newest hundred, of the source of the setting. */
  rates: z.array(z.object({ day: z.string(), rate: z.string(), source: z.string() })),
  /** With rates of the European Central Bank: how it went to fetch them. */
  ecb: z
    .object({
      newest_day: z.string().nullable(),
      /** When its file was read the last time; null: never. */
      checked_at: instant.nullable(),
      /** Failed attempts since then, and why the last one failed. */
      failures: z.int().nonnegative(),
      failure: z.enum(ECB_FAILURES).nullable(),
      /** When the file is read again; null: now. */
      next_at: instant.nullable(),
    })
    .nullable(),
  /** Orders whose documents wait for a rate, the first days that are missing, and the first of the orders. */
  waiting: z.object({
    total: z.int().nonnegative(),
    days: z.array(z.string()),
    orders: z.array(z.object({ id, number: z.string() })),
  }),
});
export type ShownNationalCurrency = z.input<typeof shown>;

export const nationalCurrencyApi = {
  'GET /tax/national-currency': {
    summary: 'Staff: the currency in which invoices repeat the amount of tax, its rates, and orders that wait for one',
    response: shown,
    refusals: { 403: 'forbidden' },
  },
  'PUT /tax/national-currency': {
    summary: 'Owner: changes the currency in which invoices repeat the amount of tax. Issued invoices stay',
    body: changed,
    response: settings.extend({ currency: z.string() }),
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'changed-meanwhile' },
  },
  'PUT /tax/national-rates': {
    summary: 'Staff: stores rates of the national currency for one dollar by day; those of the same days are replaced',
    body: z.object({
      source: filledText(80),
      rates: z
        .array(z.object({ day, rate }))
        .min(1)
        .max(MAX_RATES)
        .refine((all) => new Set(all.map((one) => one.day)).size === all.length, {
          message: 'must name each day once',
        }),
    }),
    response: shown,
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'no-currency' },
  },
  'DELETE /tax/national-rates/{day}': {
    summary: 'Staff: removes the rate of a day. Issued invoices stay',
    params: z.object({ day }),
    response: shown,
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
