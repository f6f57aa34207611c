/** The brands, categories, properties and values that an import has to create. */
import type { ImportedProduct } from './imported-product.ts';
import { createSlug } from '../editing/suggest-slug.ts';
import type { ProductContent } from '../editing/product-content.ts';
import type { Named, Structure } from './structure.ts';
import { StructureIndex } from './structure-index.ts';

/** Category of new products without one. */
const FALLBACK_CATEGORY = 'Uncategorized';

export interface PlannedStructure {
  /** What is created, in display order. */
  readonly created: Structure;
  /** What exists, and what is created. */
  readonly index: StructureIndex;
}

interface StructureRequest {
  readonly present: Structure;
  readonly products: readonly ImportedProduct[];
  /** Category of products that exist, by slug. */
  readonly categoryIds: ReadonlyMap<string, string>;
  readonly createId: () => string;
}

/** Creates names that do not exist yet, with free slugs. */
function createNamer(present: readonly Named[], createId: () => string): (name: string) => Named {
  const slugs = new Set(present.map(({ slug }) => slug));
  /** The next number by base, so that many names of one base take linear time. */
  const numbers = new Map<string, number>();
  return (name) => {
    const base = createSlug(name, 100) || 'other';
    let slug = base;
    let number = numbers.get(base) ?? 2;
    for (; slugs.has(slug); number += 1) slug = `${base}-${number}`;
    numbers.set(base, number);
    slugs.add(slug);
    return { id: createId(), name, slug };
  };
}

/** Beyond that, names are in the order of the file: ordering them takes cubic time. */
const MAX_ORDERED = 60;

/**
 * Orders names so that each list keeps its order, where the lists allow that: repeatedly takes the
 * first name that no remaining list puts behind another one.
 */
export function mergeOrders(lists: readonly (readonly string[])[]): readonly string[] {
  const following = new Map<string, Set<string>>();
  for (const list of lists) {
    for (const [at, name] of list.entries()) {
      const known = following.get(name) ?? new Set();
      following.set(name, known);
      const next = list[at + 1];
      if (next !== undefined) known.add(next);
    }
  }
  const ordered: string[] = [];
  if (following.size > MAX_ORDERED) return [...following.keys()];
  while (following.size > 0) {
    const names = [...following.keys()];
    const isFree = (name: string): boolean =>
      names.every((other) => other === name || !following.get(other)?.has(name));
    // In a circle of contradicting lists none is free.
    const next = names.find(isFree) ?? names[0] ?? '';
    ordered.push(next);
    following.delete(next);
  }
  return ordered;
}

/** Category of a product after the import. */
export function findCategoryId(product: ImportedProduct, index: StructureIndex, present: string | undefined): string {
  const named = product.category ?? (present === undefined ? FALLBACK_CATEGORY : undefined);
  return (named === undefined ? undefined : index.findCategory(named)?.id) ?? present ?? '';
}

/** Yields often, so that the caller can pause. */
export function* planStructure(request: StructureRequest): Generator<undefined, PlannedStructure> {
  const { present, products, categoryIds, createId } = request;
  const index = new StructureIndex(present);
  const created = { brands: [] as Named[], categories: [] as Named[], ...createLists() };
  const nameBrand = createNamer(present.brands, createId);
  const nameCategory = createNamer(present.categories, createId);
  for (const product of products) {
    const name = product.brand ?? null;
    if (name !== null && !index.findBrand(name)) {
      const brand = nameBrand(name);
      created.brands.push(brand);
      index.addBrand(brand);
    }
    const category = product.category ?? (categoryIds.has(product.slug) ? undefined : FALLBACK_CATEGORY);
    if (category !== undefined && !index.findCategory(category)) {
      const added = nameCategory(category);
      created.categories.push(added);
      index.addCategory(added);
    }
    yield;
  }
  const byCategory = Map.groupBy(
    products.filter(({ options, variants }) => options !== null && options.length > 0 && variants !== null),
    (product) => findCategoryId(product, index, categoryIds.get(product.slug)),
  );
  for (const [categoryId, ofCategory] of byCategory) {
    yield* addProperties({ categoryId, products: ofCategory, index, created, createId });
  }
  return { created, index };
}

/** Ids of the brand, category and values of a product. */
export const listUsedIds = ({
  brand_id,
  category_id,
  values,
}: Pick<ProductContent, 'brand_id' | 'category_id' | 'values'>): readonly string[] => [
  brand_id,
  category_id,
  ...values.map(({ id }) => id),
];

/** What products use of the planned structure: those that are left out create nothing. */
export function selectUsed(
  { brands, categories, properties, values }: Structure,
  used: ReadonlySet<string>,
): Structure {
  const isUsed = ({ id }: { readonly id: string }): boolean => used.has(id);
  const usedValues = values.filter(isUsed);
  const usedProperties = new Set(usedValues.map(({ propertyId }) => propertyId));
  return {
    brands: brands.filter(isUsed),
    categories: categories.filter(isUsed),
    properties: properties.filter(({ id }) => usedProperties.has(id)),
    values: usedValues,
  };
}

const createLists = () => ({
  properties: [] as Structure['properties'][number][],
  values: [] as Structure['values'][number][],
});

interface PropertyRequest {
  readonly categoryId: string;
  readonly products: readonly ImportedProduct[];
  readonly index: StructureIndex;
  readonly created: ReturnType<typeof createLists>;
  readonly createId: () => string;
}

function* addProperties({ categoryId, products, index, created, createId }: PropertyRequest): Generator<undefined> {
  const spellings = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  for (const { options } of products) {
    for (const name of options ?? []) if (!spellings.has(name.toLowerCase())) spellings.set(name.toLowerCase(), name);
    const list = (options ?? []).map((name) => name.toLowerCase());
    lists.set(list.join('\n'), list);
    yield;
  }
  for (const folded of mergeOrders([...lists.values()])) {
    const name = spellings.get(folded) ?? folded;
    if (index.findProperty(categoryId, name)) continue;
    const property = { id: createId(), categoryId, name };
    created.properties.push(property);
    index.addProperty(property);
  }
  for (const { options, variants } of products) {
    for (const { values } of variants ?? []) {
      for (const [at, name] of (options ?? []).entries()) {
        const property = index.findProperty(categoryId, name);
        const value = values[at];
        if (!property || value === undefined || index.findValue(property.id, value)) continue;
        const added = { id: createId(), propertyId: property.id, value };
        created.values.push(added);
        index.addValue(added);
      }
    }
    yield;
  }
}
