import type { CatalogueProduct } from '../build-catalogue-data.ts';
import { listPricedVariants } from '../products/lowest-price.ts';
import { computeVariantPriceCents } from '../products/unit-price.ts';

/** Value ids by property name. A variant must have one of each property. */
export type ChosenValues = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The variants of a product that are sold, with their prices relative to its base price. Money is a
 * number here, far below 2^53, for comparisons only.
 */
export interface PriceTable {
  /** Property names, in the order of each variant's values. */
  readonly properties: readonly string[];
  readonly variants: readonly { readonly valueIds: readonly string[]; readonly delta: number }[];
  /** Distinct prices of all variants, the lowest first. */
  readonly deltas: readonly number[];
}

/** Kept while the product is unchanged, whatever else in the catalogue changes. */
const tables = new WeakMap<object, PriceTable>();

/** What the table depends on besides the base price: shared by products that offer the same. */
export const getPriceTableKey = (product: CatalogueProduct): object =>
  product.unsold.size === 0 && product.ownPrices.size === 0 ? product.offered : product;

function buildTable(product: CatalogueProduct): PriceTable {
  const base = Number(product.basePriceCents);
  const variants = listPricedVariants(product).map((variant) => ({
    valueIds: variant.values.map(({ id }) => id),
    delta: Number(computeVariantPriceCents(product, variant)) - base,
  }));
  return {
    properties: product.offered.map(({ name }) => name),
    variants,
    deltas: [...new Set(variants.map(({ delta }) => delta))].toSorted((a, b) => a - b),
  };
}

export function getPriceTable(product: CatalogueProduct): PriceTable {
  const key = getPriceTableKey(product);
  const table = tables.get(key) ?? buildTable(product);
  tables.set(key, table);
  return table;
}

/** Distinct prices of the variants that have one of each property's values; null if none has. */
export function listDeltas({ variants, deltas }: PriceTable, chosen: ChosenValues): readonly number[] | null {
  if (chosen.size === 0) return deltas;
  const groups = [...chosen.values()];
  const matching = variants.filter(({ valueIds }) => groups.every((ids) => valueIds.some((id) => ids.has(id))));
  return matching.length === 0 ? null : [...new Set(matching.map(({ delta }) => delta))];
}

/** For each value of the variants, their prices if it is the only chosen one of its property. */
export function listDeltasByValue(
  { properties, variants }: PriceTable,
  chosen: ChosenValues,
): ReadonlyMap<string, ReadonlySet<number>> {
  const byValue = new Map<string, Set<number>>();
  const groups = [...chosen];
  for (const { valueIds, delta } of variants) {
    for (const [at, id] of valueIds.entries()) {
      const isMatch = groups.every(
        ([name, ids]) => name === properties[at] || valueIds.some((other) => ids.has(other)),
      );
      if (!isMatch) continue;
      const deltas = byValue.get(id) ?? new Set();
      byValue.set(id, deltas.add(delta));
    }
  }
  return byValue;
}
