import type { Db } from '#src/platform/database/database.ts';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { RateState, RateSourceWithState } from '#src/platform/rates/rate-source.ts';
import { cents, centsPerBtc } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc } from '#src/shop/money.ts';
import type { RevisionedData } from '#src/platform/database/revisions.ts';
import {
  applyDueSalePrices,
  applyProductChanges,
  applyStockAndSales,
  buildCatalogueData,
  keepOffers,
  linkCheckoutProducts,
  linkProducts,
} from './build-catalogue-data.ts';
import type { CatalogueProduct, CatalogueData, ChangedCatalogue, ProductRow } from './build-catalogue-data.ts';
import { lockUnchanged, readProductsOnSale } from './checkout-products.store.ts';
import type { ProductIds, ProductOnSale, ProductRevision } from './checkout-products.store.ts';
import { EncodingCache } from './encoding-cache.service.ts';
import type { ProductList } from './encoding-cache.service.ts';
import { encodeBrand, encodeDetail, encodeFilterOptions, encodeProduct, toProductCard } from './encoding.service.ts';
import type * as api from './contract.ts';
import { EnergyLabels } from './energy-labels.service.ts';
import type { FeedVariant } from './feed-variant.ts';
import { toProductFilter } from './filters/filter-products.ts';
import { readDetail } from './product-detail.store.ts';
import type { ShownDetail } from './product-detail.store.ts';
import { findStartingPrice } from './products/lowest-price.ts';
import type { StartingPrice } from './products/lowest-price.ts';
import { applySalePrices } from './sale-prices/present-prices.ts';
import type { SteadyTime } from './sale-prices/present-prices.ts';
import { ProductSearch } from './search/product-search.ts';
import { addShownVariant, ShownVariants } from './shown-variants.service.ts';
import * as store from './store.ts';
import type { CatalogueChanges, FormerProduct, ProductQuantity } from './store.ts';
import * as variants from './variants.store.ts';
import type { DescribedVariant, SellableVariant, VariantRequests } from './variants.store.ts';

export type { ProductOnSale, ProductRevision } from './checkout-products.store.ts';
export type { SellableVariant } from './variants.store.ts';

const DEFAULT_LIMIT = 100;
const MAX_SUGGESTIONS = 4;
const KEPT_SALE_CHANGES_MS = 24 * 60 * 60 * 1000;

/** How long the sales of other processes may be missing: only the order of bestsellers depends on them. */
export const SALES_REFRESH_MS = 5000;

interface Sources {
  readonly db: Db;
  readonly rates: RateSourceWithState;
  readonly clock: Clock;
  readonly energyLabels: EnergyLabels;
}

/**
 * All published products, in memory: read from the database at startup, and again when they change.
 * Sale prices start and end by the clock: every read first applies those that are due.
 */
export class Catalogue implements RevisionedData {
  readonly topic = store.CATALOGUE_TOPIC;
  readonly #sources: Sources;
  #revisions: store.CatalogueRevisions;
  #stored: CatalogueData;
  /** While the clock is within it, the prices in memory are those in force. */
  #steadyTime: SteadyTime = { from: -Infinity, until: Infinity };
  #search: ProductSearch;
  #brands: readonly api.Brand[];
  readonly #encodings: EncodingCache;
  #version = 1;
  #salesSince: string;
  #lastRead: Promise<void> = Promise.resolve();

  private constructor(sources: Sources, loaded: CatalogueChanges & { readonly isWhole: true }) {
    this.#sources = sources;
    this.#encodings = new EncodingCache(new ShownVariants(sources.db));
    const { data } = this.#applySalePrices(buildCatalogueData(loaded.rows));
    this.#revisions = loaded.revisions;
    this.#salesSince = loaded.salesSince;
    this.#stored = data;
    this.#search = new ProductSearch(data.products, createFuzzyIndex);
    this.#brands = data.brands.map(encodeBrand);
  }

  static async open(
    db: Db,
    rates: RateSourceWithState,
    clock: Clock = { now: () => new Date() },
    energyLabels = new EnergyLabels(() => true),
  ): Promise<Catalogue> {
    const loaded = energyLabels.showAll(await store.loadCatalogue(db, null, clock.now()));
    if (!loaded.isWhole) throw new Error('the whole catalogue was not read');
    return new Catalogue({ db, rates, clock, energyLabels }, loaded);
  }

  get revision(): bigint {
    return this.#revisions.catalogue;
  }

