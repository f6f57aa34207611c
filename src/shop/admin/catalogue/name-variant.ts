import type { FormCategory } from './product-form.ts';

/** Names of a variant's values in the order of its category, such as '256GB, Blue'. Empty without values. */
export const nameVariant = (category: FormCategory | null, valueIds: readonly string[]): string =>
  (category?.properties ?? [])
    .flatMap((property) => property.values)
    .flatMap(({ id, value }) => (valueIds.includes(id) ? [value] : []))
    .join(', ');
