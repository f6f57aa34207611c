import { z } from 'zod';
import { rowVersion, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { findRegion } from '#src/shop/regions.ts';
import { taxClasses } from './tax-class.ts';
import { isEuCountry } from './vat-number.ts';

const country = z.string().refine((code) => findRegion(code) !== undefined, { message: 'must be a country code' });

const countryRate = z.object({
  country,
  tax_class: z.enum(['standard', 'reduced', 'super-reduced']),
  /** Hundredths of a percent: 1900 is 19 %. */
  basis_points: z.int().min(0).max(10_000),
});

/** Incremented by each change. */
const version = rowVersion(0);

const settings = z.object({
  version,
  /** Whether prices of products and shipping contain tax. */
  price_mode: z.enum(['gross', 'net']),
  tax_name: text(20).trim().min(1, { message: 'is required' }),
  /** Where the shop is established; empty if not set. */
  home_country: z.union([z.literal(''), country]),
  has_reverse_charge: z.boolean(),
  shipping_class: z.enum(taxClasses),
  /** Each class of a country once. A class without a rate has the country's standard rate. */
  rates: z.array(countryRate).max(750),
});
export type TaxSettingsBody = z.input<typeof settings>;

const isUnique = (keys: readonly string[]): boolean => new Set(keys).size === keys.length;

export const taxApi = {
  'GET /tax/settings': {
    summary: 'Staff: the tax settings with their version',
    response: settings,
    refusals: { 403: 'forbidden' },
  },
  'PUT /tax/settings': {
    summary: 'Owner: replaces the tax settings. Orders already placed keep their tax',
    body: settings
      .refine(({ rates }) => isUnique(rates.map((rate) => `${rate.country} ${rate.tax_class}`)), {
        path: ['rates'],
        message: 'must name each class of a country once',
      })
      .refine(({ rates }) => rates.every((rate) => hasStandard(rates, rate.country)), {
        path: ['rates'],
        message: 'must have a standard rate for each country',
      })
      .refine(({ has_reverse_charge: isOn, home_country: home }) => !isOn || isEuCountry(home), {
        path: ['home_country'],
        message: 'must be a country of the European Union for reverse charge',
      }),
    response: settings,
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'changed-meanwhile' },
  },
} as const satisfies Contract;

function hasStandard(rates: readonly z.infer<typeof countryRate>[], code: string): boolean {
  return rates.some((rate) => rate.country === code && rate.tax_class === 'standard');
}
