import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import type { RateState, RateSourceWithState } from '#src/platform/rates/rate-source.ts';
import { cents, centsPerBtc, satsFromCents } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { buildCatalogueData, withSales } from './build-catalogue-data.ts';
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
import { groupValues, toPriceBounds } from './filters/filter-products.ts';
import type { ProductFilter } from './filters/filter-products.ts';
import { ProductSearch } from './search/product-search.ts';
import type { ReservationResult, ReservationRequest } from '#src/shop/inventory/reservation.ts';
import * as store from './store.ts';
import type { FormerProduct, StockQuantity } from './store.ts';
import type { Shortage } from '#src/shop/inventory/format-shortage.ts';

/** A query as the contract decodes it. */
export type ProductQuery = z.output<typeof productQuery>;

const DEFAULT_LIMIT = 100;
/** How many products of each kind are suggested. */
const MAX_SUGGESTIONS = 4;
/** How many products are kept in wire form; at most as many as a crawler would otherwise leave behind. */
const MAX_CACHED_ENCODINGS = 10_000;

export interface ProductList {
  readonly ok: true;
  /** One page, in wire form. */
  readonly products: readonly Product[];
  /** How many pass the filter on all pages. */
  readonly total: number;
}

/** Amounts of the catalogue in satoshis; null while no rate may be used. */
type SatsConverter = (amount: Cents) => Sats | null;

const createConverter = (rate: CentsPerBtc | null): SatsConverter =>
  rate === null ? () => null : (amount) => satsFromCents(amount, rate);

function encodeProduct(one: CatalogueProduct, exchange: SatsConverter): Product {
  return z.encode(product, {
    id: one.id,
    name: one.name,
    slug: one.slug,
    article: one.article,
    category_id: one.category.id,
    brand_id: one.brand.id,
    base_price_in_usd: one.basePriceCents,
    base_price_in_btc: exchange(one.basePriceCents),
    sold_units: one.soldUnits,
    description: one.description,
    sub_description: one.subDescription,
    specifications: { ...one.specifications },
    images: [...one.images],
    main_image: one.mainImage,
    selected_property_values: one.offered.flatMap(({ values }) => values.map(({ id }) => id)),
    category_name: one.category.name,
  });
}

