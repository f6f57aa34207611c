import {
  createConflict,
  createMissingScope,
  createNotFound,
  createReauthenticationRequired,
  Refusal,
} from '#src/platform/http/call.ts';
import type { Reply } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { salePricesApi } from './contract.ts';
import type { ProductPrices, SalePriceResult, SalePrices } from './service.ts';

const reading: Limit = { points: 300, seconds: 60, by: 'caller' };
const writing: Limit = { points: 120, seconds: 60, by: 'caller' };

function toRefusal(refused: SalePriceResult & { readonly ok: false }): Refusal {
  switch (refused.reason) {
    case 'not-found':
      return createNotFound();
    case 'reauth':
      return createReauthenticationRequired();
    case 'missing-scope':
      return createMissingScope('prices:write');
    case 'changed-meanwhile':
      return createConflict('this sale price');
    case 'running':
      return new Refusal(409, refused.reason, 'The sale price has begun. Only its end can be changed');
    case 'ended':
      return new Refusal(409, refused.reason, 'The sale price has ended. Schedule another one');
    case 'too-many':
      return new Refusal(409, refused.reason, 'A product can have 20 sale prices that have not ended');
    case 'overlap': {
      const { other } = refused;
      const end = other?.endsAt?.toISOString() ?? 'without an end';
      const when = other === null ? '' : `: ${other.startsAt.toISOString()} to ${end}`;
      return new Refusal(409, refused.reason, `Another sale price of this product is in force then${when}`, {
        fields: { starts_at: 'Another sale price is in force in this time' },
      });
    }
    default:
      return new Refusal(400, 'invalid', 'The request contains invalid values', { fields: refused.problems });
  }
}

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
  const respond = async (changed: SalePriceResult, reply: Reply) => {
    if (!changed.ok) return toRefusal(changed);
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
