/** Values of a property, which belong to its category and have one order for all of its products. */
import type { StructureCategory } from '#src/shop/catalogue/editing/contract.ts';
import { moveItem } from './move-item.ts';

type Property = StructureCategory['properties'][number];
type Value = Property['values'][number];

interface NamedValue {
  readonly id: string;
  readonly value: string;
}

const fold = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').normalize().toLowerCase();

/** What the API takes: properties and values without what it counts. */
function toRequest(properties: readonly (Omit<Property, 'values'> & { values: readonly NewValue[] })[]) {
  return properties.map(({ id, name, values }) => ({
    id,
    name,
    values: values.map((one) => ({
      ...(one.id !== undefined && { id: one.id }),
      value: one.value,
      increase_usd: one.increase_usd,
    })),
  }));
}

type NewValue = Pick<Value, 'value' | 'increase_usd'> & { readonly id?: string };

function changeValues(
  { properties }: Pick<StructureCategory, 'properties'>,
  propertyId: string,
  change: (values: readonly Value[]) => readonly NewValue[],
) {
  return toRequest(
    properties.map((property) => ({
      ...property,
      values: property.id === propertyId ? change(property.values) : property.values,
    })),
  );
}

/** The properties of the category with further values at the end of one, without an increase; those that it has are left out. */
export const addCategoryValues = (
  category: Pick<StructureCategory, 'properties'>,
  propertyId: string,
  added: readonly string[],
): ReturnType<typeof toRequest> =>
  changeValues(category, propertyId, (values) => [
    ...values,
    ...added
      .filter((one) => findSame(values, one) === undefined)
      .map((one) => ({ value: one.trim(), increase_usd: 0 })),
  ]);

/** The properties of the category with the values of one in this order; values that are not named stay at their places. */
export const sortCategoryValues = (
  category: Pick<StructureCategory, 'properties'>,
  propertyId: string,
  ids: readonly string[],
): ReturnType<typeof toRequest> =>
  changeValues(category, propertyId, (values) => {
    const known = new Map(values.map((value) => [value.id, value]));
    const sorted = ids.flatMap((id) => known.get(id) ?? []);
    const named = new Set(sorted);
    let next = 0;
    return values.map((value) => (named.has(value) ? (sorted[next++] ?? value) : value));
  });

/** The chosen ids with one moved to the place of another. */
export function moveTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id);
  return from === -1 ? ids : moveItem(ids, from, place - from);
}

/** Values that contain the typed words, those that begin with them first. */
export function findValues<One extends NamedValue>(values: readonly One[], typed: string): readonly One[] {
  const text = fold(typed);
  const found = values.filter(({ value }) => fold(value).includes(text));
  const isFirst = ({ value }: One): boolean => fold(value).startsWith(text);
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
}

/** The value with this name, whatever its capital letters and Unicode form. */
export const findSame = <One extends NamedValue>(values: readonly One[], typed: string): One | undefined =>
  values.find(({ value }) => fold(value) === fold(typed));

/**
 * The names in a text, separated by commas, or by semicolons if it has one, since a name may have a comma. Each once, as
 * `findSame` compares them.
 */
export function splitNames(typed: string): readonly string[] {
  const names = typed.split(typed.includes(';') ? ';' : ',').map((name) => name.trim());
  const folded = names.map(fold);
  return names.filter((name, at) => name !== '' && folded.indexOf(fold(name)) === at);
}
