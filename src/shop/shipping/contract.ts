import { z } from 'zod';
import { filledText, rowVersion, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { findRegion } from '#src/shop/regions.ts';
import { cents } from '#src/shop/money.ts';
import { unknownWeightRules } from './compute-shipping.ts';

const MOST_CENTS = cents(100_000_000n);
const price = usd.refine((amount) => amount <= MOST_CENTS, { message: 'must be at most $1,000,000' });
const country = z.string().refine((code) => findRegion(code) !== undefined, { message: 'must be a country code' });

const tier = z.object({
  /** Grams, or cents of the order value. */
  from: z.int().min(0).max(100_000_000),
  price_usd: price,
});

const zone = z.object({
  name: filledText(60),
  /** ISO 3166-1 alpha-2 codes; empty: every country that no other zone names. */
  countries: z.array(country).max(250),
  /** What the tiers compare: weight in grams, or value of the goods in cents. */
  basis: z.enum(['weight', 'value']),
  tiers: z
    .array(tier)
    .min(1)
    .max(20)
    .refine((tiers) => tiers.every(({ from }, at) => (at === 0 ? from === 0 : from > (tiers[at - 1]?.from ?? 0))), {
      message: 'must start at 0 and ascend',
    }),
  /** Free from this value of the goods on; null: never. */
  free_from_usd: price.nullable(),
});

/** A zone in API form. */
export type ShippingZoneBody = z.input<typeof zone>;

const settings = z.object({
  /** Incremented by each change. */
  version: rowVersion(0),
  zones: z.array(zone).min(1, { message: 'must have a zone' }).max(50),
  /** Not delivered to, whatever the zones say. */
  excluded_countries: z.array(country).max(250),
  /** An order of unknown weight, where the price depends on it: priced as the heaviest, or refused. */
  unknown_weight: z.enum(unknownWeightRules).default('heaviest'),
});
export type ShippingSettingsBody = z.input<typeof settings>;

const isUnique = (keys: readonly string[]): boolean => new Set(keys).size === keys.length;

export const shippingApi = {
  'GET /shipping': {
    summary: 'Returns the shipping zones with their prices, and the countries that the shop delivers to',
    response: z.object({
      is_free_everywhere: z.boolean(),
      /** Codes of the countries delivered to; null: all. */
      countries: z.array(z.string()).nullable(),
      zones: z.array(zone),
    }),
  },
  'GET /shipping/settings': {
    summary: 'Staff: the shipping settings with their version',
    response: settings,
    refusals: { 403: 'forbidden' },
  },
  'PUT /shipping/settings': {
    summary: 'Owner: replaces the shipping settings. Orders already placed keep their price',
    body: settings
      .refine(({ zones }) => isUnique(zones.map(({ name }) => name)), {
        path: ['zones'],
        message: 'must have different names',
      })
      .refine(({ zones }) => isUnique(zones.flatMap(({ countries }) => countries)), {
        path: ['zones'],
        message: 'must name each country once',
      })
      .refine(({ zones }) => zones.filter(({ countries }) => countries.length === 0).length <= 1, {
        path: ['zones'],
        message: 'must have at most one zone for all other countries',
      }),
    response: settings,
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'changed-meanwhile' },
  },
} as const satisfies Contract;
