import { formatUsdAmount } from '#src/shop/format-number.ts';
import type { Option, OptionGroup } from './offered-options.ts';
import { createVariantKey, listCombinations } from './variants.ts';

/** What a buyer sees of a variant. */
export interface VariantChoice {
  readonly sku: string;
  readonly usd: number;
  /** Null without a rate. */
  readonly btc: number | null;
  readonly isSoldOut: boolean;
  /** Lowest price in the 30 days before the reduction; absent without one. */
  readonly was?: number;
}

/**
 * Every combination of the options, the last property changing first; null where it is not sold.
 * Its positions are those of `findVariantPosition`.
 */
export type VariantTable = readonly (VariantChoice | null)[];

/** As the API lists them. */
interface ListedVariant {
  readonly sku: string;
  readonly property_value_ids: readonly string[];
  readonly price_usd: number;
  readonly price_btc: number | null;
  readonly was_price_usd: number | null;
  readonly is_available: boolean;
}

export function buildVariantTable(groups: readonly OptionGroup[], variants: readonly ListedVariant[]): VariantTable {
  const byKey = new Map(variants.map((variant) => [createVariantKey(variant.property_value_ids), variant]));
  return listCombinations(groups).map((valueIds) => {
    const found = byKey.get(createVariantKey(valueIds));
    if (!found) return null;
    const { was_price_usd: was } = found;
    return {
      sku: found.sku,
      usd: found.price_usd,
      btc: found.price_btc,
      isSoldOut: !found.is_available,
      ...(was !== null && { was }),
    };
  });
}

/** Position of a combination of one option per group. */
export const findVariantPosition = (groups: readonly OptionGroup[], isChosen: (option: Option) => boolean): number =>
  groups.reduce((position, { values }) => position * values.length + values.findIndex(isChosen), 0);

/**
 * Option ids by group id: of the wanted combination, if it is sold, or of the first one that can be
 * ordered, else of the first that is sold.
 */
export function findFirstChoice(
  groups: readonly OptionGroup[],
  table: VariantTable,
  wantedIds: readonly string[] = [],
): Readonly<Record<string, string>> {
  const wanted = findVariantPosition(groups, ({ id }) => wantedIds.includes(id));
  const orderable = table.findIndex((variant) => variant !== null && !variant.isSoldOut);
  let position = orderable === -1 ? table.findIndex((variant) => variant !== null) : orderable;
  if (wantedIds.length > 0 && (table[wanted] ?? null) !== null) position = wanted;
  const chosen: Record<string, string> = {};
  for (const { id, values } of groups.toReversed()) {
    const option = values[Math.max(position, 0) % values.length];
    if (option) chosen[id] = option.id;
    position = Math.floor(position / values.length);
  }
  return chosen;
}

/** How much more or less than the chosen variant another one costs; empty if the same, or one is not sold. */
export function formatDifference(other: VariantChoice | null, chosen: VariantChoice | null): string {
  const difference = other && chosen ? Math.round((other.usd - chosen.usd) * 100) / 100 : 0;
  if (difference === 0) return '';
  return `${difference < 0 ? '−' : '+'}$${formatUsdAmount(Math.abs(difference))}`;
}
