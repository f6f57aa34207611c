import type { Cents } from '#src/shop/money.ts';
import type { CatalogueProduct } from '../build-catalogue-data.ts';
import { listPricedVariants } from '../products/lowest-price.ts';
import type { PricedVariant } from '../products/lowest-price.ts';
import { computeVariantPriceCents } from '../products/unit-price.ts';
import type { ProductFilter } from './filter-products.ts';

type VariantFilter = Pick<ProductFilter, 'minimumCents' | 'maximumCents' | 'values'>;

/** Whether a filter selects variants, and not only products. */
export const selectsVariants = ({ minimumCents, maximumCents, values }: VariantFilter): boolean =>
  minimumCents !== undefined || maximumCents !== undefined || (values !== undefined && values.size > 0);

/** The variants that are sold and match the filter, in display order. */
function listMatchingVariants(
  product: CatalogueProduct,
  { minimumCents, maximumCents, values }: VariantFilter,
): readonly { readonly variant: PricedVariant; readonly price: Cents }[] {
  const groups = values === undefined ? [] : [...values.values()];
  return listPricedVariants(product)
    .filter(({ valueIds }) => groups.every((ids) => valueIds.some((id) => ids.has(id))))
    .map((variant) => ({ variant, price: computeVariantPriceCents(product, variant) }))
    .filter(
      ({ price }) =>
        (minimumCents === undefined || price >= minimumCents) && (maximumCents === undefined || price <= maximumCents),
    );
}

/**
 * What a card means under a filter: the cheapest matching variant that can be ordered, else the cheapest.
 * The first in display order if several are. Null without a match.
 * @param isAvailable whether a variant, by its sorted value ids, can be ordered
 */
export function chooseMatchingVariant(
  product: CatalogueProduct,
  filter: VariantFilter,
  isAvailable: (valueIds: readonly string[]) => boolean,
): PricedVariant | null {
  const matching = listMatchingVariants(product, filter);
  const available = matching.filter(({ variant }) => isAvailable(variant.valueIds));
  const [first, ...others] = available.length > 0 ? available : matching;
  if (first === undefined) return null;
  return others.reduce((least, one) => (one.price < least.price ? one : least), first).variant;
}

/** Names a variant by its values, without those that every variant of the product has. */
export const nameVariant = ({ offered }: Pick<CatalogueProduct, 'offered'>, { values }: PricedVariant): string =>
  values
    .filter(({ id }) =>
      offered.some((property) => property.values.length > 1 && property.values.some((of) => of.id === id)),
    )
    .map(({ value }) => value)
    .join(', ');
