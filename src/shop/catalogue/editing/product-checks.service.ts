/** Checks of an edited product against what is stored, in the transaction that writes it. */
import { isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Problems } from './check-product.ts';
import { listOfferedIds, toEditedVariant } from './product-content.ts';
import type { EditedCategory, ProductContent } from './product-content.ts';
import * as store from './products.store.ts';
import type { StoredProduct } from './stored-product.ts';
import { findCategoryName, readProperties } from './structure.store.ts';
import { planVariants } from './variant-set.ts';
import type { PlannedVariant } from './variant-set.ts';

/** The variants to store, and the content with all of its variants and with values in display order. */
export async function complete(
  tx: Db,
  id: string,
  { content, category, stored }: { content: ProductContent; category: EditedCategory; stored: StoredProduct | null },
): Promise<{ readonly content: ProductContent; readonly planned: readonly PlannedVariant[] }> {
  const offered = listOfferedIds(category, content.values);
  const planned = planVariants({
    offered,
    stored: stored?.variants ?? [],
    edited: content.variants,
    article: content.article,
    takenSkus: new Set(await store.listSkusLike(tx, id, content.article)),
  });
  const values = new Map(content.values.map((value) => [value.id, value]));
  const count = offered.reduce((product, property) => product * property.values.length, 1);
  return {
    planned,
    content: {
      ...content,
      values: offered.flatMap((property) => property.values.flatMap((value) => values.get(value.id) ?? [])),
      variants: planned.slice(0, count).map(toEditedVariant),
    },
  };
}

export async function readCategory(tx: Db, id: string): Promise<EditedCategory | null> {
  // A share lock: values that were checked stay until the product is written.
  if ((await findCategoryName(tx, id)) === null) return null;
  const { properties, values } = await readProperties(tx, id);
  const byProperty = Map.groupBy(values, ({ propertyId }) => propertyId);
  return { properties: properties.map((property) => ({ values: byProperty.get(property.id) ?? [] })) };
}

export async function findTakenProblems(
  tx: Db,
  id: string,
  content: ProductContent,
  stored: StoredProduct | null,
): Promise<Problems> {
  const skus = content.variants.map(({ sku }) => sku).filter((sku) => sku !== '');
  const taken = await store.findTaken(tx, id, { slug: content.slug, article: content.article, skus });
  const problems: Record<string, string> = {};
  if (taken.slug !== null) problems['slug'] = `“${taken.slug}” has this URL already`;
  if (taken.article !== null) problems['article'] = `“${taken.article}” has this article number already`;
  const editedKeys = new Set(content.variants.map(({ value_ids }) => value_ids.toSorted().join()));
  const former = new Set(
    (stored?.variants ?? [])
      .filter(({ value_ids }) => !editedKeys.has(value_ids.toSorted().join()))
      .map(({ sku }) => sku),
  );
  for (const [index, { sku }] of content.variants.entries()) {
    const owner = taken.skus.get(sku);
    if (owner !== undefined) problems[`variants.${index}.sku`] = `“${owner}” has this SKU already`;
    else if (former.has(sku)) problems[`variants.${index}.sku`] = 'A former variant of this product has this SKU';
  }
  return problems;
}

export function nameViolation(error: unknown): Problems {
  if (isUniqueViolation(error, 'products_slug_key')) return { slug: 'Another product has this URL already' };
  if (isUniqueViolation(error, 'products_article_key')) {
    return { article: 'Another product has this article number already' };
  }
  return { variants: 'Another product has one of these SKUs already' };
}
