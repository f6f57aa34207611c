export interface Option {
  readonly id: string;
  readonly value: string;
  /** What it adds to the base price, as on the wire. */
  readonly price_in_usd_increase: number;
  /** Null while there is no rate. */
  readonly price_in_btc_increase: number | null;
}

/** A property and the values of it that one can choose from. */
export interface OptionGroup {
  readonly id: string;
  readonly name: string;
  readonly values: readonly Option[];
}

/** The properties of a category with the values that a product is offered with; a property without any is left out. */
export function listOfferedOptions(properties: readonly OptionGroup[], offeredIds: readonly string[]): OptionGroup[] {
  const offered = new Set(offeredIds);
  return properties
    .map(({ id, name, values }) => ({ id, name, values: values.filter((value) => offered.has(value.id)) }))
    .filter(({ values }) => values.length > 0);
}

/**
 * One option of each group, in the order of the groups: the one chosen, or the first where nothing, or nothing that is
 * offered, was chosen.
 * @param chosenIds ids of options by the id of their group
 */
export function listChosenOptions(
  groups: readonly OptionGroup[],
  chosenIds: Readonly<Record<string, string>>,
): readonly Option[] {
  return groups.flatMap(({ id, values }) => values.find((value) => value.id === chosenIds[id]) ?? values.slice(0, 1));
}
