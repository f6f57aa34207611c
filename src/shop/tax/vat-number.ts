/**
 * VAT numbers of the member states of the European Union, checked for form as the European
 * Commission describes them (VIES, question 11). Whether a number is valid only VIES can tell.
 */

/** By ISO country code: the prefix (Greece writes EL) and the form of the rest. */
const FORMS: Readonly<Record<string, { readonly prefix: string; readonly rest: RegExp }>> = {
  AT: { prefix: 'AT', rest: /^U\d{8}$/ },
  BE: { prefix: 'BE', rest: /^[01]\d{9}$/ },
  BG: { prefix: 'BG', rest: /^\d{9,10}$/ },
  CY: { prefix: 'CY', rest: /^\d{8}[A-Z]$/ },
  CZ: { prefix: 'CZ', rest: /^\d{8,10}$/ },
  DE: { prefix: 'DE', rest: /^\d{9}$/ },
  DK: { prefix: 'DK', rest: /^\d{8}$/ },
  EE: { prefix: 'EE', rest: /^\d{9}$/ },
  ES: { prefix: 'ES', rest: /^(?:[A-Z]\d{7}[\dA-Z]|\d{8}[A-Z])$/ },
  FI: { prefix: 'FI', rest: /^\d{8}$/ },
  FR: { prefix: 'FR', rest: /^[\dA-HJ-NP-Z]{2}\d{9}$/ },
  GR: { prefix: 'EL', rest: /^\d{9}$/ },
  HR: { prefix: 'HR', rest: /^\d{11}$/ },
  HU: { prefix: 'HU', rest: /^\d{8}$/ },
  IE: { prefix: 'IE', rest: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/ },
  IT: { prefix: 'IT', rest: /^\d{11}$/ },
  LT: { prefix: 'LT', rest: /^(?:\d{9}|\d{12})$/ },
  LU: { prefix: 'LU', rest: /^\d{8}$/ },
  LV: { prefix: 'LV', rest: /^\d{11}$/ },
  MT: { prefix: 'MT', rest: /^\d{8}$/ },
  NL: { prefix: 'NL', rest: /^[\dA-Z+*]{10}\d{2}$/ },
  PL: { prefix: 'PL', rest: /^\d{10}$/ },
  PT: { prefix: 'PT', rest: /^\d{9}$/ },
  RO: { prefix: 'RO', rest: /^\d{2,10}$/ },
  SE: { prefix: 'SE', rest: /^\d{12}$/ },
  SI: { prefix: 'SI', rest: /^\d{8}$/ },
  SK: { prefix: 'SK', rest: /^\d{10}$/ },
};

/** ISO codes of the countries whose buyers have VAT numbers that allow reverse charge. */
export const EU_COUNTRIES: readonly string[] = Object.keys(FORMS);

export const isEuCountry = (country: string): boolean => Object.hasOwn(FORMS, country);

/**
 * The number in one spelling: capitals, without blanks, dots and hyphens. Null if it does not have
 * the form of the country's numbers, prefix included.
 */
export function normaliseVatNumber(written: string, country: string): string | null {
  const form = isEuCountry(country) ? FORMS[country] : undefined;
  if (!form) return null;
  const number = written.toUpperCase().replaceAll(/[\s.-]/g, '');
  return number.startsWith(form.prefix) && form.rest.test(number.slice(form.prefix.length)) ? number : null;
}

/** What the numbers of a country begin with; null outside the European Union. */
export const findVatPrefix = (country: string): string | null =>
  isEuCountry(country) ? (FORMS[country]?.prefix ?? null) : null;
