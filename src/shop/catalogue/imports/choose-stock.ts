import type { ImportedVariant } from './imported-product.ts';
import type { VariantState } from './product-state.ts';

/**
 * Stock of a variant after the import; null: not tracked. A tracked variant without a quantity keeps its stock, or
 * starts without any. So does one whose stock is as it was exported: units sold after the export stay sold.
 * @param present null for a new variant, which starts with the initial stock
 */
export function chooseStock(
  { stock, isStockAsExported }: ImportedVariant,
  present: VariantState | null,
  initialStock: number | null,
  notice: (message: string) => void,
): number | null {
  if (present !== null && isStockAsExported) return present.available;
  const before = present ? present.available : initialStock;
  if (!stock) return stock === undefined ? before : null;
  const quantity = stock.quantity ?? before ?? 0;
  // Orders may already promise more than there is.
  if (quantity < 0 && quantity !== before) {
    notice('The quantity is negative, so it becomes 0');
    return 0;
  }
  if (present !== null && before !== null && quantity !== before) {
    notice(`The stock is ${before} now and ${quantity} in the file. It becomes ${quantity}`);
  }
  return quantity;
}
