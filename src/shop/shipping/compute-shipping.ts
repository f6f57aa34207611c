import { cents, NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { listCountries, regionNames } from '#src/shop/regions.ts';

/** A price from a weight in grams or an order value in cents on. */
export interface ShippingTier {
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

/** Where the shop delivers to, and for how much. */
export interface ShippingSettings {
  readonly zones: readonly ShippingZone[];
  /** Countries that are not delivered to, whatever the zones say. */
  readonly excludedCountries: readonly string[];
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
};

/** The zone of a country; null if the shop does not deliver there. */
export function findZone({ zones, excludedCountries }: ShippingSettings, country: string): ShippingZone | null {
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
  /** Weight of all lines, gifts included; products without a weight count 0. */
  readonly grams: number;
}

/** Shipping price of an order in a zone: free from the limit on, else the last tier that is reached. */
export function computeShipping(
  { basis, tiers, freeFromCents }: ShippingZone,
  { goodsCents, grams }: OrderToShip,
): Cents {
  if (freeFromCents !== null && goodsCents >= BigInt(freeFromCents)) return NO_CENTS;
  const measure = basis === 'weight' ? BigInt(grams) : goodsCents;
  const reached = tiers.findLast(({ from }) => measure >= BigInt(from));
  return cents(BigInt(reached?.priceCents ?? 0));
}

/** Whether shipping costs nothing wherever the shop delivers. */
export const isFreeEverywhere = ({ zones }: ShippingSettings): boolean =>
  zones.every(({ tiers, freeFromCents }) => freeFromCents === 0 || tiers.every(({ priceCents }) => priceCents === 0));

/** Whether every country is delivered to. */
export const deliversEverywhere = ({ zones, excludedCountries }: ShippingSettings): boolean =>
  excludedCountries.length === 0 && zones.some(({ countries }) => countries.length === 0);

/** Codes of the countries delivered to; null: all of them. */
export function listDeliveryCountries(settings: ShippingSettings): string[] | null {
  if (deliversEverywhere(settings)) return null;
  return regionNames
    .flatMap((region) => listCountries(region))
    .map(({ code }) => code)
    .filter((code) => findZone(settings, code) !== null);
}

/** What the shop may promise of its shipping. */
export const shippingOffers = ['free-worldwide', 'free', 'paid'] as const;
export type ShippingOffer = (typeof shippingOffers)[number];

export function getShippingOffer(settings: ShippingSettings): ShippingOffer {
  if (!isFreeEverywhere(settings)) return 'paid';
  return deliversEverywhere(settings) ? 'free-worldwide' : 'free';
}
