import { isTaxClass } from '#src/shop/tax/tax-class.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';

/** Settings as the API sends them. */
interface Settings {
  readonly price_mode: 'gross' | 'net';
  readonly tax_name: string;
  readonly home_country: string;
  readonly has_reverse_charge: boolean;
  readonly shipping_class: TaxClass;
  readonly rates: {
    country: string;
    tax_class: Exclude<TaxClass, 'zero'>;
    basis_points: number;
  }[];
}

/** Rates of a country as staff type them, in percent; empty: none. */
export interface CountryRateFields {
  readonly country: string;
  readonly standard: string;
  readonly reduced: string;
  readonly superReduced: string;
}

export interface TaxFields extends Omit<Settings, 'rates'> {
  readonly rates: readonly CountryRateFields[];
}

export const EMPTY_COUNTRY: CountryRateFields = { country: '', standard: '', reduced: '', superReduced: '' };

/** Messages by field path, such as `rates.0.country`. */
export type FieldProblems = Readonly<Record<string, string>>;

const RATES = [
  ['standard', 'standard'],
  ['reduced', 'reduced'],
  ['superReduced', 'super-reduced'],
] as const;

/** Basis points of a percentage such as '19' or '5.5 %'; null for anything else. At most 100. */
export function parsePercent(text: string): number | null {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim()) ?? [];
  const basisPoints = whole === '' ? Number.NaN : Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return basisPoints <= 10_000 ? basisPoints : null;
}

export const readTaxClass = (text: string): TaxClass => (isTaxClass(text) ? text : 'standard');

/** The settings as fields, countries in the order of their first rate. */
export function toTaxFields({ rates, ...rest }: Settings): TaxFields {
  const countries = [...new Set(rates.map(({ country }) => country))];
  const find = (country: string, taxClass: TaxClass): string => {
    const rate = rates.find((one) => one.country === country && one.tax_class === taxClass);
    return rate === undefined ? '' : String(rate.basis_points / 100);
  };
  return {
    ...rest,
    rates: countries.map((country) => ({
      country,
      standard: find(country, 'standard'),
      reduced: find(country, 'reduced'),
      superReduced: find(country, 'super-reduced'),
    })),
  };
}

function findProblems({ rates, tax_name: name }: TaxFields): FieldProblems {
  const problems: Record<string, string> = {};
  if (name.trim() === '') problems['tax_name'] = 'Enter a name, such as VAT.';
  for (const [at, fields] of rates.entries()) {
    const { country, standard } = fields;
    const isRepeated = rates.slice(0, at).some((other) => other.country === country);
    if (country === '') problems[`rates.${at}.country`] = 'Choose a country.';
    else if (isRepeated) problems[`rates.${at}.country`] = 'This country is listed twice.';
    if (standard.trim() === '') problems[`rates.${at}.standard`] = 'Enter the standard rate.';
    for (const [field] of RATES) {
      const text = fields[field].trim();
      if (text !== '' && parsePercent(text) === null) {
        problems[`rates.${at}.${field}`] = 'Enter a percentage from 0 to 100, such as 19 or 5.5.';
      }
    }
  }
  return problems;
}

/** The fields as settings, or what is wrong with them. */
export function readTaxFields(
  fields: TaxFields,
): { readonly ok: true; readonly settings: Settings } | { readonly ok: false; readonly problems: FieldProblems } {
  const problems = findProblems(fields);
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const rates = fields.rates.flatMap((of) =>
    RATES.flatMap(([field, taxClass]) => {
      const basisPoints = parsePercent(of[field]);
      return basisPoints === null ? [] : { country: of.country, tax_class: taxClass, basis_points: basisPoints };
    }),
  );
  return { ok: true, settings: { ...fields, tax_name: fields.tax_name.trim(), rates } };
}
