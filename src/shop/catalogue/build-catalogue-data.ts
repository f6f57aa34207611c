import type { Cents } from '#src/shop/money.ts';
import type { OfferedProperty, OfferedValue } from './products/choose-values.ts';
import type { ValuePictures } from './pictures/select-pictures.ts';
import { sortPropertyValues } from './filters/sort-capacities.ts';

interface CatalogueBrand {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export interface CatalogueCategory extends CatalogueBrand {
  /** All values of its properties, whether a product offers them or not. */
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
  /** In display order. */
  readonly specifications: Readonly<Record<string, string>>;
  readonly images: readonly string[];
  readonly mainImage: string;
  /** Pictures of those values that have their own. */
  readonly valueImages: ValuePictures;
  readonly createdAt: Date;
  /** Properties of the category, with the values that the product is offered with. */
  readonly offered: readonly OfferedProperty[];
}

/** Rows as stored; each list sorted by position, then id. */
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

/** Finds a product by an id or slug. */
interface ProductLookup {
  get(key: string): CatalogueProduct | undefined;
  has(key: string): boolean;
}

/** Everything on sale, linked. Immutable; replaced as a whole. */
export interface CatalogueData {
  readonly brands: readonly CatalogueBrand[];
  readonly categories: readonly CatalogueCategory[];
  readonly products: readonly CatalogueProduct[];
  readonly productsById: ProductLookup;
  readonly productsBySlug: ProductLookup;
  /** Position of each product in the list, by id and by slug. */
  readonly positions: { readonly byId: ReadonlyMap<string, number>; readonly bySlug: ReadonlyMap<string, number> };
  /** Name of the property of a value, by the id of the value. */
  readonly propertyNames: ReadonlyMap<string, string>;
}

function listOffered(category: CatalogueCategory, valueIds: readonly string[]): readonly OfferedProperty[] {
  const ownValueIds = new Set(valueIds);
  return category.properties.flatMap((property) => {
    const values = property.values.filter(({ id }) => ownValueIds.has(id));
    return values.length === 0 ? [] : [{ ...property, values }];
  });
}

/** A `listOffered` that returns the same list for products with the same values, to save memory. */
function createOfferCache(): typeof listOffered {
  const cache = new Map<string, readonly OfferedProperty[]>();
  return (category, valueIds) => {
    const key = [category.id, ...valueIds.toSorted()].join();
    const offered = cache.get(key) ?? listOffered(category, valueIds);
    cache.set(key, offered);
    return offered;
  };
}

function lookup(products: readonly CatalogueProduct[], positions: ReadonlyMap<string, number>): ProductLookup {
  return {
    get: (key) => {
      const position = positions.get(key);
      return position === undefined ? undefined : products[position];
    },
    has: (key) => positions.has(key),
  };
}

const indexPositions = (products: readonly CatalogueProduct[], key: 'id' | 'slug'): Map<string, number> =>
  new Map(products.map((product, position) => [product[key], position]));

/** Links rows into a catalogue. Capacity values are sorted by size. */
export function buildCatalogueData(rows: CatalogueRows): CatalogueData {
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
  const offerOf = createOfferCache();
  const products = rows.products.map(({ brandId, categoryId, valueIds, ...product }): CatalogueProduct => {
    const brand = brandsById.get(brandId);
    const category = categoriesById.get(categoryId);
    if (!brand || !category) throw new Error(`product ${product.id} has no brand or no category`);
    return { ...product, brand, category, offered: offerOf(category, valueIds) };
  });
  const positions = { byId: indexPositions(products, 'id'), bySlug: indexPositions(products, 'slug') };
  return {
    brands: rows.brands,
    categories,
    products,
    productsById: lookup(products, positions.byId),
    productsBySlug: lookup(products, positions.bySlug),
    positions,
    propertyNames: new Map(
      categories.flatMap(({ properties }) =>
        properties.flatMap(({ name, values }) => values.map(({ id }) => [id, name] as const)),
      ),
    ),
  };
}

/**
 * Returns the catalogue with new sales figures.
 * @param soldUnits total units sold by product id; other products keep theirs
 */
export function applySales(snapshot: CatalogueData, soldUnits: ReadonlyMap<string, number>): CatalogueData {
  const products = [...snapshot.products];
  for (const [id, units] of soldUnits) {
    const position = snapshot.positions.byId.get(id);
    const product = position === undefined ? undefined : products[position];
    if (position !== undefined && product) products[position] = { ...product, soldUnits: units };
  }
  const { byId, bySlug } = snapshot.positions;
  return { ...snapshot, products, productsById: lookup(products, byId), productsBySlug: lookup(products, bySlug) };
}
