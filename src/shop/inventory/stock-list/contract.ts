import { z } from 'zod';
import { filledText, id, instant, queryInteger, rowVersion, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_NOTE, MAX_UNITS, stockReasons } from '../adjustments/plan-stock-change.ts';
import { MAX_COUNTS, MAX_LISTED, MAX_THRESHOLD, stockFilters, stockSorts } from './stock-list.ts';

const units = z.int();
const count = z.int().nonnegative();
const page = queryInteger(1, 100_000).optional();
const reason = z.enum(stockReasons);
const note = filledText(MAX_NOTE).optional();
/** A number that the form showed; null: not tracked. */
const seen = units.min(-2_000_000_000).max(2_000_000_000).nullable();
const threshold = z.int().min(0).max(MAX_THRESHOLD);
const inPath = z.object({ variant_id: id });

const namesOnce = (changes: readonly { readonly variant_id: string }[]): boolean =>
  new Set(changes.map((one) => one.variant_id)).size === changes.length;
const ONCE = { message: 'must name each variant once' };

const levels = z.object({
  /** Units that can be ordered now; negative if orders promise more than there is. Null: not tracked. */
  available: units.nullable(),
  /** Units reserved by unpaid orders. */
  reserved: count,
  /** Units of paid orders that were not shipped yet. */
  committed: count,
  /** Units on the shelf: the sum of the others. Null: not tracked. */
  on_hand: units.nullable(),
});
export type ShownLevels = z.input<typeof levels>;

const listedVariant = z.object({
  ...levels.shape,
  variant_id: id,
  /** Name of the product with the values. */
  name: z.string(),
  slug: z.string(),
  sku: z.string(),
  is_on_sale: z.boolean(),
  /** Its own threshold of low stock; null: the shop's. */
  threshold: threshold.nullable(),
});
export type StockedVariant = z.input<typeof listedVariant>;

const productStock = z.object({
  variants: z.array(
    z.object({
      variant_id: id,
      value_ids: z.array(id),
      /** Units on the shelf. Null: not tracked. */
      on_hand: units.nullable(),
    }),
  ),
});
export type ProductStock = z.input<typeof productStock>;

const historyEntry = z.object({
  id: z.string(),
  at: instant,
  reason: z.enum([...stockReasons, 'sold', 'restocked']),
  note: z.string().nullable(),
  /** Username of staff, or a process, such as 'command line'. Null: an order. */
  by: z.string().nullable(),
  order: z.object({ id, number: z.string() }).nullable(),
  /** Null: not tracked. */
  available_before: units.nullable(),
  available_after: units.nullable(),
  /** Null: not tracked, or not known. */
  on_hand_before: units.nullable(),
  on_hand_after: units.nullable(),
});
export type StockHistoryEntry = z.input<typeof historyEntry>;

const settings = z.object({
  /** Threshold of low stock of variants without their own. */
  threshold,
  /** Whether low stock is mailed to the support address once a day. */
  is_mailed: z.boolean(),
  /** Increases with each change. */
  version: rowVersion(1),
});
export type LowStockForm = z.input<typeof settings>;

export const inventoryApi = {
  'GET /inventory': {
    summary: `Staff: variants with their stock, 25 a page, at most ${MAX_LISTED}. q is part of a product's name, a SKU, or its first 3 or more characters`,
    query: z.object({
      q: text(200).optional(),
      show: z.enum(stockFilters).optional(),
      sort: z.enum(stockSorts).optional(),
      page,
    }),
    response: z.object({
      variants: z.array(listedVariant),
      total: count,
      page: z.int().positive(),
      settings,
    }),
    refusals: { 403: 'forbidden' },
  },
  'PUT /inventory': {
    summary: `Staff: sets what is on hand and the low-stock thresholds of up to ${MAX_COUNTS} variants each, all or none. A threshold of null is that of the shop. Refused if a \`seen\` is not the present number`,
    body: z
      .object({
        counts: z
          .array(z.object({ variant_id: id, quantity: z.int().min(0).max(MAX_UNITS), seen }))
          .max(MAX_COUNTS)
          .refine(namesOnce, ONCE),
        thresholds: z
          .array(z.object({ variant_id: id, threshold: threshold.nullable(), seen: threshold.nullable() }))
          .max(MAX_COUNTS)
          .refine(namesOnce, ONCE)
          .optional(),
        /** Of the counts. */
        reason,
        note,
      })
      .refine(({ counts, thresholds = [] }) => counts.length + thresholds.length > 0, {
        path: ['counts'],
        message: 'must not be empty without thresholds',
      }),
    /** The counted variants. */
    response: z.object({ variants: z.array(levels.extend({ variant_id: id })) }),
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' },
  },
  'GET /inventory/products/{product_id}': {
    summary: 'Staff: what is on hand of each variant of a product',
    params: z.object({ product_id: id }),
    response: productStock,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /inventory/{variant_id}': {
    summary: 'Staff: a variant with its stock',
    params: inPath,
    response: z.object({ variant: listedVariant, settings }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'PUT /inventory/{variant_id}': {
    summary:
      'Staff: sets what is on hand or available, and starts tracking. Refused if `seen` is not the present number',
    params: inPath,
    body: z.object({
      of: z.enum(['on_hand', 'available']),
      quantity: z.int().min(0).max(MAX_UNITS),
      seen,
      reason,
      note,
    }),
    response: levels,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' },
  },
  'POST /inventory/{variant_id}/adjustments': {
    summary: 'Staff: adds or removes units, with a reason',
    params: inPath,
    body: z.object({
      by: z
        .int()
        .min(-MAX_UNITS)
        .max(MAX_UNITS)
        .refine((by) => by !== 0, { message: 'must not be 0' }),
      reason,
      note,
    }),
    response: levels,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-tracked, below-zero, too-many' },
  },
  'POST /inventory/{variant_id}/stop-tracking': {
    summary: 'Staff: stops tracking the stock of a variant, which can then be ordered without limit',
    params: inPath,
    body: z.object({ note }),
    response: levels,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'not-tracked' },
  },
  'PUT /inventory/{variant_id}/threshold': {
    summary: 'Staff: sets the low-stock threshold of a variant; null for the threshold of the shop',
    params: inPath,
    body: z.object({ threshold: threshold.nullable() }),
    response: z.object({ message: z.literal('success') }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /inventory/{variant_id}/history': {
    summary: 'Staff: changes of the stock of a variant, newest first, 25 a page',
    params: inPath,
    query: z.object({ page }),
    response: z.object({ history: z.array(historyEntry), total: count, page: z.int().positive() }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'PUT /low-stock': {
    summary:
      'Staff: changes the low-stock threshold of the shop and its daily mail. Refused if `version` is not the present one',
    body: settings,
    response: settings,
    refusals: { 403: 'forbidden', 409: 'changed-meanwhile' },
  },
} as const satisfies Contract;
