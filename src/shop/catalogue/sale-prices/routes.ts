import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Reply } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { salePricesApi } from './contract.ts';
import type { ProductPrices, SalePrices } from './service.ts';

const reading: Limit = { points: 300, seconds: 60, by: 'caller' };
const writing: Limit = { points: 120, seconds: 60, by: 'caller' };

const showOwnPrices = (prices: ProductPrices['ownPrices']) =>
  prices.map(({ valueIds, priceCents }) => ({ value_ids: [...valueIds], price_usd: priceCents }));

const show = ({ basePriceCents, ownPrices, salePrices }: ProductPrices) => ({
  base_price_usd: basePriceCents,
  own_prices: showOwnPrices(ownPrices),
  sale_prices: salePrices.map(({ reduction, variantPrices, ...salePrice }) => ({
    id: salePrice.id,
    version: salePrice.version,
    state: salePrice.state,
    reduction:
      reduction.kind === 'percent'
        ? { kind: reduction.kind, percent: BigInt(reduction.basisPoints) }
        : {
            kind: reduction.kind,
            price_usd: reduction.basePriceCents,
            variant_prices: showOwnPrices(variantPrices),
          },
    starts_at: salePrice.startsAt,
    ends_at: salePrice.endsAt,
    reduced_price_usd: salePrice.reducedCents,
    lowest_price_30_days_usd: salePrice.priorCents,
    edited_at: salePrice.editedAt,
    edited_by: salePrice.editedBy,
  })),
});

export function createSalePriceRoutes(salePrices: SalePrices): RoutesOf<typeof salePricesApi> {
  const list = async (productId: string) => {
    const prices = await salePrices.list(productId);
    return prices === null ? createNotFound() : show(prices);
  };
  const respond = async (changed: Awaited<ReturnType<SalePrices['change']>>, reply: Reply) => {
    if (changed instanceof Refusal) return changed;
    reply.recordSecurityEvent('catalogue_changed', { targetId: changed.productId });
    return list(changed.productId);
  };
  return {
    'GET /catalogue/products/{id}/sale-prices': {
      who: 'catalogue',
      limit: reading,
      handle: ({ params }) => list(params.id),
    },
    'POST /catalogue/products/{id}/sale-prices': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        respond(await salePrices.create(params.id, body, toStaffActor(caller)), reply),
    },
    'PUT /catalogue/sale-prices/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body: { version, ...request }, caller, reply }) =>
        respond(await salePrices.change(params.id, version, request, toStaffActor(caller)), reply),
    },
    'POST /catalogue/sale-prices/{id}/end': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        respond(await salePrices.end(params.id, body.version, toStaffActor(caller)), reply),
    },
    'DELETE /catalogue/sale-prices/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        respond(await salePrices.delete(params.id, body.version, toStaffActor(caller)), reply),
    },
  };
}
