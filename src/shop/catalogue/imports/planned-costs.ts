/** Costs of units that an import changes. Only staff who may see figures upload, export and see them. */
import type { Cents } from '#src/shop/money.ts';
import { getColumn } from './columns.ts';
import type { Change, ContentChange } from './list-changes.ts';
import { formatPrice } from './parse-cells.ts';

export interface PlannedCost {
  readonly variantId: string;
  readonly valueIds: readonly string[];
  /** Null: unknown. */
  readonly before: Cents | null;
  readonly after: Cents;
}

const COST_FIELD = getColumn('cost');

export const isCostChange = ({ field }: Change): boolean => field === COST_FIELD;

/** @param describeVariant names the values of a variant */
export const listCostChanges = (
  costs: readonly PlannedCost[],
  describeVariant: (valueIds: readonly string[]) => string,
): readonly ContentChange[] =>
  costs.map(({ valueIds, before, after }) => ({
    shown: {
      variant: describeVariant(valueIds),
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
