import { z } from 'zod';
import { btc, id, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { promotionFields } from '#src/shop/promotions/editing/contract.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from '../cart-limits.ts';

const previewLine = z.object({
  product_id: id,
  name: z.string(),
  /** Chosen property values. */
  values: z.array(z.string()),
  quantity: z.int(),
  price_usd: usd,
  price_btc: btc.nullable(),
  is_gift: z.boolean(),
  /** Notices that the buyer would see on the line. */
  notices: z.array(z.string()),
});

const preview = z.object({
  lines: z.array(previewLine),
  /** Why the promotion does not apply, as the buyer reads it; null if it does. */
  problem: z.string().nullable(),
  /** Amounts in bitcoin are null without a rate. */
  subtotal_usd: usd,
  subtotal_btc: btc.nullable(),
  discount_usd: usd,
  discount_btc: btc.nullable(),
  discount_percent: z.number(),
  total_usd: usd,
  total_btc: btc.nullable(),
});
export type PromotionPreview = z.input<typeof preview>;

export const promotionPreviewApi = {
  'POST /support/promotions/preview': {
    summary: 'Staff: what a promotion would do to a sample cart at a time. Stores nothing',
    body: z.object({
      promotion: promotionFields,
      /** Null: now. */
      at: z.iso.datetime().nullable(),
      lines: z.array(z.object({ product_id: id, quantity: z.int().min(1).max(MAX_LINE_QUANTITY) })).max(MAX_CART_LINES),
    }),
    response: preview,
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
