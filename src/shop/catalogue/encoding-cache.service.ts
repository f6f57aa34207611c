import type { CentsPerBtc } from '#src/shop/money.ts';
import type { CatalogueCategory, CatalogueProduct } from './build-catalogue-data.ts';
import type { Category, ListedProduct, Product } from './contract.ts';
import type { ProductFilter } from './filters/filter-products.ts';
import type { ShownVariants } from './shown-variants.service.ts';
import { createConverter, encodeCategory, encodeProduct } from './encoding.service.ts';

/** A page of a list, in API form. */
export type ProductList =
  | {
      readonly ok: true;
      readonly products: readonly ListedProduct[];
      /** Products that match the filter, on all pages. */
      readonly total: number;
    }
  | { readonly ok: false; readonly reason: 'price-bounds-crossed' };

/** Maximum of cached products, so that a crawler cannot fill the memory. */
const MAX_PRODUCTS = 10_000;

/** Products and categories in API form at one rate. Encoding validates every field, which takes long. */
export class EncodingCache {
  readonly #products = new Map<string, Product>();
  readonly #shownVariants: ShownVariants;
  #rate: CentsPerBtc | null = null;
  #categories: readonly Category[] | undefined;

  constructor(shownVariants: ShownVariants) {
    this.#shownVariants = shownVariants;
  }

  /** Products of a list, with the variant that each card means under the filter. */
  encodeList(
    page: readonly CatalogueProduct[],
    filter: ProductFilter,
    rate: CentsPerBtc | null,
  ): Promise<readonly ListedProduct[]> {
    return this.#shownVariants.addMatching(this.#encodeAll(page, rate), filter, rate);
  }

  /** Products for cards; with SKUs, one for each of these variants. */
  encodeCards(
    products: readonly CatalogueProduct[],
    skus: readonly string[],
    rate: CentsPerBtc | null,
  ): Promise<readonly ListedProduct[]> {
    if (skus.length === 0) return this.encodeList(products, {}, rate);
    return this.#shownVariants.listVariants(this.#encodeAll(products, rate), skus, rate);
  }

  #encodeAll(products: readonly CatalogueProduct[], rate: CentsPerBtc | null) {
    return products.map((entry) => ({ entry, encoded: this.encodeProduct(entry, rate) }));
  }

  encodeProduct(source: CatalogueProduct, rate: CentsPerBtc | null): Product {
    this.#keepRate(rate);
    const cached = this.#products.get(source.id);
    if (cached) return cached;
    const encoded = encodeProduct(source, rate);
    const [oldest] = this.#products.keys();
    if (this.#products.size >= MAX_PRODUCTS && oldest !== undefined) this.#products.delete(oldest);
    this.#products.set(source.id, encoded);
    return encoded;
  }

  encodeCategories(categories: readonly CatalogueCategory[], rate: CentsPerBtc | null): readonly Category[] {
    this.#keepRate(rate);
    this.#categories ??= categories.map((entry) => encodeCategory(entry, createConverter(rate)));
    return this.#categories;
  }

  /** Call for every product that changes, or whose stock does. */
  deleteProducts(ids: Iterable<string>): void {
    const changed = [...ids];
    for (const id of changed) this.#products.delete(id);
    this.#shownVariants.deleteProducts(changed);
  }

  clear(): void {
    this.#products.clear();
    this.#categories = undefined;
    this.#shownVariants.clear();
  }

  #keepRate(rate: CentsPerBtc | null): void {
    if (this.#rate !== rate) this.clear();
    this.#rate = rate;
  }
}
