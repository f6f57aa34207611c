import type { ImportedVariant } from './imported-product.ts';
import type { VariantState } from '../editing/stored-product.ts';

/**
 * Stock of a variant after the import; null: not tracked. A variant without a quantity keeps its stock, and a new one is
 * not tracked: it is not known to be sold out. One whose stock is as it was exported keeps it too: units sold after the
 * export stay sold.
 * @param present null for a new variant
 * @param isTrackedByDefault whether new variants of the shop are tracked
 */
export function chooseStock(
  { stock, isStockAsExported }: ImportedVariant,
  present: VariantState | null,
  isTrackedByDefault: boolean,
  { notice, noticeOnce }: Readonly<Record<'notice' | 'noticeOnce', (message: string) => void>>,
): number | null {
  if (present !== null && isStockAsExported) return present.available;
  const before = present ? present.available : null;
  if (stock === null) return null;
  if (stock?.quantity === undefined) {
    const isExpected = stock !== undefined || (present === null && isTrackedByDefault);
    if (before === null && isExpected) noticeOnce('The file has no quantity, so the stock is not tracked');
    return before;
  }
  const { quantity } = stock;
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
