import { formatDollars, formatNumber } from '#src/shop/format-number.ts';
import { findCountryName } from '#src/shop/regions.ts';
import type { ShippingZoneBody } from './contract.ts';

/** A zone as buyers read it. */
export interface DescribedZone {
  readonly name: string;
  readonly countries: string;
  /** One line each. */
  readonly prices: readonly string[];
}

const formatPrice = (usd: number): string => (usd === 0 ? 'Free' : formatDollars(usd));

/** Grams, or cents of the order value. */
const formatFrom = (from: number, basis: ShippingZoneBody['basis']): string =>
  basis === 'weight' ? `${formatNumber(from / 1000, from % 1000 === 0 ? 0 : 3)} kg` : formatDollars(from / 100);

/** Describes the prices of a zone: `$5`, `$8 from 2 kg`, `Free from $100`. */
export function describeZone({
  name,
  countries,
  basis,
  tiers,
  free_from_usd: freeFrom,
}: ShippingZoneBody): DescribedZone {
  const prices = tiers.map(({ from, price_usd: price }, at) =>
    at === 0 ? formatPrice(price) : `${formatPrice(price)} from ${formatFrom(from, basis)}`,
  );
  const names = countries.map((code) => findCountryName(code) ?? code).toSorted((a, b) => a.localeCompare(b, 'en'));
  return {
    name,
    countries: names.length === 0 ? 'All other countries that we deliver to' : names.join(', '),
    prices:
      freeFrom === 0 ? ['Free'] : [...prices, ...(freeFrom === null ? [] : [`Free from ${formatDollars(freeFrom)}`])],
  };
}
