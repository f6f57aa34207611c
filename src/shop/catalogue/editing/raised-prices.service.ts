import type { Db } from '#src/platform/database/database.ts';
import { createVariantKey } from '../products/variants.ts';
import { findRaisedSalePrice, formatRaisedSalePrice } from '../sale-prices/sale-price-problems.ts';
import { listPresentSalePrices } from '../sale-prices/store.ts';
import type { Problems } from './check-product.ts';
import { listPriceParts } from './product-content.ts';
import type { ProductContent } from './product-content.ts';

/** Prices that a present or future sale price would not reduce. */
export async function findRaisedProblems(tx: Db, id: string, content: ProductContent, now: Date): Promise<Problems> {
  const salePrices = await listPresentSalePrices(tx, id, now);
  const raised = findRaisedSalePrice(listPriceParts(content), salePrices, now);
  if (raised === null) return {};
  const message = formatRaisedSalePrice(raised.salePrice);
  const toField = (key: string | null): string => {
    const index = content.variants.findIndex(({ value_ids }) => createVariantKey(value_ids) === key);
    return index === -1 ? 'base_price_usd' : `variants.${index}.own_price_usd`;
  };
  return Object.fromEntries(raised.variantKeys.map((key) => [toField(key), message]));
}
