import { z } from 'zod';
import { dollars, id, rowVersion, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_VARIANTS } from '../editing/product-limits.ts';

const productCosts = z.object({
  /** Of the costs, not of the product. 0: none was ever stored. Send it with a change. */
  version: rowVersion(0),
  /** Present variants, in the order of the product. */
  variants: z.array(
    z.object({
      id,
      value_ids: z.array(id),
      sku: z.string(),
      /** Null: unknown. */
      cost_usd: usd.nullable(),
    }),
  ),
});
export type ProductCosts = z.input<typeof productCosts>;

const params = z.object({ id });
const refusals = { 403: 'forbidden', 404: 'not-found' };

export const costsApi = {
  'GET /catalogue/products/{id}/costs': {
    summary: 'Staff who may see figures: what a unit of each variant costs the shop',
    params,
    response: productCosts,
    refusals,
  },
  'PUT /catalogue/products/{id}/costs': {
    summary:
      'Staff who may see figures: changes what units cost. Variants that are not named keep their cost, and orders placed before keep theirs',
    params,
    body: z.object({
      version: rowVersion(0),
      costs: z.array(z.object({ variant_id: id, cost_usd: dollars(0).nullable() })).max(MAX_VARIANTS),
    }),
    response: productCosts,
    refusals: { ...refusals, 409: 'changed-meanwhile' },
  },
} as const satisfies Contract;
