import { toCostTarget } from './planned-costs.ts';
import type { PlannedCost } from './planned-costs.ts';
import { toTarget } from '../editing/product-target.ts';
import type { ProductWithStock } from '../editing/stored-product.ts';

/** The planned product as JSON, with the changes of stock and costs, until it is written. */
export function createTarget(
  product: ProductWithStock,
  before: ProductWithStock | null,
  fields: readonly string[],
  costs: readonly PlannedCost[],
): string {
  const formerStock = new Map((before?.variants ?? []).map(({ id, available }) => [id, available]));
  const stock = product.variants.flatMap(({ id, available }) => {
    const former = formerStock.get(id) ?? null;
    return former === available
      ? []
      : [{ variant_id: id, before: former, after: available, is_new: !formerStock.has(id) }];
  });
  return JSON.stringify({ ...toTarget(product, fields), stock, costs: toCostTarget(costs) });
}
