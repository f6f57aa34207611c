/** Helpers of the plan of a product: names, positions and pictures of its variants and values. */
import { compareVariants } from './product-state.ts';
import type { ProductState, VariantState } from './product-state.ts';
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

/** Variants keep their positions if these give the order of the file. */
export function choosePositions(matched: readonly { readonly present: VariantState | null }[]): readonly number[] {
  const isKept = matched.every(({ present }, at) => {
    const previous = matched[at - 1]?.present;
    return present !== null && (!previous || compareVariants(previous, present) <= 0);
  });
  return matched.map(({ present }, at) => (isKept ? (present?.position ?? at) : at));
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

/** Pictures of a product, the main one first. */
export const listProductPictures = ({
  images,
  mainImage,
}: Pick<ProductState, 'images' | 'mainImage'>): readonly string[] => [
  ...new Set([mainImage, ...images].filter((path) => path !== '')),
];
