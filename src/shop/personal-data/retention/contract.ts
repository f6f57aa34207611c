import { z } from 'zod';
import { id, instant, queryInteger } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { deletionBlocks } from '../deletion-block.ts';

/** What has been kept for its years: counted up to 10,000. */
const erasable = z.object({
  /** What ended before this moment. */
  before: instant,
  /** How many are erased: of the first 1,000, without those that are kept. */
  total: z.int().nonnegative(),
  /** Whether there are more than the 1,000 oldest. */
  has_more: z.boolean(),
  /** The oldest of them. `number` is of the order or the document, `id` of the order. */
  examples: z.array(z.object({ id, number: z.string(), at: instant })),
  /** Kept although their years are over, since something of the order is open. */
  kept: z.int().nonnegative(),
  kept_examples: z.array(z.object({ id, number: z.string(), reason: z.enum(deletionBlocks) })),
  /** When the next ones go, and how many, at most 10,000. */
  next_at: instant,
  next_total: z.int().nonnegative(),
});

const count = z.int().nonnegative();

export const retentionApi = {
  'GET /shop/retention': {
    summary:
      'Staff: what would be erased now after the stored periods, or after others, and when the next would go. Nothing is erased by it',
    query: z.object({
      order_years: queryInteger(2, 30).optional(),
      invoice_years: queryInteger(5, 30).optional(),
      message_years: queryInteger(1, 30).optional(),
      staff_record_years: queryInteger(1, 30).optional(),
    }),
    response: z.object({
      /** Whether orders and invoices are erased. */
      erases_orders: z.boolean(),
      orders: erasable,
      invoices: erasable,
      /** Each at most 10,000. */
      messages: z.object({ before: instant, tickets: count, contact_messages: count, returns: count }),
      staff_records: z.object({ before: instant, entries: count }),
    }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
