import type { Cents } from '#src/shop/money.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import type { PublicFields } from './editing/product-fields.ts';
import type { OfferedProperty, OfferedValue } from './products/choose-values.ts';
import type { ValuePictures } from './pictures/select-pictures.ts';
import type { VariantExceptions } from './products/variants.ts';
import { sortPropertyValues } from './filters/sort-capacities.ts';
import type { PriceHistory } from './sale-prices/prior-price.ts';
import { applySalePrices, findSteadyTime } from './sale-prices/present-prices.ts';
import type { Pricing, SteadyTime } from './sale-prices/present-prices.ts';

interface CatalogueBrand {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export interface CatalogueCategory extends CatalogueBrand {
  /** All values of its properties, whether a product offers them or not. */
  readonly properties: readonly OfferedProperty[];
}

/** Its prices, increases included, are those in force: reduced while a sale price runs. */
export interface CatalogueProduct extends VariantExceptions<Cents>, Readonly<PublicFields> {
  readonly id: string;
  readonly brand: CatalogueBrand;
  readonly category: CatalogueCategory;
  readonly basePriceCents: Cents;
  /** Absent for the standard rate. */
  readonly taxClass?: TaxClass | undefined;
  /** Weight of one unit of a variant without its own; absent if unknown. */
  readonly weightGrams?: number | undefined;
  readonly soldUnits: number;
  /** No variant that is sold can be ordered. */
  readonly isSoldOut: boolean;
  /** A variant that is sold cannot be ordered. */
  readonly hasSoldOutVariant: boolean;
  readonly subDescription: string;
  /** In display order. */
  readonly specifications: Readonly<Record<string, string>>;
  readonly images: readonly string[];
  readonly mainImage: string;
  /** Alternative texts that staff entered, by path. */
  readonly pictureAlts: Readonly<Record<string, string>>;
  /** Pictures of those values that have their own. */
  readonly valueImages: ValuePictures;
  readonly createdAt: Date;
  /** Display order; products with the same position are in the order of their ids. */
  readonly position: number;
  /** Properties of the category, with the values that the product is offered with and its own increases. */
  readonly offered: readonly OfferedProperty[];
  /** Absent without a present or future sale price. */
  readonly pricing?: Pricing;
}

/** Rows as stored; each list sorted by position, then id. */
export interface CatalogueRows {
  readonly brands: readonly CatalogueBrand[];
  readonly categories: readonly CatalogueBrand[];
  readonly properties: readonly { readonly id: string; readonly categoryId: string; readonly name: string }[];
  readonly values: readonly (OfferedValue & { readonly propertyId: string })[];
  readonly products: readonly ProductRow[];
}

export interface ProductRow extends Omit<CatalogueProduct, 'brand' | 'category' | 'offered' | 'pricing'> {
  readonly brandId: string;
  readonly categoryId: string;
  /** Increase of each value that the product is offered with, by value id. */
  readonly increases: ReadonlyMap<string, Cents>;
  /** Absent without a present or future sale price. */
  readonly priceHistory?: PriceHistory;
}

/** What prices and order lines need of a product. */
export type CheckoutProduct = Pick<
  CatalogueProduct,
  'id' | 'name' | 'slug' | 'subDescription' | 'mainImage' | 'valueImages' | keyof VariantExceptions<Cents>
> &
  Pick<CatalogueProduct, 'basePriceCents' | 'taxClass' | 'weightGrams' | 'offered' | 'pricing'> &
  /** Not read by a checkout. */
  { readonly energy_label?: CatalogueProduct['energy_label'] | undefined };

export type CheckoutProductRow = Omit<CheckoutProduct, 'offered' | 'pricing'> &
  Pick<ProductRow, 'categoryId' | 'increases' | 'priceHistory'>;

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

function listOffered(category: CatalogueCategory, increases: ReadonlyMap<string, Cents>): readonly OfferedProperty[] {
  return category.properties.flatMap((property) => {
    const values = property.values.flatMap(({ id, value }) => {
      const increaseCents = increases.get(id);
      return increaseCents === undefined ? [] : [{ id, value, increaseCents }];
    });
    return values.length === 0 ? [] : [{ ...property, values }];
  });
}

/** A `listOffered` that returns the same list for products with the same values, to save memory. */
function createOfferCache(): typeof listOffered {
  const cache = new Map<string, readonly OfferedProperty[]>();
  return (category, increases) => {
    const key = `${category.id} ${[...increases]
      .map(([id, cents]) => `${id}:${cents}`)
      .toSorted()
      .join()}`;
    const offered = cache.get(key) ?? listOffered(category, increases);
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

/** What products are linked with: everything but the products. */
type Structure = Pick<CatalogueData, 'brands' | 'categories'>;

/** Links product rows at their normal prices; leaves out those whose brand or category is unknown. */
export function linkProducts(rows: readonly ProductRow[], { brands, categories }: Structure): CatalogueProduct[] {
  const brandsById = new Map(brands.map((brand) => [brand.id, brand]));
  const categoriesById = new Map(categories.map((category) => [category.id, category]));
  const offerOf = createOfferCache();
  return rows.flatMap(({ brandId, categoryId, increases, priceHistory, ...product }) => {
    const brand = brandsById.get(brandId);
    const category = categoriesById.get(categoryId);
    if (!brand || !category) return [];
    const linked = { ...product, brand, category, offered: offerOf(category, increases) };
    return [addPricing(linked, priceHistory)];
  });
}

/** Like `linkProducts`, for a checkout. */
export const linkCheckoutProducts = <Row extends CheckoutProductRow>(
  rows: readonly Row[],
  { categories }: Structure,
): (Omit<Row, 'categoryId' | 'increases' | 'priceHistory'> & CheckoutProduct)[] =>
  rows.flatMap(({ categoryId, increases, priceHistory, ...product }) => {
    const category = categories.find(({ id }) => id === categoryId);
    return category ? [addPricing({ ...product, offered: listOffered(category, increases) }, priceHistory)] : [];
  });

function addPricing<Linked extends Pricing['normal']>(
  linked: Linked,
  priceHistory: PriceHistory | undefined,
): Linked & { readonly pricing?: Pricing } {
  if (priceHistory === undefined) return linked;
  const { basePriceCents, ownPrices, offered } = linked;
  return { ...linked, pricing: { ...priceHistory, normal: { basePriceCents, ownPrices, offered }, running: null } };
}

const describeOffers = (offered: readonly OfferedProperty[]): string =>
  offered.map(({ id, values }) => `${id} ${values.map((of) => `${of.id} ${of.increaseCents}`).join()}`).join(';');

/** Keeps the list of offered values of products whose values did not change, so that indexes of it stay valid. */
export const keepOffers = (changed: readonly CatalogueProduct[], { productsById }: CatalogueData): CatalogueProduct[] =>
  changed.map((product) => {
    const before = productsById.get(product.id)?.offered;
    const isSame = before !== undefined && describeOffers(before) === describeOffers(product.offered);
    return isSame ? { ...product, offered: before } : product;
  });

/** Indexes products in the given order. */
function indexProducts(products: readonly CatalogueProduct[]) {
  const positions = { byId: indexPositions(products, 'id'), bySlug: indexPositions(products, 'slug') };
  return {
    products,
    productsById: lookup(products, positions.byId),
    productsBySlug: lookup(products, positions.bySlug),
    positions,
  };
}

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
  return {
    brands: rows.brands,
    categories,
    ...indexProducts(linkProducts(rows.products, { brands: rows.brands, categories })),
    propertyNames: new Map(
      categories.flatMap(({ properties }) =>
        properties.flatMap(({ name, values }) => values.map(({ id }) => [id, name] as const)),
      ),
    ),
  };
}

const compareProducts = (a: CatalogueProduct, b: CatalogueProduct): number =>
  a.position - b.position || Number(a.id > b.id) - Number(a.id < b.id);

/** A catalogue after changes of products. */
export interface ChangedCatalogue {
  readonly data: CatalogueData;
  /** Positions of the changed products in the list; null if the list itself changed. */
  readonly positions: readonly number[] | null;
}

/**
 * Returns the catalogue with these products added or replaced, and others removed.
 * @param changed products on sale
 * @param removedIds products that are not on sale any more, or never were
 */
export function applyProductChanges(
  snapshot: CatalogueData,
  changed: readonly CatalogueProduct[],
  removedIds: readonly string[],
): ChangedCatalogue {
  const replaced = removedIds.some((id) => snapshot.productsById.has(id)) ? null : replaceProducts(snapshot, changed);
  if (replaced !== null) return replaced;
  const stale = new Set([...changed.map(({ id }) => id), ...removedIds]);
  const others = snapshot.products.filter(({ id }) => !stale.has(id));
  const products = [...others, ...changed].toSorted(compareProducts);
  return { data: { ...snapshot, ...indexProducts(products) }, positions: null };
}

/** The catalogue at the prices of a moment. */
interface PresentCatalogue extends ChangedCatalogue {
  /** Time in which they stay the same. */
  readonly steadyTime: SteadyTime;
}

/** Applies the sale prices of a moment. Replaces only the products whose prices change. */
export function applyDueSalePrices(loaded: CatalogueData, now: Date): PresentCatalogue {
  const scheduled = loaded.products.filter(({ pricing }) => pricing !== undefined);
  const salePrices = scheduled.flatMap(({ pricing }) => pricing?.salePrices ?? []);
  const changed = scheduled.flatMap((before) => {
    const present = applySalePrices(before, now);
    return present === before ? [] : [present];
  });
  const steadyTime = findSteadyTime(salePrices, now);
  if (changed.length === 0) return { data: loaded, positions: [], steadyTime };
  return { ...applyProductChanges(loaded, changed, []), steadyTime };
}

/** Replaces products in the list, which takes far less time than a new list. Null if one has another place or slug. */
function replaceProducts(snapshot: CatalogueData, changed: readonly CatalogueProduct[]): ChangedCatalogue | null {
  const products = [...snapshot.products];
  const positions: number[] = [];
  for (const product of changed) {
    const at = snapshot.positions.byId.get(product.id);
    const before = at === undefined ? undefined : snapshot.products[at];
    if (at === undefined || before?.position !== product.position || before.slug !== product.slug) return null;
    products[at] = product;
    positions.push(at);
  }
  return { data: withProducts(snapshot, products), positions };
}

/** @param products in the same order, with the same slugs */
function withProducts(snapshot: CatalogueData, products: readonly CatalogueProduct[]): CatalogueData {
  const { byId, bySlug } = snapshot.positions;
  return { ...snapshot, products, productsById: lookup(products, byId), productsBySlug: lookup(products, bySlug) };
}

type StockAndSales = Partial<Pick<CatalogueProduct, 'soldUnits' | 'isSoldOut' | 'hasSoldOutVariant'>>;

/**
 * Returns the catalogue with new sales figures or stock.
 * @param changes by product id; other products stay as they are
 */
export function applyStockAndSales(
  snapshot: CatalogueData,
  changes: ReadonlyMap<string, StockAndSales>,
): CatalogueData {
  const products = [...snapshot.products];
  for (const [id, change] of changes) {
    const position = snapshot.positions.byId.get(id);
    const product = position === undefined ? undefined : products[position];
    if (position !== undefined && product) products[position] = { ...product, ...change };
  }
  return withProducts(snapshot, products);
}
