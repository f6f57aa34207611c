import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import type { RateState, RateSourceWithState } from '#src/platform/rates/rate-source.ts';
import { cents, centsPerBtc, convertCentsToSats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { buildCatalogueData, applySales } from './build-catalogue-data.ts';
import type { CatalogueCategory, CatalogueProduct, CatalogueData } from './build-catalogue-data.ts';
import { brand, category, filterOptions, product } from './contract.ts';
import type {
  Brand,
  Category,
  FilterOptions,
  Product,
  ProductCard,
  ProductDetail,
  productQuery,
  Suggestions,
} from './contract.ts';
import { toProductFilter } from './filters/filter-products.ts';
import { ProductSearch } from './search/product-search.ts';
import type { StockQuantity } from '#src/shop/inventory/reservation.ts';
import * as store from './store.ts';
import type { FormerProduct } from './store.ts';

/** A query as the contract decodes it. */
export type ProductQuery = z.output<typeof productQuery>;

const DEFAULT_LIMIT = 100;
const MAX_SUGGESTIONS = 4;
/** Maximum of products cached in API form, so that a crawler cannot fill the memory. */
const MAX_CACHED_ENCODINGS = 10_000;

export interface ProductList {
  readonly ok: true;
  /** One page, in API form. */
  readonly products: readonly Product[];
  /** Products that match the filter, on all pages. */
  readonly total: number;
}

/** Converts catalogue amounts to satoshis; null while no rate is available. */
type SatsConverter = (amount: Cents) => Sats | null;

const createConverter = (rate: CentsPerBtc | null): SatsConverter =>
  rate === null ? () => null : (amount) => convertCentsToSats(amount, rate);

function encodeProduct(source: CatalogueProduct, exchange: SatsConverter): Product {
  return z.encode(product, {
    id: source.id,
    name: source.name,
    slug: source.slug,
    article: source.article,
    category_id: source.category.id,
    brand_id: source.brand.id,
    base_price_in_usd: source.basePriceCents,
    base_price_in_btc: exchange(source.basePriceCents),
    sold_units: source.soldUnits,
    description: source.description,
    sub_description: source.subDescription,
    specifications: { ...source.specifications },
    images: [...source.images],
    main_image: source.mainImage,
    selected_property_values: source.offered.flatMap(({ values }) => values.map(({ id }) => id)),
    category_name: source.category.name,
  });
}

function encodeCategory(source: CatalogueCategory, exchange: SatsConverter): Category {
  return z.encode(category, {
    id: source.id,
    name: source.name,
    slug: source.slug,
    properties: source.properties.map(({ id, name, values }) => ({
      id,
      name,
      values: values.map((value) => ({
        id: value.id,
        value: value.value,
        price_in_usd_increase: value.increaseCents,
        price_in_btc_increase: exchange(value.increaseCents),
      })),
    })),
  });
}

/** Products and categories in API form at one rate. */
interface EncodingCache {
  readonly rate: CentsPerBtc | null;
  readonly products: Map<string, Product>;
  categories: readonly Category[] | undefined;
}

/** All published products, in memory: read from the database at startup and on `reload`. */
export class Catalogue {
  readonly #db: Db;
  readonly #rates: RateSourceWithState;
  #data: CatalogueData;
  #search: ProductSearch;
  #brands: readonly Brand[];
  #encodings: EncodingCache | undefined;
  #version = 1;
  readonly #soldProductIds = new Set<string>();
  #lastRead: Promise<void> = Promise.resolve();

  private constructor(db: Db, rates: RateSourceWithState, data: CatalogueData) {
    this.#db = db;
    this.#rates = rates;
    this.#data = data;
    this.#search = new ProductSearch(data.products, createFuzzyIndex);
    this.#brands = data.brands.map(({ id, name }) => z.encode(brand, { id, name }));
  }

  static async open(db: Db, rates: RateSourceWithState): Promise<Catalogue> {
    return new Catalogue(db, rates, buildCatalogueData(await store.loadCatalogue(db)));
  }

  /** Reads the catalogue again; readers see the old one until the new one is complete. */
  reload(): Promise<void> {
    return this.#serialize(async () => this.#replaceData(buildCatalogueData(await store.loadCatalogue(this.#db))));
  }

  // Serialized: a slow reload must not undo a later refresh of the sales.
  #serialize(read: () => Promise<void>): Promise<void> {
    const next = this.#lastRead.then(read);
    this.#lastRead = next.catch(() => {});
    return next;
  }

  #replaceData(snapshot: CatalogueData): void {
    this.#data = snapshot;
    this.#search = new ProductSearch(snapshot.products, createFuzzyIndex);
    this.#brands = snapshot.brands.map(({ id, name }) => z.encode(brand, { id, name }));
    this.#encodings = undefined;
    this.#version += 1;
  }

  /** Counts sold units in the caller's transaction; they show after `refreshSales`. Not idempotent. */
  async recordSale(tx: Db, sold: readonly StockQuantity[]): Promise<void> {
    await store.addSoldUnits(tx, sold);
    for (const { productId } of sold) this.#soldProductIds.add(productId);
  }

  /** Takes returned units off the units sold. Not idempotent. */
  async reverseSale(tx: Db, returned: readonly StockQuantity[]): Promise<void> {
    await store.subtractSoldUnits(tx, returned);
    for (const { productId } of returned) this.#soldProductIds.add(productId);
  }

  /** Names and pictures of those products that are not on sale. */
  async findFormerProducts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, FormerProduct>> {
    const former = ids.filter((id) => !this.#data.productsById.has(id));
    return former.length === 0 ? new Map() : store.findProducts(db, former);
  }

  /** Names of products, on sale or not, by id and in the order of the names. */
  async listNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return ids.length === 0 ? new Map() : store.listNames(db, ids);
  }

  /** Shows the sales since the last call. Call after the transactions of the sales are committed. */
  refreshSales(): Promise<void> {
    return this.#serialize(async () => {
      if (this.#soldProductIds.size === 0) return;
      const ids = [...this.#soldProductIds];
      this.#soldProductIds.clear();
      try {
        const soldUnits = await store.countSoldUnits(this.#db, ids);
        this.#data = applySales(this.#data, soldUnits);
        this.#search = new ProductSearch(this.#data.products, createFuzzyIndex, this.#search);
        for (const id of ids) this.#encodings?.products.delete(id);
        this.#version += 1;
      } catch (error) {
        for (const id of ids) this.#soldProductIds.add(id);
        throw error;
      }
    });
  }

  /** Increases when shown products change: with the rate it is the version of cached pages. */
  get version(): number {
    return this.#version;
  }

  /** US cents per bitcoin for displayed prices; null while no rate is available. */
  get rate(): CentsPerBtc | null {
    const rate = this.#rates.getCurrent();
    return rate === null ? null : centsPerBtc(rate.centsPerBtc);
  }

  /** The rate in cents per bitcoin, in the form of the contract. */
  getDisplayRate(): { readonly rate_usd: Cents | null; readonly state: RateState } {
    return { rate_usd: this.rate && cents(this.rate), state: this.#rates.getState() };
  }

  /** The linked catalogue, for rules of other slices. */
  get snapshot(): CatalogueData {
    return this.#data;
  }

  list(query: ProductQuery): ProductList | { readonly ok: false; readonly reason: 'price-bounds-crossed' } {
    const filter = toProductFilter(query, this.#data.propertyNames);
    if (!filter) return { ok: false, reason: 'price-bounds-crossed' };
    const { sort, offset = 0, limit = DEFAULT_LIMIT } = query;
    const page = this.#search.listPage(filter, { sort, offset, limit });
    return { ok: true, products: page.map((entry) => this.#encode(entry)), total: this.#search.countProducts(filter) };
  }

  /** The number of products per filter option, in API form; null for crossed price bounds. */
  countFilterOptions(query: ProductQuery): FilterOptions | null {
    const filter = toProductFilter(query, this.#data.propertyNames);
    if (!filter) return null;
    const { categories, brands } = this.#data;
    const counts = this.#search.countOptions(filter);
    const { prices } = counts;
    return z.encode(filterOptions, {
      total: this.#search.countProducts(filter),
      prices: prices && { minimum: prices.minimumCents, maximum: prices.maximumCents },
      categories: categories.map(({ id, slug, name }) => ({
        id,
        slug,
        name,
        count: counts.categories.get(id) ?? 0,
      })),
      brands: brands.map(({ id, slug, name }) => ({ id, slug, name, count: counts.brands.get(id) ?? 0 })),
      properties: categories.flatMap((entry) =>
        entry.properties.map(({ id, name, values }) => ({
          id,
          category_id: entry.id,
          name,
          values: values.map((of) => ({ id: of.id, value: of.value, count: counts.values.get(of.id) ?? 0 })),
        })),
      ),
    });
  }

  /** Suggestions for a search without results, in API form. */
  suggestProducts(text: string): Suggestions {
    const nearest = this.#search.findNearest(text, MAX_SUGGESTIONS);
    const ids = new Set(nearest.map(({ id }) => id));
    const popular = this.#search.listPage({}, { sort: 'best_sold', offset: 0, limit: MAX_SUGGESTIONS * 2 });
    const others = popular.filter(({ id }) => !ids.has(id)).slice(0, MAX_SUGGESTIONS);
    return {
      nearest: nearest.map((entry) => this.#encode(entry)),
      popular: others.map((entry) => this.#encode(entry)),
    };
  }

  /** A published product in API form, or null. */
  findBySlug(slug: string): ProductDetail | null {
    const found = this.#data.productsBySlug.get(slug);
    if (!found) return null;
    const value_images: Record<string, string[]> = {};
    for (const [valueId, images] of Object.entries(found.valueImages)) value_images[valueId] = [...images];
    return { ...this.#encode(found), value_images };
  }

  /** The published ones of these products, in the given order; in domain form, for carts and orders. */
  findByIds(ids: readonly string[]): readonly CatalogueProduct[] {
    return ids.flatMap((id) => this.#data.productsById.get(id) ?? []);
  }

  /** Product cards of the published ones of these products, without duplicates, in API form. */
  listCards(ids: readonly string[]): readonly ProductCard[] {
    return this.findByIds([...new Set(ids)]).map((entry) => {
      const { id, name, slug, sub_description, main_image, base_price_in_usd, base_price_in_btc } = this.#encode(entry);
      return { id, name, slug, sub_description, main_image, base_price_in_usd, base_price_in_btc };
    });
  }

  listCategories(): readonly Category[] {
    const encodings = this.#getEncodings();
    encodings.categories ??= this.#data.categories.map((entry) =>
      encodeCategory(entry, createConverter(encodings.rate)),
    );
    return encodings.categories;
  }

  listBrands(): readonly Brand[] {
    return this.#brands;
  }

  // Encoding validates every field, so results are cached per product and rate.
  #encode(entry: CatalogueProduct): Product {
    const encodings = this.#getEncodings();
    const cached = encodings.products.get(entry.id);
    if (cached) return cached;
    const encoded = encodeProduct(entry, createConverter(encodings.rate));
    const [oldest] = encodings.products.keys();
    if (encodings.products.size >= MAX_CACHED_ENCODINGS && oldest !== undefined) encodings.products.delete(oldest);
    encodings.products.set(entry.id, encoded);
    return encoded;
  }

  #getEncodings(): EncodingCache {
    const { rate } = this;
    if (this.#encodings?.rate !== rate || !this.#encodings) {
      this.#encodings = { rate, products: new Map(), categories: undefined };
    }
    return this.#encodings;
  }
}
