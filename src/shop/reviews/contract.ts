import { z } from 'zod';
import { id, instant, text } from '../wire.ts';
import type { Contract } from '../wire.ts';

export const review = z.object({
  id,
  name: z.string(),
  text: z.string(),
  rating: z.int().min(1).max(5),
  created: instant,
});
export type Review = z.input<typeof review>;

export const reviewsApi = {
  'GET /reviews/shop': { summary: 'Approved reviews of the shop, newest first', response: z.array(review) },
  'GET /reviews/product/{id}': {
    summary: 'Approved reviews of a product, named by its id or its slug, newest first',
    params: z.object({ id: text(120) }),
    response: z.array(review),
    refusals: { 404: 'not-found' },
  },
} as const satisfies Contract;
