import { createVariantKey } from '../products/variants.ts';
import { findRaisedSalePrice, formatRaisedSalePrice } from '../sale-prices/sale-price-problems.ts';
import type { SalePrice } from '../sale-prices/sale-price.ts';
import { getColumn } from './columns.ts';
import type { Problem } from './columns.ts';
import type { ImportedProduct } from './imported-product.ts';
import type { ProductState } from './product-state.ts';

type Prices = Pick<ProductState, 'basePriceCents' | 'values' | 'variants'>;

const toParts = ({ basePriceCents, values, variants }: Prices) => ({
  basePriceCents,
  increases: new Map(values.map(({ valueId, increaseCents }) => [valueId, increaseCents])),
  ownPrices: new Map(
    variants.flatMap(({ valueIds, ownPriceCents }) =>
      ownPriceCents === null ? [] : [[createVariantKey(valueIds), ownPriceCents] as const],
    ),
  ),
});

/**
 * The line whose price a present or future sale price would not reduce; null if there is none.
 * @param planned its first variants are those of the file, in this order
 */
export function findRaisedPrice(
  { line, variants }: Pick<ImportedProduct, 'line' | 'variants'>,
  planned: Prices,
  salePrices: readonly SalePrice[],
  now: Date,
): Problem | null {
  const raised = salePrices.length === 0 ? null : findRaisedSalePrice(toParts(planned), salePrices, now);
  if (raised === null) return null;
  const [key = null] = raised.variantKeys;
  const at = planned.variants.findIndex(({ valueIds, ownPriceCents }) =>
    // The base price is that of variants without a price of their own.
    key === null ? ownPriceCents === null : createVariantKey(valueIds) === key,
  );
  const message = formatRaisedSalePrice(raised.salePrice);
  return { severity: 'error', line: variants?.[at]?.line ?? line, column: getColumn('price'), message };
}
