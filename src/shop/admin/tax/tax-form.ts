import { parseAmount } from '#src/shop/parse-amount.ts';
import type { TaxSettingsBody } from '#src/shop/tax/contract.ts';
import { isTaxClass } from '#src/shop/tax/tax-class.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';

type Settings = Omit<TaxSettingsBody, 'version'>;

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

const BAD_PERCENT = 'Enter a percentage from 0 to 100, such as 19 or 5.5.';

/** Basis points of a percentage such as '19' or '5,5 %', at most 100. */
export function readRate(
  text: string,
): { readonly ok: true; readonly basisPoints: number } | { readonly ok: false; readonly problem: string } {
  const parsed = parseAmount(text, { decimals: 2, unit: '%' });
  if (!parsed.ok && parsed.advice !== null) return { ok: false, problem: `${parsed.advice}.` };
  if (!parsed.ok || parsed.units > 10_000n) return { ok: false, problem: BAD_PERCENT };
  return { ok: true, basisPoints: Number(parsed.units) };
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
      const read = readRate(text);
      if (text !== '' && !read.ok) problems[`rates.${at}.${field}`] = read.problem;
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
      const read = readRate(of[field]);
      return read.ok ? { country: of.country, tax_class: taxClass, basis_points: read.basisPoints } : [];
    }),
  );
  return { ok: true, settings: { ...fields, tax_name: fields.tax_name.trim(), rates } };
}
