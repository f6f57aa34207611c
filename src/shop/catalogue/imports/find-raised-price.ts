import { listPriceParts } from '../editing/product-content.ts';
import { createVariantKey } from '../products/variants.ts';
import { findRaisedSalePrice, formatRaisedSalePrice } from '../sale-prices/sale-price-problems.ts';
import type { SalePrice } from '../sale-prices/sale-price.ts';
import { getColumn } from './columns.ts';
import type { Problem } from './columns.ts';
import type { ImportedProduct } from './imported-product.ts';

/**
 * The line whose price a present or future sale price would not reduce; null if there is none.
 * @param planned its first variants are those of the file, in this order
 */
export function findRaisedPrice(
  { line, variants }: Pick<ImportedProduct, 'line' | 'variants'>,
  planned: Parameters<typeof listPriceParts>[0],
  salePrices: readonly SalePrice[],
  now: Date,
): Problem | null {
  const raised = salePrices.length === 0 ? null : findRaisedSalePrice(listPriceParts(planned), salePrices, now);
  if (raised === null) return null;
  const [key = null] = raised.variantKeys;
  const at = planned.variants.findIndex(({ value_ids, own_price_usd: own }) =>
    // The base price is that of variants without a price of their own.
    key === null ? own === null : createVariantKey(value_ids) === key,
  );
  const message = formatRaisedSalePrice(raised.salePrice);
  return { severity: 'error', line: variants?.[at]?.line ?? line, column: getColumn('price'), message };
}
