import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { taxApi } from './contract.ts';
import type { StoredTaxSettings, Taxes } from './service.ts';

const toResponse = (settings: StoredTaxSettings) => ({
  version: settings.version,
  price_mode: settings.priceMode,
  tax_name: settings.taxName,
  home_country: settings.homeCountry,
  has_reverse_charge: settings.hasReverseCharge,
  shipping_class: settings.shippingClass,
  rates: settings.rates.map((rate) => ({
    country: rate.country,
    tax_class: rate.taxClass,
    basis_points: rate.basisPoints,
  })),
});

export function createTaxRoutes(taxes: Taxes): RoutesOf<typeof taxApi> {
  return {
    'GET /tax/settings': {
      who: 'settings',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async () => toResponse(taxes.current),
    },
    'PUT /tax/settings': {
      who: 'settings-changes',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: async ({ body, caller }) => {
        const saved = await taxes.change(toStaffActor(caller), body.version, {
          priceMode: body.price_mode,
          taxName: body.tax_name,
          homeCountry: body.home_country,
          hasReverseCharge: body.has_reverse_charge,
          shippingClass: body.shipping_class,
          rates: body.rates.map((rate) => ({
            country: rate.country,
            taxClass: rate.tax_class,
            basisPoints: rate.basis_points,
          })),
        });
        return saved instanceof Refusal ? saved : toResponse(saved);
      },
    },
  };
}
