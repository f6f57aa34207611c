import type { Cents } from '#src/shop/money.ts';

export interface OfferedValue {
  readonly id: string;
  readonly value: string;
  /** Increase of the base price in cents, at least 0. */
  readonly increaseCents: Cents;
}

/** A property with the values that a product is offered with, in display order. */
export interface OfferedProperty {
  readonly id: string;
  readonly name: string;
  readonly values: readonly OfferedValue[];
}

export type Choice =
  | {
      readonly ok: true;
      /** One value of each property, in the order of the properties. */
      readonly values: readonly OfferedValue[];
      /** Value ids sorted as strings: part of the identity of a cart or order line. */
      readonly valueIds: readonly string[];
    }
  | { readonly ok: false; readonly reason: 'unknown-values' };

/**
 * Completes a choice to one value per property; properties not named take their first value. Ids
 * may be in any order. An id that is not offered or repeated, or two of one property, is
 * `unknown-values`.
 */
export function chooseValues(offered: readonly OfferedProperty[], namedIds: readonly string[] = []): Choice {
  const remaining = new Set(namedIds);
  const values: OfferedValue[] = [];
  for (const property of offered) {
    const value = property.values.find(({ id }) => remaining.has(id)) ?? property.values[0];
    if (!value) continue;
    remaining.delete(value.id);
    values.push(value);
  }
  const isRepeated = new Set(namedIds).size !== namedIds.length;
  if (isRepeated || remaining.size > 0) return { ok: false, reason: 'unknown-values' };
  return { ok: true, values, valueIds: values.map(({ id }) => id).toSorted() };
}
