import { createVariantKey, listCombinations } from '../products/variants.ts';
import { isGtin } from './gtin.ts';
import { isOutOfOrder } from './parse-texts.ts';
import { listOfferedIds, listOwnPaths } from './product-content.ts';
import type { EditedCategory, EditedVariant, ProductContent } from './product-content.ts';
import { MAX_PROPERTIES, MAX_VARIANTS } from './product-limits.ts';

/** Messages by field, such as `variants.3.sku`. */
export type Problems = Readonly<Record<string, string>>;

const combine = (lists: readonly (readonly { readonly id: string }[])[]): number =>
  lists.reduce((product, list) => product * list.length, 1);

/**
 * Why the content can't be stored. An empty object: it can.
 * @param category null if it does not exist
 */
export function findProblems(content: ProductContent, category: EditedCategory | null): Problems {
  const problems = { ...checkSpecifications(content), ...checkChapters(content) };
  if (category === null) return { ...problems, category_id: 'Choose a category that exists' };
  const valueProblem = checkValues(content, category);
  if (valueProblem !== null) return { ...problems, values: valueProblem };
  return { ...problems, ...checkVariants(content, category) };
}

/** What a product needs to be sold. */
export const checkForSale = ({ pictures, variants }: Pick<ProductContent, 'pictures' | 'variants'>) => ({
  hasPicture: pictures.length > 0,
  hasPublishedVariant: variants.some(({ is_published }) => is_published),
});

/** What a product lacks to be sold. Variants that are left out are added, published. */
export function findPublishProblems(content: ProductContent): Problems {
  const { hasPicture, hasPublishedVariant } = checkForSale(content);
  return {
    ...(hasPicture ? {} : { pictures: 'Add at least one picture before you publish' }),
    ...(content.variants.length > 0 && !hasPublishedVariant
      ? { variants: 'Publish at least one variant, or save the product as a draft' }
      : {}),
  };
}

function checkSpecifications({ specifications }: ProductContent): Problems {
  const problems: Record<string, string> = {};
  const names = new Set<string>();
  for (const [index, { name }] of specifications.entries()) {
    const field = `specifications.${index}.name`;
    if (names.has(name)) problems[field] = 'This name is used twice';
    else if (isOutOfOrder(name)) problems[field] = 'Add a word to this name';
    names.add(name);
  }
  return problems;
}

function checkChapters(content: ProductContent): Problems {
  const own = new Set(listOwnPaths(content));
  return Object.fromEntries(
    content.chapters.flatMap(({ picture }, index) =>
      picture === null || own.has(picture)
        ? []
        : [[`chapters.${index}.picture`, 'Choose one of the pictures of this product']],
    ),
  );
}

function checkValues({ values }: ProductContent, category: EditedCategory): string | null {
  const known = new Set(category.properties.flatMap((property) => property.values.map(({ id }) => id)));
  if (values.some(({ id }) => !known.has(id)))
    return 'Some values no longer belong to this category. Choose them again';
  if (new Set(values.map(({ id }) => id)).size !== values.length) return 'Each value can be chosen once';
  const offered = listOfferedIds(category, values);
  if (offered.length > MAX_PROPERTIES) {
    return `A product can have values of at most ${MAX_PROPERTIES} properties. This one has ${offered.length}`;
  }
  const count = combine(offered.map((property) => property.values));
  return count > MAX_VARIANTS
    ? `These values make ${count} variants. A product can have at most ${MAX_VARIANTS}; choose fewer values`
    : null;
}

function checkVariants({ values, variants }: ProductContent, category: EditedCategory): Problems {
  const combinations = new Set(listCombinations(listOfferedIds(category, values)).map(createVariantKey));
  const problems: Record<string, string> = {};
  const keys = new Set<string>();
  const skus = new Set<string>();
  for (const [index, variant] of variants.entries()) {
    const key = createVariantKey(variant.value_ids);
    if (!combinations.has(key)) problems[`variants.${index}`] = 'The product is not offered with these values';
    else if (keys.has(key)) problems[`variants.${index}`] = 'This combination is listed twice';
    keys.add(key);
    for (const [field, message] of listVariantProblems(variant, skus)) problems[`variants.${index}.${field}`] = message;
    skus.add(variant.sku);
  }
  return problems;
}

function* listVariantProblems({ sku, gtin }: EditedVariant, skus: ReadonlySet<string>): Iterable<[string, string]> {
  if (sku !== '' && skus.has(sku)) yield ['sku', 'Another variant has this SKU'];
  if (gtin !== '' && !isGtin(gtin)) {
    yield ['gtin', 'Check this GTIN: it needs 8, 12, 13 or 14 digits, and its last digit must fit the others'];
  }
}
