import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { costsApi } from './contract.ts';
import type { ProductCosts, VariantCosts } from './service.ts';

const reading: Limit = { points: 300, seconds: 60, by: 'caller' };
const writing: Limit = { points: 120, seconds: 60, by: 'caller' };

const show = ({ version, variants }: ProductCosts) => ({
  version,
  variants: variants.map(({ id, value_ids, sku, cost }) => ({ id, value_ids: [...value_ids], sku, cost_usd: cost })),
});

export const createCostRoutes = (costs: VariantCosts): RoutesOf<typeof costsApi> => ({
  'GET /catalogue/products/{id}/costs': {
    who: 'reports',
    limit: reading,
    handle: async ({ params }) => {
      const found = await costs.list(params.id);
      return found === null ? createNotFound() : show(found);
    },
  },
  'PUT /catalogue/products/{id}/costs': {
    who: 'reports',
    limit: writing,
    handle: async ({ params, body, caller, reply }) => {
      const request = {
        version: body.version,
        costs: body.costs.map(({ variant_id, cost_usd }) => ({ variantId: variant_id, costCents: cost_usd })),
      };
      const changed = await costs.change(params.id, request, toStaffActor(caller));
      if (changed instanceof Refusal) return changed;
      reply.recordSecurityEvent('catalogue_changed', { targetId: params.id });
      return show(changed);
    },
  },
});
