import type { FormCategory, ListedVariant, ProductForm } from '../product-form.ts';
import { OptionChips } from './option-chips.tsx';
import type { OptionChipsProps } from './option-chips.tsx';

interface OptionsProps extends Pick<OptionChipsProps, 'saved' | 'onChange'> {
  readonly category: FormCategory;
  readonly values: ProductForm['values'];
  readonly listed: readonly ListedVariant[];
  /** Messages such as `values.0.increase_usd`. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Properties of the category with the values that the product is offered with. */
export function Options({ category, values, listed, problems, saved, onChange }: OptionsProps) {
  // The API numbers the chosen values in the order of the category.
  const chosen = category.properties.flatMap((property) =>
    property.values.filter(({ id }) => values[id] !== undefined),
  );
  const numbers = new Map(chosen.map(({ id }, index) => [id, index]));
  return category.properties.map((property) => (
    <OptionChips
      key={property.id}
      categoryId={category.id}
      property={property}
      values={values}
      saved={saved}
      countVariants={(id) => listed.filter(({ valueIds }) => valueIds.includes(id)).length}
      findProblem={(id) => problems[`values.${numbers.get(id)}.increase_usd`]}
      onChange={onChange}
    />
  ));
}