  /** Reads what has changed; readers see the old catalogue until the new one is complete. */
  refresh(): Promise<void> {
    return this.#serialize(async () =>
      this.#apply(await store.loadCatalogue(this.#sources.db, this.#revisions, this.#sources.clock.now())),
    );
  }

  /** Reads the whole catalogue again, changes without a revision included. */
  reload(): Promise<void> {
    return this.#serialize(async () =>
      this.#apply(await store.loadCatalogue(this.#sources.db, null, this.#sources.clock.now())),
    );
  }

  #apply(read: CatalogueChanges): void {
    const loaded = this.#sources.energyLabels.showAll(read);
    if (loaded.isWhole) {
      this.#replaceData(buildCatalogueData(loaded.rows), null);
      this.#salesSince = loaded.salesSince;
    } else {
      const changed = keepOffers(linkProducts(loaded.changed, this.#stored), this.#stored);
      const { data, positions } = applyProductChanges(this.#stored, changed, loaded.removedIds);
      this.#replaceData(data, positions);
    }
    this.#revisions = loaded.revisions;
  }

  /** Shows or hides energy labels after a change of the setting. */
  async refreshEnergyLabels(): Promise<void> {
    if (this.#sources.energyLabels.isOutdated) await this.reload();
  }

  /** The catalogue at the prices in force. */
  get #data(): CatalogueData {
    this.#keepPresent();
    return this.#stored;
  }

  #keepPresent(): void {
    const now = this.#sources.clock.now().getTime();
    if (now < this.#steadyTime.from || now >= this.#steadyTime.until) this.#replaceData(this.#stored, []);
  }

  #applySalePrices(loaded: CatalogueData): ChangedCatalogue {
    const { steadyTime, ...changed } = applyDueSalePrices(loaded, this.#sources.clock.now());
    this.#steadyTime = steadyTime;
    return changed;
  }

  /**
   * Those of these products that are on sale at this moment according to the database, by id, at the
   * prices in force: for a checkout, which relies on nothing in memory but the names of properties.
   */
  async readOnSale(tx: Db, ids: ProductIds, now: Date): Promise<ReadonlyMap<string, ProductOnSale>> {
    const products = linkCheckoutProducts(await readProductsOnSale(tx, ids, now), this.#stored);
    return new Map(products.map((entry) => [entry.id, applySalePrices(entry, now)]));
  }

  /**
   * Locks products against changes until the transaction ends; call at the end, since edits wait. False if
   * one changed since it was read by `readOnSale`, or is being changed.
   */
  lockUnchanged(tx: Db, read: readonly ProductRevision[]): Promise<boolean> {
    return lockUnchanged(tx, read);
  }

  // Serialized: a slow reload must not undo a later refresh of the sales.
  #serialize(read: () => Promise<void>): Promise<void> {
    const next = this.#lastRead.then(read);
    this.#lastRead = next.catch(() => {});
    return next;
  }

  /** @param changed positions of the changed products; null if the list of products changed */
  #replaceData(loaded: CatalogueData, changed: readonly number[] | null): void {
    const { data: snapshot, positions: due } = this.#applySalePrices(loaded);
    const positions = changed === null || due === null ? null : [...new Set([...changed, ...due])];
    const before = positions === null ? undefined : this.#search;
    this.#stored = snapshot;
    this.#search = new ProductSearch(snapshot.products, createFuzzyIndex, before, positions ?? []);
    this.#brands = snapshot.brands.map(encodeBrand);
    if (positions === null) this.#encodings.clear();
    else this.#encodings.deleteProducts(positions.map((at) => snapshot.products[at]?.id ?? ''));
    this.#version += 1;
  }

  /** Counts sold units in the caller's transaction; they show after `refreshSales`. Not idempotent. */
  async recordSale(tx: Db, sold: readonly ProductQuantity[]): Promise<void> {
    await store.addSoldUnits(tx, sold);
  }

  /** Takes returned units off the units sold. Not idempotent. */
  async reverseSale(tx: Db, returned: readonly ProductQuantity[]): Promise<void> {
    await store.subtractSoldUnits(tx, returned);
  }

  /** Names and pictures of products, on sale or not. */
  async findFormerProducts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, FormerProduct>> {
    return ids.length === 0 ? new Map() : store.findProducts(db, ids);
  }

  /** Whether anything on sale is in stock, or is explicitly not tracked. */
  hasOrderableVariant(db: Db): Promise<boolean> {
    return variants.hasOrderableVariant(db);
  }

  /** The published ones of these variants, with their stock, according to the database. */
  async findVariants(db: Db, requests: VariantRequests): Promise<readonly SellableVariant[]> {
    return 'length' in requests && requests.length === 0 ? [] : variants.findSellableVariants(db, requests);
  }

  /** Names of variants with their values, on sale or not, by id and in the order of the names. */
  async listVariantNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return ids.length === 0 ? new Map() : variants.listVariantNames(db, ids);
  }

  /** Names, SKUs and product pages of variants, on sale or not, by id. */
  async describeVariants(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, DescribedVariant>> {
    return ids.length === 0 ? new Map() : variants.describeVariants(db, ids);
  }

  /** The published variants of products, by product id. Stock is read from the database. */
  listFeedVariants(ids: readonly string[]): Promise<ReadonlyMap<string, readonly FeedVariant[]>> {
    return variants.listFeedVariants(this.#sources.db, ids);
  }

  /** Shows the sales of all processes that were committed before the call. Called regularly. */
  refreshSales(): Promise<void> {
    return this.#serialize(async () => {
      const { next, soldUnits } = await store.readSales(this.#sources.db, this.#salesSince);
      this.#salesSince = next;
      const { productsById } = this.#data;
      const isShown = ([id, units]: readonly [string, number]): boolean =>
        (productsById.get(id)?.soldUnits ?? units) === units;
      const changed = [...soldUnits].filter((sold) => !isShown(sold));
      this.#applyStockAndSales(new Map(changed.map(([id, units]) => [id, { soldUnits: units }])));
    });
  }

  /** Deletes records of sales that every process has read. Runs hourly. */
  deleteOldSaleChanges(now: Date): Promise<void> {
    return store.deleteSaleChanges(this.#sources.db, new Date(now.getTime() - KEPT_SALE_CHANGES_MS));
  }

  /** Shows which products of these variants are sold out now, or can be ordered again. */
  refreshStock(variantIds: readonly string[]): Promise<void> {
    return this.#serialize(async () => {
      const { productsById } = this.#data;
      const soldOut = await store.readSoldOut(this.#sources.db, variantIds);
      this.#encodings.deleteProducts(soldOut.keys());
      const read = [...soldOut].filter(([id, { isSoldOut, hasSoldOutVariant }]) => {
        const shown = productsById.get(id);
        return shown && (shown.isSoldOut !== isSoldOut || shown.hasSoldOutVariant !== hasSoldOutVariant);
      });
      this.#applyStockAndSales(new Map(read));
    });
  }

  #applyStockAndSales(changes: Parameters<typeof applyStockAndSales>[1]): void {
    if (changes.size === 0) return;
    this.#stored = applyStockAndSales(this.#data, changes);
    this.#search = new ProductSearch(this.#stored.products, createFuzzyIndex, this.#search);
    this.#encodings.deleteProducts(changes.keys());
    this.#version += 1;
  }

  /** Increases when shown products change: with the rate it is the version of cached pages. */
  get version(): number {
    this.#keepPresent();
    return this.#version;
  }

  /** When the last sale price started or ended, in ms since 1970: prices change then without a revision. */
  get pricesSince(): number {
    this.#keepPresent();
    return this.#steadyTime.from;
  }

  /** US cents per bitcoin for displayed prices; null while no rate is available. */
  get rate(): CentsPerBtc | null {
    const rate = this.#sources.rates.getCurrent();
    return rate === null ? null : centsPerBtc(rate.centsPerBtc);
  }

  /** The rate in cents per bitcoin, in the form of the contract. */
  getDisplayRate(): {
    readonly rate_usd: Cents | null;
    readonly state: RateState;
    readonly updated_at: Date | null;
  } {
    const { rates } = this.#sources;
    const updatedAt = rates.isConstant === true ? null : (rates.getCurrent()?.at ?? null);
    return { rate_usd: this.rate && cents(this.rate), state: rates.getState(), updated_at: updatedAt };
  }

  /** The linked catalogue, for rules of other slices. */
  get snapshot(): CatalogueData {
    return this.#data;
  }

  /** With the variant that each card means, whose SKU and stock are read from the database. */
  async list(query: api.ProductQuery): Promise<ProductList> {
    const filter = toProductFilter(query, this.#data.propertyNames);
    if (!filter) return { ok: false, reason: 'price-bounds-crossed' };
    const { sort, offset = 0, limit = DEFAULT_LIMIT } = query;
    const page = this.#search.listPage(filter, { sort, offset, limit });
    const total = this.#search.countProducts(filter);
    return { ok: true, products: await this.#encodings.encodeList(page, filter, this.rate), total };
  }

  /** The number of products per filter option, in API form; null for crossed price bounds. */
  countFilterOptions(query: api.ProductQuery): api.FilterOptions | null {
    const filter = toProductFilter(query, this.#data.propertyNames);
    if (!filter) return null;
    return encodeFilterOptions(this.#data, this.#search.countOptions(filter), this.#search.countProducts(filter));
  }

  /** Suggestions for a search without results, in API form. */
  async suggestProducts(text: string): Promise<api.Suggestions> {
    this.#keepPresent();
    const nearest = this.#search.findNearest(text, MAX_SUGGESTIONS);
    const ids = new Set(nearest.map(({ id }) => id));
    const popular = this.#search.listPage({}, { sort: 'best_sold', offset: 0, limit: MAX_SUGGESTIONS * 2 });
    const others = popular.filter(({ id }) => !ids.has(id)).slice(0, MAX_SUGGESTIONS);
    const encoded = await this.#encodings.encodeList([...nearest, ...others], {}, this.rate);
    return { nearest: encoded.slice(0, nearest.length), popular: encoded.slice(nearest.length) };
  }

  /** A published product with its variants in API form, or null. Stock is read from the database. */
  async findDetail(slug: string): Promise<api.ProductDetail | null> {
    const found = this.#data.productsBySlug.get(slug);
    return found ? this.#describe(found.id) : null;
  }

  /** A product that may not be on sale, in API form; null if its category or brand is not known. */
  preview(row: ProductRow, shown: ShownDetail): api.ProductDetail | null {
    const [linked] = linkProducts([this.#sources.energyLabels.show(row)], this.#stored);
    if (linked === undefined) return null;
    const priced = applySalePrices(linked, this.#sources.clock.now());
    return { ...encodeProduct(priced, this.rate), ...encodeDetail(priced, shown, this.rate) };
  }

  /** A product on sale that once had this slug; null if there is none. */
  async findByFormerSlug(slug: string): Promise<api.ProductDetail | null> {
    const id = await store.findFormerSlug(this.#sources.db, slug);
    return id === null || !this.#data.productsById.has(id) ? null : this.#describe(id);
  }

  async #describe(id: string): Promise<api.ProductDetail | null> {
    const shown = await readDetail(this.#sources.db, id);
    // Found after the wait, in which its prices may have changed.
    const found = this.#data.productsById.get(id);
    if (!found) return null;
    const listed = { entry: found, encoded: this.#encodings.encodeProduct(found, this.rate) };
    const encoded = addShownVariant(listed, shown.variants, this.rate);
    return { ...encoded, ...encodeDetail(found, shown, this.rate) };
  }

  /** A category by its slug, or by one that it once had; null if there is none. */
  async findCategory(slug: string): Promise<api.Category | null> {
    const categories = this.listCategories();
    const found = categories.find((entry) => entry.slug === slug);
    if (found) return found;
    const id = await store.findFormerCategorySlug(this.#sources.db, slug);
    return categories.find((entry) => entry.id === id) ?? null;
  }

  /**
   * The published ones of these products, in the given order; in domain form, for carts and orders.
   * @param at moment of the prices; default: now
   */
  findByIds(ids: readonly string[], at: Date = this.#sources.clock.now()): readonly CatalogueProduct[] {
    return ids.flatMap((id) => {
      const found = this.#stored.productsById.get(id);
      return found === undefined ? [] : applySalePrices(found, at);
    });
  }

  /** Product cards of the published ones of these products, or of these of their variants, in API form. */
  async listCards(ids: readonly string[], skus: readonly string[] = []): Promise<readonly api.ProductCard[]> {
    const { productsById } = this.#data;
    const found = [...new Set(ids)].flatMap((wanted) => productsById.get(wanted) ?? []);
    return (await this.#encodings.encodeCards(found, skus, this.rate)).map(toProductCard);
  }

  /** The lowest price of a product on sale, or of all for an unknown slug. Null without products. */
  findStartingPrice(slug: string): StartingPrice | null {
    const { productsBySlug, products } = this.#data;
    return findStartingPrice([productsBySlug.get(slug) ?? products].flat(), this.rate);
  }

  listCategories(): readonly api.Category[] {
    return this.#encodings.encodeCategories(this.#data.categories, this.rate);
  }

  listBrands(): readonly api.Brand[] {
    return this.#brands;
  }
}
