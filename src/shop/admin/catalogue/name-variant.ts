import type { FormCategory } from './product-form.ts';

/** Names of a variant's values in the order of its category, such as '256GB, Blue'. Empty without values. */
export const nameVariant = (category: FormCategory | null, valueIds: readonly string[]): string =>
  (category?.properties ?? [])
    .flatMap((property) => property.values)
    .flatMap(({ id, value }) => (valueIds.includes(id) ? [value] : []))
    .join(', ');

/** What the reader calls a column of the grid in each variant, by the id of the variant: 'Cost of 256GB, Blue'. */
export const labelVariants = (
  column: string,
  category: FormCategory | null,
  variants: readonly { readonly id: string; readonly valueIds: readonly string[] }[],
): ReadonlyMap<string, string> =>
  new Map(
    variants.map(({ id, valueIds }) => {
      const name = nameVariant(category, valueIds);
      return [id, name === '' ? column : `${column} of ${name}`];
    }),
  );
