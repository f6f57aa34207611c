import { z } from 'zod';
import { id, instant, slug, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { listPromotionTypes } from './promotion-types.ts';

export const runningPromotion = z.object({
  code: z.string(),
  type: z.enum(listPromotionTypes()),
  /** Percent or US dollars, by its type; 0 for a gift. */
  discount_value: z.number(),
  ends_at: instant.nullable(),
  minimum_subtotal_usd: usd.nullable(),
  max_uses_per_user: z.int().nullable(),
  /** Whether the total number of uses is limited. */
  is_limited: z.boolean(),
  gift_product: z.object({ id, name: z.string(), slug }).nullable(),
});
export type RunningPromotion = z.input<typeof runningPromotion>;

export const promotionsApi = {
  'GET /promotions': {
    summary: 'Lists the advertised promotions that are running',
    response: z.array(runningPromotion),
  },
} as const satisfies Contract;
