import type { Cents } from '#src/shop/money.ts';

export interface EditedProperty {
  readonly id?: string | undefined;
  readonly name: string;
  readonly values: readonly {
    readonly id?: string | undefined;
    readonly value: string;
    readonly increase_usd: Cents;
  }[];
}

export interface StoredProperty {
  readonly id: string;
  readonly name: string;
  readonly values: readonly { readonly id: string; readonly value: string }[];
}

/** Values that are stored and no longer listed. */
export function listRemovedValues(
  stored: readonly StoredProperty[],
  edited: readonly EditedProperty[],
): readonly { readonly id: string; readonly value: string; readonly index: number }[] {
  const kept = new Set(edited.flatMap(({ values }) => values.map(({ id }) => id)));
  return stored.flatMap(({ values }, index) =>
    values.filter(({ id }) => !kept.has(id)).map(({ id, value }) => ({ id, value, index })),
  );
}

/** Messages by field, such as `properties.0.values.2.value`. */
export function findStructureProblems(
  stored: readonly StoredProperty[],
  edited: readonly EditedProperty[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const storedById = new Map(stored.map((property) => [property.id, property]));
  const names = new Set<string>();
  const ids = new Set<string>();
  for (const [index, { id, name, values }] of edited.entries()) {
    const field = `properties.${index}.name`;
    if (names.has(name)) problems[field] = 'Another property has this name';
    names.add(name);
    if (id !== undefined && (!storedById.has(id) || ids.has(id))) problems[field] = 'This property was deleted';
    if (id !== undefined) ids.add(id);
    const known = new Set(storedById.get(id ?? '')?.values.map((value) => value.id));
    Object.assign(problems, findValueProblems(values, known, `properties.${index}.values`));
  }
  return problems;
}

function findValueProblems(
  values: EditedProperty['values'],
  known: Set<string>,
  path: string,
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const names = new Set<string>();
  for (const [index, { id, value }] of values.entries()) {
    if (names.has(value)) problems[`${path}.${index}.value`] = 'This property has this value already';
    names.add(value);
    // Each id may be listed once.
    if (id !== undefined && !known.delete(id)) problems[`${path}.${index}.value`] = 'This value was deleted';
  }
  return problems;
}

export const formatUse = (count: number): string => `${count} ${count === 1 ? 'product' : 'products'}`;
