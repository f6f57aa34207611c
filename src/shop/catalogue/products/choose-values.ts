import type { Cents } from '#src/shop/money.ts';

export interface OfferedValue {
  readonly id: string;
  readonly value: string;
  /** What it adds to the base price, in cents; 0 or more. */
  readonly increaseCents: Cents;
}

/** A property with the values that one product is offered with, in the order they are shown in. */
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
      /** Their ids in plain string order: the identity of a cart's or an order's line. */
      readonly valueIds: readonly string[];
    }
  | { readonly ok: false; readonly reason: 'unknown-values' };

/**
 * The complete choice that a request means: one value of each property, in which a property not named takes its first
 * value. Ids may come in any order; one that is not offered, one that is named twice, or two of one property are
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
