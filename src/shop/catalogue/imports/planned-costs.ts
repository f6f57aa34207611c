/** Costs of units that an import changes. Only staff who may see figures upload, export and see them. */
import type { Cents } from '#src/shop/money.ts';
import { getColumn } from './columns.ts';
import type { Change, ContentChange } from './list-changes.ts';
import type { ImportedVariant } from './imported-product.ts';
import { formatPrice } from './parse-cells.ts';
import type { StructureIndex } from './structure-index.ts';

export interface PlannedCost {
  readonly variantId: string;
  readonly valueIds: readonly string[];
  /** Null: unknown. */
  readonly before: Cents | null;
  readonly after: Cents;
}

/** Adds the changed cost of each variant that it is called with. A file without a cost changes none. */
export const collectCosts =
  (present: ReadonlyMap<string, Cents>, planned: PlannedCost[]) =>
  (variantId: string, { costCents: after }: ImportedVariant, valueIds: readonly string[]): void => {
    const before = present.get(variantId) ?? null;
    if (after !== undefined && after !== before) planned.push({ variantId, valueIds, before, after });
  };

const COST_FIELD = getColumn('cost');

export const isCostChange = ({ field }: Change): boolean => field === COST_FIELD;

export const listCostChanges = (
  costs: readonly PlannedCost[],
  index: Pick<StructureIndex, 'describeVariant'>,
): readonly ContentChange[] =>
  costs.map(({ valueIds, before, after }) => ({
    shown: {
      variant: index.describeVariant(valueIds),
      field: COST_FIELD,
      before: before === null ? null : formatPrice(before),
      after: formatPrice(after),
    },
    field: 'variants',
  }));

/** As JSON, whose numbers are not exact. */
export const toCostTarget = (costs: readonly PlannedCost[]) =>
  costs.map(({ variantId, before, after }) => ({
    variant_id: variantId,
    before: before === null ? null : String(before),
    after: String(after),
  }));
