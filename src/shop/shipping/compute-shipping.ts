import { cents, NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { listCountries, regionNames } from '#src/shop/regions.ts';

/** A price from a weight in grams or an order value in cents on. */
interface ShippingTier {
  readonly from: number;
  readonly priceCents: number;
}

/** Countries with the same shipping prices. */
export interface ShippingZone {
  readonly name: string;
  /** ISO 3166-1 alpha-2 codes; empty: every country that no other zone names. */
  readonly countries: readonly string[];
  /** What the tiers compare: weight of the order in grams, or its value in cents. */
  readonly basis: 'weight' | 'value';
  /** Ascending, the first from 0. */
  readonly tiers: readonly ShippingTier[];
  /** Free from this value on, in cents; null: never. */
  readonly freeFromCents: number | null;
}

/** What becomes of an order whose weight is unknown, where the price depends on it. */
export const unknownWeightRules = ['heaviest', 'refuse'] as const;
export type UnknownWeightRule = (typeof unknownWeightRules)[number];

/** Where the shop delivers to, and for how much. */
interface DeliverySettings {
  readonly zones: readonly ShippingZone[];
  /** Countries that are not delivered to, whatever the zones say. */
  readonly excludedCountries: readonly string[];
}

export interface ShippingSettings extends DeliverySettings {
  /** Whether an order of unknown weight has the price of the heaviest, or is refused. */
  readonly unknownWeight: UnknownWeightRule;
}

/** Delivers everywhere, free. */
export const FREE_EVERYWHERE: ShippingSettings = {
  zones: [
    {
      name: 'Worldwide',
      countries: [],
      basis: 'value',
      tiers: [{ from: 0, priceCents: 0 }],
      freeFromCents: null,
    },
  ],
  excludedCountries: [],
  unknownWeight: 'heaviest',
};

/** The settings of an order. One with free delivery is still delivered only to where the shop delivers. */
export const selectShipping = (settings: ShippingSettings, hasFreeDelivery: boolean): ShippingSettings =>
  hasFreeDelivery
    ? {
        ...settings,
        zones: settings.zones.map((zone) => ({
          ...zone,
          basis: 'value',
          tiers: [{ from: 0, priceCents: 0 }],
          freeFromCents: null,
        })),
      }
    : settings;

/** The zone of a country; null if the shop does not deliver there. */
export function findZone({ zones, excludedCountries }: DeliverySettings, country: string): ShippingZone | null {
  if (excludedCountries.includes(country)) return null;
  return (
    zones.find(({ countries }) => countries.includes(country)) ??
    zones.find(({ countries }) => countries.length === 0) ??
    null
  );
}

export interface OrderToShip {
  /** Value of the goods after the discount. */
  readonly goodsCents: Cents;
  /** Weight of all lines, gifts included. Null: that of a product is unknown. */
  readonly grams: number | null;
}

/**
 * Shipping price of an order in a zone: free from the limit on, else the last tier that is reached. An unknown weight
 * reaches every tier.
 */
export function computeShipping(
  { basis, tiers, freeFromCents }: ShippingZone,
  { goodsCents, grams }: OrderToShip,
): Cents {
  if (freeFromCents !== null && goodsCents >= BigInt(freeFromCents)) return NO_CENTS;
  const isReached = (from: number): boolean =>
    basis === 'weight' ? grams === null || grams >= from : goodsCents >= BigInt(from);
  const reached = tiers.findLast(({ from }) => isReached(from));
  return cents(BigInt(reached?.priceCents ?? 0));
}

/** Whether the price of the order depends on its weight. */
export const isPricedByWeight = (
  { basis, tiers, freeFromCents }: ShippingZone,
  { goodsCents }: Pick<OrderToShip, 'goodsCents'>,
): boolean =>
  basis === 'weight' &&
  (freeFromCents === null || goodsCents < BigInt(freeFromCents)) &&
  tiers.some(({ priceCents }) => priceCents !== tiers[0]?.priceCents);

/** Whether the weight of products matters in some zone. */
export const hasWeightPrices = ({ zones }: Pick<ShippingSettings, 'zones'>): boolean =>
  zones.some((zone) => isPricedByWeight(zone, { goodsCents: NO_CENTS }));

/** Whether shipping costs nothing wherever the shop delivers. */
export const isFreeEverywhere = ({ zones }: DeliverySettings): boolean =>
  zones.every(({ tiers, freeFromCents }) => freeFromCents === 0 || tiers.every(({ priceCents }) => priceCents === 0));

/** Whether every country is delivered to. */
export const deliversEverywhere = ({ zones, excludedCountries }: DeliverySettings): boolean =>
  excludedCountries.length === 0 && zones.some(({ countries }) => countries.length === 0);

/** Codes of the countries delivered to; null: all of them. */
export function listDeliveryCountries(settings: DeliverySettings): string[] | null {
  if (deliversEverywhere(settings)) return null;
  return regionNames
    .flatMap((region) => listCountries(region))
    .map(({ code }) => code)
    .filter((code) => findZone(settings, code) !== null);
}

/** What the shop may promise of its shipping. */
export const shippingOffers = ['free-worldwide', 'free', 'paid'] as const;
export type ShippingOffer = (typeof shippingOffers)[number];

export function getShippingOffer(settings: DeliverySettings): ShippingOffer {
  if (!isFreeEverywhere(settings)) return 'paid';
  return deliversEverywhere(settings) ? 'free-worldwide' : 'free';
}
