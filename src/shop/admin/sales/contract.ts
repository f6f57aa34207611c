import { z } from 'zod';
import { btc, instant, signedBtc, signedUsd, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { comparedDays } from './compare-periods.ts';
import { isDay, namedPeriods, salesGroups, salesUnits } from './sales-period.ts';

const count = z.int().nonnegative();
const day = z.string().refine(isDay, { message: 'must be a day such as 2026-03-01' });
/** Days of the shop's time zone; both are included. */
const period = { from: day, to: day };
/** IANA name. */
const zone = { time_zone: z.string() };
const chosen = {
  /** Up to today; default: the last 30 days. */
  period: z.enum(namedPeriods).optional(),
  /** Both or none. They replace `period`. */
  from: day.optional(),
  to: day.optional(),
};

const figures = z.object({
  orders: count,
  /** What the buyers paid for the orders: their totals without what staff waived, and the agreed bitcoin. */
  sold_usd: usd,
  sold_btc: btc,
  waived_usd: usd,
  /** Sold minus refunded: negative if more was refunded than sold in the time. */
  revenue_usd: signedUsd,
  revenue_btc: signedBtc,
  /** Of what was sold; null without orders. */
  average_usd: usd.nullable(),
  /** Confirmed refunds made in the time, whenever the order was paid. */
  refunds: count,
  refunded_usd: usd,
  refunded_btc: btc,
});
export type SalesFigures = z.input<typeof figures>;

const comparedSpan = z.object({
  ...period,
  /** The moment at which the last day ends here. */
  until: instant,
  totals: figures,
});

const point = figures.extend({
  /** First day of the unit; a week starts on Monday. */
  start: z.string(),
});
export type SalesPoint = z.input<typeof point>;

const margin = z.object({
  /** Units whose cost was known when they were ordered; the amounts are of these alone. */
  units: count,
  /** What they brought: without tax, delivery and what staff waived, before refunds. */
  goods_usd: usd,
  cost_usd: usd,
  /** Goods minus cost: negative if they were sold for less. */
  margin_usd: signedUsd,
});
export type Margin = z.input<typeof margin>;

const group = z.object({
  /** Id of the product or category, country code, or promo code. Null: none. */
  key: z.string().nullable(),
  name: z.string(),
  /** Null for products and categories: an order may have several. */
  orders: count.nullable(),
  /** Null for countries and promotions. */
  units: count.nullable(),
  /** Without what staff waived, before refunds. */
  sold_usd: usd,
  sold_btc: btc,
  /** Null for countries and promotions, if no cost is known, and for an API key. */
  margin: margin.nullable(),
});
export type SalesOfGroup = z.input<typeof group>;

export const salesApi = {
  'GET /support/sales': {
    summary:
      'Staff: orders, refunds, and the revenue net of refunds of a period by day, week or month of the shop’s time zone',
    query: z.object({ ...chosen, by: z.enum(salesUnits).optional() }),
    response: z.object({ ...period, ...zone, by: z.enum(salesUnits), totals: figures, points: z.array(point) }),
    refusals: { 400: 'bad-period', 403: 'forbidden' },
  },
  'GET /support/sales/comparison': {
    summary:
      'Staff: orders, revenue and average order of the last 1, 7 or 28 days until now, and of the same weekdays before until the same time of day',
    query: z.object({ days: z.enum(comparedDays).optional() }),
    response: z.object({
      ...zone,
      current: comparedSpan,
      /** Null if the shop had not sold anything yet on the first of these days. */
      before: comparedSpan.nullable(),
      /** Day of the first sale; null without one. */
      first_sale: z.string().nullable(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/sales/groups': {
    summary:
      'Staff: what was sold in a period by product, category, country or promotion, before refunds, and the margin of what has a cost; the 50 highest',
    query: z.object({ ...chosen, group: z.enum(salesGroups) }),
    response: z.object({
      ...period,
      ...zone,
      groups: z.array(group),
      /** Further groups together; null if there are none. */
      others: z.object({ groups: count, sold_usd: usd, sold_btc: btc, margin: margin.nullable() }).nullable(),
      sold_usd: usd,
      sold_btc: btc,
      /** Units sold; null for countries and promotions. */
      units: count.nullable(),
      margin: margin.nullable(),
    }),
    refusals: { 400: 'bad-period', 403: 'forbidden' },
  },
  'GET /support/stock-value': {
    summary: 'Staff: what the tracked units on hand cost the shop',
    response: z.object({
      /** Of units whose cost is known. */
      value_usd: usd,
      /** Units on hand whose cost is known, and of how many variants. */
      units: count,
      variants: count,
      /** Units on hand whose cost is unknown, and of how many variants. */
      unknown_units: count,
      unknown_variants: count,
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /exports/sales': {
    summary: 'Staff: the figures of a period as CSV, by time or by group',
    query: z.object({ ...chosen, by: z.enum(salesUnits).optional(), group: z.enum(salesGroups).optional() }),
    response: z.string(),
    responseType: 'csv',
    refusals: { 400: 'bad-period', 401: 'reauth', 403: 'forbidden' },
  },
} as const satisfies Contract;
