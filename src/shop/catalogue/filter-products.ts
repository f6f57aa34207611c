import { cents } from '../money.ts';
import type { Cents } from '../money.ts';
import type { CatalogueProduct } from './build-snapshot.ts';

export interface ProductFilter {
  /** Part of the name, whatever the case; every character stands for itself. */
  readonly text?: string;
  /** Slugs or ids; one of them must fit. */
  readonly categories?: readonly string[];
  readonly brands?: readonly string[];
  readonly minimumCents?: Cents;
  readonly maximumCents?: Cents;
  /** Ids of values by the name of their property: of each property one must be offered. */
  readonly values?: ReadonlyMap<string, ReadonlySet<string>>;
}

const NAMELESS = '';

/**
 * Chosen values grouped by the name of their property, so that the 256GB of a phone and the 256GB of a laptop are
 * alternatives. Ids that the catalogue does not know make a group of their own, which no product fits.
 */
export function groupValues(
  valueIds: readonly string[],
  propertyNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = Map.groupBy(valueIds, (id) => propertyNames.get(id) ?? NAMELESS);
  return new Map([...groups].map(([name, ids]) => [name, new Set(ids)]));
}

const inCents = (dollars: number): Cents => cents(BigInt(Math.round(dollars * 100)));

/** Bounds of a price filter in whole cents, from dollars with at most two decimals; a minimum above the maximum is no range. */
export function priceBounds(
  minimumUsd: number | undefined,
  maximumUsd: number | undefined,
):
  | { readonly ok: true; readonly bounds: Pick<ProductFilter, 'minimumCents' | 'maximumCents'> }
  | { readonly ok: false } {
  if (minimumUsd !== undefined && maximumUsd !== undefined && minimumUsd > maximumUsd) return { ok: false };
  return {
    ok: true,
    bounds: {
      ...(minimumUsd === undefined ? {} : { minimumCents: inCents(minimumUsd) }),
      ...(maximumUsd === undefined ? {} : { maximumCents: inCents(maximumUsd) }),
    },
  };
}

/**
 * The prices that a product can have with the chosen values: its base price with the increases of one chosen value of
 * each property. Empty when it does not offer one of each.
 */
function possiblePrices(product: CatalogueProduct, values: NonNullable<ProductFilter['values']>): ReadonlySet<bigint> {
  let prices: ReadonlySet<bigint> = new Set([product.basePriceCents]);
  for (const [name, ids] of values) {
    const offered = product.offered.find((property) => property.name === name)?.values ?? [];
    const increases = offered.filter(({ id }) => ids.has(id)).map(({ increaseCents }) => increaseCents);
    prices = new Set([...prices].flatMap((price) => increases.map((increase) => price + increase)));
  }
  return prices;
}

const isOneOf = (
  wanted: readonly string[] | undefined,
  named: { readonly id: string; readonly slug: string },
): boolean => !wanted || wanted.length === 0 || wanted.includes(named.id) || wanted.includes(named.slug);

/** Whether a product passes a filter; its price counts with the increases of the chosen values. */
export function passesFilter(product: CatalogueProduct, filter: ProductFilter): boolean {
  const { text = '', minimumCents, maximumCents, values = new Map<string, ReadonlySet<string>>() } = filter;
  if (!isOneOf(filter.categories, product.category) || !isOneOf(filter.brands, product.brand)) return false;
  if (text !== '' && !product.name.toLowerCase().includes(text.toLowerCase())) return false;
  const isInBounds = (price: bigint): boolean =>
    (minimumCents === undefined || price >= minimumCents) && (maximumCents === undefined || price <= maximumCents);
  if (values.size === 0) return isInBounds(product.basePriceCents);
  return [...possiblePrices(product, values)].some(isInBounds);
}

export function filterProducts(products: readonly CatalogueProduct[], filter: ProductFilter): CatalogueProduct[] {
  return products.filter((product) => passesFilter(product, filter));
}
