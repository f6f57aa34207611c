import { z } from 'zod';
import { dollars, id, instant, rowVersion, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_VARIANTS } from '../editing/product-limits.ts';

const version = rowVersion(1);

const discountPercent = z.codec(
  z
    .number()
    .min(0.01)
    .max(99.99)
    .refine((amount) => Math.abs(Math.round(amount * 100) - amount * 100) < 1e-6, {
      message: 'must have at most two decimals',
    }),
  z.custom<bigint>((value) => typeof value === 'bigint'),
  { decode: (amount) => BigInt(Math.round(amount * 100)), encode: (hundredths) => Number(hundredths) / 100 },
);

const requestedReduction = z.discriminatedUnion('kind', [
  /** Off the base price, the increases and the prices of variants. */
  z.object({ kind: z.literal('percent'), percent: discountPercent }),
  /** The reduced base price; variants with a price of their own are reduced if they are listed. */
  z.object({
    kind: z.literal('amount'),
    price_usd: dollars(0.01),
    variant_prices: z
      .array(z.object({ value_ids: z.array(id).max(20), price_usd: dollars(0.01) }))
      .max(MAX_VARIANTS)
      .readonly(),
  }),
]);

const request = z.object({
  reduction: requestedReduction,
  /** Inclusive. Null: now. */
  starts_at: instant.nullable(),
  /** Exclusive. Null: until staff end it. */
  ends_at: instant.nullable(),
});

const reduction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('percent'), percent: discountPercent }),
  z.object({
    kind: z.literal('amount'),
    price_usd: usd,
    variant_prices: z.array(z.object({ value_ids: z.array(id), price_usd: usd })),
  }),
]);

const listedSalePrice = z.object({
  id,
  /** Send it with a change. */
  version,
  state: z.enum(['scheduled', 'running', 'ended']),
  reduction,
  starts_at: instant,
  ends_at: instant.nullable(),
  /** The reduced base price. */
  reduced_price_usd: usd,
  /** Lowest base price in the 30 days before, if it is higher; null: no reduction is announced, or it has ended. */
  lowest_price_30_days_usd: usd.nullable(),
  edited_at: instant,
  edited_by: z.string().nullable(),
});
export type ListedSalePrice = z.input<typeof listedSalePrice>;

const productPrices = z.object({
  base_price_usd: usd,
  /** Variants with a price of their own. */
  own_prices: z.array(z.object({ value_ids: z.array(id), price_usd: usd })),
  /** The latest start first, at most 50. */
  sale_prices: z.array(listedSalePrice),
});
export type ProductPrices = z.input<typeof productPrices>;

const staffOnly = { 403: 'forbidden', 404: 'not-found' };
const changing = { ...staffOnly, 409: 'changed-meanwhile, overlap, running, ended, too-many' };
/** Of calls that may reduce prices. */
const pricing = { ...changing, 401: 'reauth' };
const change = { params: z.object({ id }), response: productPrices, refusals: changing };
const changeOfState = { ...change, body: z.object({ version }) };

export const salePricesApi = {
  'GET /catalogue/products/{id}/sale-prices': {
    summary: 'Staff: normal prices and sale prices of a product',
    params: z.object({ id }),
    response: productPrices,
    refusals: staffOnly,
  },
  'POST /catalogue/products/{id}/sale-prices': {
    ...change,
    summary:
      'Staff: schedules a sale price, or starts one now. Sale prices of a product never overlap. A large reduction needs a recent password',
    refusals: pricing,
    body: request,
    status: 201,
  },
  'PUT /catalogue/sale-prices/{id}': {
    ...change,
    summary: 'Staff: changes a sale price; of a running one only the end. A large reduction needs a recent password',
    refusals: pricing,
    body: request.extend({ version }),
  },
  'POST /catalogue/sale-prices/{id}/end': {
    ...changeOfState,
    summary: 'Staff: ends a running sale price now',
  },
  'DELETE /catalogue/sale-prices/{id}': {
    ...changeOfState,
    summary: 'Staff: deletes a sale price that has not begun',
  },
} as const satisfies Contract;
