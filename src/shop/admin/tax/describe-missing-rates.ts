import { findCountryName } from '#src/shop/regions.ts';
import { isEuCountry } from '#src/shop/tax/vat-number.ts';
import type { TaxFields } from './tax-form.ts';

/** What is taxed in countries that have no rate of their own. */
export function describeMissingRates({ home_country: home, rates }: Pick<TaxFields, 'home_country' | 'rates'>): string {
  if (rates.length === 0) return 'Without rates nothing is taxed.';
  const others = 'Other countries without a rate are not taxed.';
  if (home === '') return `Choose the country of the shop: it decides what EU countries without a rate pay. ${others}`;
  if (!isEuCountry(home)) return 'Countries without a rate are not taxed.';
  const name = findCountryName(home) ?? home;
  if (!rates.some(({ country }) => country === home))
    return `Add the rates of ${name}. Until then buyers in ${name}, and in EU countries without a rate, pay no tax.`;
  return (
    `EU countries without a rate here have the rates of ${name}. That is right while your sales to consumers in other ` +
    `EU countries stay below 10,000 euros a year. Above that, add the rates of each country. ${others}`
  );
}
