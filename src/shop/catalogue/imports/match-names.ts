/** Helpers of the plan of a product: names, positions and pictures of its variants and values. */
import type { VariantState } from '../editing/stored-product.ts';
import { createVariantKey } from '../products/variants.ts';
import type { StructureIndex } from './structure-index.ts';

/** Names of the values of a variant, so that variants are recognised in another category. */
export const describeKey = (index: StructureIndex, valueIds: readonly string[]): string =>
  valueIds
    .map((id) => {
      const found = index.describeValue(id);
      return found ? `${found.property.name}=${found.value}`.toLowerCase() : id;
    })
    .toSorted()
    .join('\n');

/** The order in which variants are exported. */
export const compareVariants = (a: VariantState, b: VariantState): number =>
  a.position - b.position || Number(a.sku > b.sku) - Number(a.sku < b.sku);

/** Variants keep their positions if these give the order of the file. */
export function choosePositions(matched: readonly { readonly present: VariantState | null }[]): readonly number[] {
  const isKept = matched.every(({ present }, at) => {
    const previous = matched[at - 1]?.present;
    return present !== null && (!previous || compareVariants(previous, present) <= 0);
  });
  return matched.map(({ present }, at) => (isKept ? (present?.position ?? at) : at));
}

interface NamedLine {
  readonly imported: { readonly line: number; readonly values: readonly string[] };
  readonly valueIds: readonly string[];
}

/** The number of different variants, and lines with values of an earlier one in another case. */
export function findRepeated(lines: readonly NamedLine[]) {
  const seen = new Map<string, string>();
  const repeated: { readonly line: number; readonly message: string }[] = [];
  for (const { imported, valueIds } of lines) {
    const key = createVariantKey(valueIds);
    const values = imported.values.join(' / ');
    const earlier = seen.get(key) ?? values;
    const message = `“${values}” and “${earlier}” of an earlier line are the same here`;
    if (earlier !== values) repeated.push({ line: imported.line, message });
    seen.set(key, earlier);
  }
  return { keys: seen.size, repeated };
}

const findByName = <Found>(map: ReadonlyMap<string, Found>, name: string): Found | undefined =>
  [...map].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

export function findImages(
  all: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>,
  property: string,
  value: string,
): readonly string[] | null {
  const values = findByName(all, property);
  return (values && findByName(values, value)) ?? [];
}
