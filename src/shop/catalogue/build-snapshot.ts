import type { Cents } from '../money.ts';
import type { OfferedProperty, OfferedValue } from './choose-values.ts';
import { sortPropertyValues } from './sort-capacities.ts';

interface CatalogueBrand {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export interface CatalogueCategory extends CatalogueBrand {
  /** All values of its properties, offered by a product or not. */
  readonly properties: readonly OfferedProperty[];
}

export interface CatalogueProduct {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  readonly brand: CatalogueBrand;
  readonly category: CatalogueCategory;
  readonly basePriceCents: Cents;
  readonly soldUnits: number;
  readonly description: string;
  readonly subDescription: string;
  /** Key to value, in the order they are read in. */
  readonly specifications: Readonly<Record<string, string>>;
  readonly images: readonly string[];
  readonly mainImage: string;
  readonly createdAt: Date;
  /** The properties of its category with the values it is offered with. */
  readonly offered: readonly OfferedProperty[];
}

/** What is stored: each list in the order of the shop (position, then id). */
export interface CatalogueRows {
  readonly brands: readonly CatalogueBrand[];
  readonly categories: readonly CatalogueBrand[];
  readonly properties: readonly { readonly id: string; readonly categoryId: string; readonly name: string }[];
  readonly values: readonly (OfferedValue & { readonly propertyId: string })[];
  readonly products: readonly (Omit<CatalogueProduct, 'brand' | 'category' | 'offered'> & {
    readonly brandId: string;
    readonly categoryId: string;
    readonly valueIds: readonly string[];
  })[];
}

/** Everything on sale, linked up; replaced as a whole, never changed. */
export interface CatalogueSnapshot {
  readonly brands: readonly CatalogueBrand[];
  readonly categories: readonly CatalogueCategory[];
  readonly products: readonly CatalogueProduct[];
  readonly productsById: ReadonlyMap<string, CatalogueProduct>;
  readonly productsBySlug: ReadonlyMap<string, CatalogueProduct>;
  /** The name of the property that a value belongs to, by the value's id. */
  readonly propertyNames: ReadonlyMap<string, string>;
}

function offeredBy(category: CatalogueCategory, valueIds: readonly string[]): OfferedProperty[] {
  const own = new Set(valueIds);
  return category.properties.flatMap((property) => {
    const values = property.values.filter(({ id }) => own.has(id));
    return values.length === 0 ? [] : [{ ...property, values }];
  });
}

/** Links rows into a catalogue; values that are capacities are put in order of size. */
export function buildSnapshot(rows: CatalogueRows): CatalogueSnapshot {
  const valuesOf = Map.groupBy(rows.values, ({ propertyId }) => propertyId);
  const propertiesOf = Map.groupBy(rows.properties, ({ categoryId }) => categoryId);
  const categories = rows.categories.map(({ id, name, slug }): CatalogueCategory => {
    const properties = (propertiesOf.get(id) ?? []).map((property) => ({
      id: property.id,
      name: property.name,
      values: sortPropertyValues(valuesOf.get(property.id) ?? []).map(({ id: valueId, value, increaseCents }) => ({
        id: valueId,
        value,
        increaseCents,
      })),
    }));
    return { id, name, slug, properties };
  });
  const brandsById = new Map(rows.brands.map((brand) => [brand.id, brand]));
  const categoriesById = new Map(categories.map((category) => [category.id, category]));
  const products = rows.products.map(({ brandId, categoryId, valueIds, ...product }): CatalogueProduct => {
    const brand = brandsById.get(brandId);
    const category = categoriesById.get(categoryId);
    if (!brand || !category) throw new Error(`product ${product.id} has no brand or no category`);
    return { ...product, brand, category, offered: offeredBy(category, valueIds) };
  });
  return {
    brands: rows.brands,
    categories,
    products,
    productsById: new Map(products.map((product) => [product.id, product])),
    productsBySlug: new Map(products.map((product) => [product.slug, product])),
    propertyNames: new Map(
      categories.flatMap(({ properties }) =>
        properties.flatMap(({ name, values }) => values.map(({ id }) => [id, name] as const)),
      ),
    ),
  };
}