function encodeCategory(one: CatalogueCategory, exchange: SatsConverter): Category {
  return z.encode(category, {
    id: one.id,
    name: one.name,
    slug: one.slug,
    properties: one.properties.map(({ id, name, values }) => ({
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

const toList = (named: string | readonly string[] | undefined): readonly string[] =>
  typeof named === 'string' ? [named] : (named ?? []);

/** What has been put into wire form at one rate. */
interface EncodingCache {
  readonly rate: CentsPerBtc | null;
  readonly products: Map<string, Product>;
  categories: readonly Category[] | undefined;
}

/** Everything on sale, held in memory: read from the database once and again on `reload`. */
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

  /** Reads the catalogue anew; readers see the old one until the new one is complete. */
  reload(): Promise<void> {
    return this.#serialize(async () => this.#replaceData(buildCatalogueData(await store.loadCatalogue(this.#db))));
  }

  // One after the other: a slow reload never takes back what a sale after it has shown.
  #serialize(read: () => Promise<void>): Promise<void> {
    const turn = this.#lastRead.then(read);
    this.#lastRead = turn.catch(() => {});
    return turn;
  }

  #replaceData(snapshot: CatalogueData): void {
    this.#data = snapshot;
    this.#search = new ProductSearch(snapshot.products, createFuzzyIndex);
    this.#brands = snapshot.brands.map(({ id, name }) => z.encode(brand, { id, name }));
    this.#encodings = undefined;
    this.#version += 1;
  }

  /** Counts sold units in the caller's transaction; they show after `refreshSales`. */
  async recordSale(tx: Db, sold: readonly StockQuantity[]): Promise<void> {
    await store.addSoldUnits(tx, sold);
    for (const { productId } of sold) this.#soldProductIds.add(productId);
  }

  /**
   * Holds the units of an order's lines back, in the caller's transaction: all of them, or none where the answer names
   * what there is too little of. Products without stock of their own are never short.
   */
  async reserveStockUncapped(tx: Db, orderId: string, lines: readonly StockQuantity[]): Promise<readonly Shortage[]> {
    return lines.length === 0 ? [] : store.reserveUncapped(tx, orderId, lines);
  }

  /** Reserves the units of an order within the caps, in the caller's transaction: all of them, or none and why. */
  async reserveStock(tx: Db, request: ReservationRequest): Promise<ReservationResult> {
    return request.lines.length === 0 ? { ok: true, isScarce: false } : store.reserve(tx, request);
  }

  /** Most of the amount of these orders was seen: their reservations last as long as they are open. */
  async secureStock(tx: Db, orderIds: readonly string[]): Promise<void> {
    await store.secureReservations(tx, orderIds);
  }

  /** Whether stock is reserved for an order. */
  hasReservation(tx: Db, orderId: string): Promise<boolean> {
    return store.hasReservation(tx, orderId);
  }

  /** Gives back what orders hold: once, however often it is asked. */
  async releaseStock(tx: Db, orderIds: readonly string[]): Promise<void> {
    const units = await store.deleteReservations(tx, orderIds);
    if (units.length > 0) await store.addAvailable(tx, units);
  }

  /** What was sold is for sale again; that it is so once is the caller's. */
  async restock(tx: Db, sold: readonly StockQuantity[]): Promise<void> {
    await store.addAvailable(tx, sold);
    await store.subtractSoldUnits(tx, sold);
    for (const { productId } of sold) this.#soldProductIds.add(productId);
  }

  /** What orders hold is theirs for good. */
  async commitReservation(tx: Db, orderIds: readonly string[]): Promise<void> {
    await store.deleteReservations(tx, orderIds);
  }

  /** How many are left of those of the products whose number is limited, now and without holding them. */
  async countAvailable(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return ids.length === 0 ? new Map() : store.countAvailable(db, ids);
  }

  /** What is known of those of the products that are not on sale. */
  async findFormerProducts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, FormerProduct>> {
    const former = ids.filter((id) => !this.#data.productsById.has(id));
    return former.length === 0 ? new Map() : store.findProducts(db, former);
  }

  /** Shows what was sold since; to be called when the transactions that sold are over. */
  refreshSales(): Promise<void> {
    return this.#serialize(async () => {
      if (this.#soldProductIds.size === 0) return;
      const ids = [...this.#soldProductIds];
      this.#soldProductIds.clear();
      try {
        const units = await store.countSoldUnits(this.#db, ids);
        this.#data = withSales(this.#data, units);
        this.#search = new ProductSearch(this.#data.products, createFuzzyIndex, this.#search);
        for (const id of ids) this.#encodings?.products.delete(id);
        this.#version += 1;
      } catch (error) {
        for (const id of ids) this.#soldProductIds.add(id);
        throw error;
      }
    });
  }

  /** Rises with every reload: with the rate it tells whether a page that was kept still shows what is on sale. */
  get version(): number {
    return this.#version;
  }

  /** US cents for one bitcoin at which prices are shown now; null while there is no rate that may be used. */
  get rate(): CentsPerBtc | null {
    const rate = this.#rates.current();
    return rate === null ? null : centsPerBtc(rate.centsPerBtc);
  }

  /** As the contract takes it: in cents for a bitcoin. */
  getDisplayRate(): { readonly rate_usd: Cents | null; readonly state: RateState } {
    return { rate_usd: this.rate && cents(this.rate), state: this.#rates.state() };
  }

  /** The linked catalogue, for rules of other slices. */
  get snapshot(): CatalogueData {
    return this.#data;
  }

  list(query: ProductQuery): ProductList | { readonly ok: false; readonly reason: 'price-bounds-crossed' } {
    const filter = this.#filterOf(query);
    if (!filter) return { ok: false, reason: 'price-bounds-crossed' };
    const { sort, offset = 0, limit = DEFAULT_LIMIT } = query;
    const page = this.#search.listPage(filter, { sort, offset, limit });
    return { ok: true, products: page.map((one) => this.#encoded(one)), total: this.#search.countProducts(filter) };
  }

  /** How many products each option of a filter panel would leave, in wire form; null for crossed price bounds. */
  countFilterOptions(query: ProductQuery): FilterOptions | null {
    const filter = this.#filterOf(query);
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
      properties: categories.flatMap((one) =>
        one.properties.map(({ id, name, values }) => ({
          id,
          category_id: one.id,
          name,
          values: values.map((of) => ({ id: of.id, value: of.value, count: counts.values.get(of.id) ?? 0 })),
        })),
      ),
    });
  }

  /** What to offer where a search for the text found nothing, in wire form. */
  suggestProducts(text: string): Suggestions {
    const nearest = this.#search.findNearest(text, MAX_SUGGESTIONS);
    const ids = new Set(nearest.map(({ id }) => id));
    const popular = this.#search.listPage({}, { sort: 'best_sold', offset: 0, limit: MAX_SUGGESTIONS * 2 });
    const others = popular.filter(({ id }) => !ids.has(id)).slice(0, MAX_SUGGESTIONS);
    return {
      nearest: nearest.map((one) => this.#encoded(one)),
      popular: others.map((one) => this.#encoded(one)),
    };
  }

  /** A product on sale in wire form, or null. */
  findBySlug(slug: string): ProductDetail | null {
    const found = this.#data.productsBySlug.get(slug);
    if (!found) return null;
    const value_images: Record<string, string[]> = {};
    for (const [valueId, images] of Object.entries(found.valueImages)) value_images[valueId] = [...images];
    return { ...this.#encoded(found), value_images };
  }

  /** Those of the products that are on sale, in the order asked for; in domain form, for carts and orders. */
  findByIds(ids: readonly string[]): readonly CatalogueProduct[] {
    return ids.flatMap((id) => this.#data.productsById.get(id) ?? []);
  }

  /** What a card shows of those of the products that are on sale, each once, in wire form. */
  listCards(ids: readonly string[]): readonly ProductCard[] {
    return this.findByIds([...new Set(ids)]).map((one) => {
      const { id, name, slug, sub_description, main_image, base_price_in_usd, base_price_in_btc } = this.#encoded(one);
      return { id, name, slug, sub_description, main_image, base_price_in_usd, base_price_in_btc };
    });
  }

  categories(): readonly Category[] {
    const encodings = this.#currentEncodings();
    encodings.categories ??= this.#data.categories.map((one) => encodeCategory(one, createConverter(encodings.rate)));
    return encodings.categories;
  }

  brands(): readonly Brand[] {
    return this.#brands;
  }

  #filterOf(query: ProductQuery): ProductFilter | null {
    const prices = toPriceBounds(query.price_min, query.price_max);
    if (!prices.ok) return null;
    return {
      ...prices.bounds,
      ...(query.q === undefined ? {} : { text: query.q }),
      categories: toList(query.category),
      brands: toList(query.brand),
      values: groupValues(query.values?.split(',') ?? [], this.#data.propertyNames),
    };
  }

  // Encoding validates every field: it is done once for a product and a rate, not once for a request.
  #encoded(one: CatalogueProduct): Product {
    const encodings = this.#currentEncodings();
    const known = encodings.products.get(one.id);
    if (known) return known;
    const made = encodeProduct(one, createConverter(encodings.rate));
    const [oldest] = encodings.products.keys();
    if (encodings.products.size >= MAX_CACHED_ENCODINGS && oldest !== undefined) encodings.products.delete(oldest);
    encodings.products.set(one.id, made);
    return made;
  }

  #currentEncodings(): EncodingCache {
    const { rate } = this;
    if (this.#encodings?.rate !== rate || !this.#encodings) {
      this.#encodings = { rate, products: new Map(), categories: undefined };
    }
    return this.#encodings;
  }
}
