import { findSwatch } from './find-swatch.ts';

export interface Option {
  readonly id: string;
  readonly value: string;
  /** Its colour as `#rrggbb`, if it is the name of one. */
  readonly swatch?: string;
}

/** A property and its selectable values. */
export interface OptionGroup {
  readonly id: string;
  readonly name: string;
  readonly values: readonly Option[];
}

function describeOption({ id, value }: Option): Option {
  const swatch = findSwatch(value);
  return { id, value, ...(swatch !== undefined && { swatch }) };
}

/**
 * Properties of a category with the values that a product is offered with; without properties that
 * have none.
 * @param increases of the product, by value id
 */
export function listOfferedOptions(
  properties: readonly OptionGroup[],
  increases: Readonly<Record<string, unknown>>,
): OptionGroup[] {
  return properties
    .map(({ id, name, values }) => ({
      id,
      name,
      values: values.flatMap((option) => (increases[option.id] === undefined ? [] : [describeOption(option)])),
    }))
    .filter(({ values }) => values.length > 0);
}

/**
 * Selected option of each group, in the order of the groups; the first one if none or an
 * unavailable one is chosen.
 * @param chosenIds option ids by group id
 */
export function listChosenOptions(
  groups: readonly OptionGroup[],
  chosenIds: Readonly<Record<string, string>>,
): readonly Option[] {
  return groups.flatMap(({ id, values }) => values.find((value) => value.id === chosenIds[id]) ?? values.slice(0, 1));
}
