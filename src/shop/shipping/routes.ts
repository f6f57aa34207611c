import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import { cents } from '#src/shop/money.ts';
import { isFreeEverywhere, listDeliveryCountries } from './compute-shipping.ts';
import type { ShippingZone } from './compute-shipping.ts';
import type { shippingApi } from './contract.ts';
import type { Shipping, StoredShippingSettings } from './service.ts';

const toZone = ({ name, countries, basis, tiers, freeFromCents }: ShippingZone) => ({
  name,
  countries: [...countries],
  basis,
  tiers: tiers.map(({ from, priceCents }) => ({ from, price_usd: cents(BigInt(priceCents)) })),
  free_from_usd: freeFromCents === null ? null : cents(BigInt(freeFromCents)),
});

const toResponse = ({ version, zones, excludedCountries }: StoredShippingSettings) => ({
  version,
  zones: zones.map(toZone),
  excluded_countries: [...excludedCountries],
});

export function createShippingRoutes(shipping: Shipping): RoutesOf<typeof shippingApi> {
  return {
    'GET /shipping': {
      who: 'anyone',
      limit: { points: 600, seconds: 60, by: 'ip' },
      getVersion: () => String(shipping.revision),
      handle: async () => ({
        is_free_everywhere: isFreeEverywhere(shipping.current),
        countries: listDeliveryCountries(shipping.current),
        zones: shipping.current.zones.map(toZone),
      }),
    },
    'GET /shipping/settings': {
      who: 'staff',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async () => toResponse(shipping.current),
    },
    'PUT /shipping/settings': {
      who: 'owner',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: async ({ body, caller }) => {
        const changed = await shipping.change(caller.identity.username, body.version, {
          zones: body.zones.map(({ name, countries, basis, tiers, free_from_usd: freeFrom }) => ({
            name,
            countries,
            basis,
            tiers: tiers.map(({ from, price_usd: price }) => ({ from, priceCents: Number(price) })),
            freeFromCents: freeFrom === null ? null : Number(freeFrom),
          })),
          excludedCountries: body.excluded_countries,
        });
        if (changed.ok) return toResponse(changed.saved);
        const message = 'Someone else changed the shipping settings. Reload the page to see them.';
        return new Refusal(409, changed.reason, message);
      },
    },
  };
}
