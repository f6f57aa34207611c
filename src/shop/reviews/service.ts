import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Catalogue } from '../catalogue/service.ts';
import { review } from './contract.ts';
import type { Review } from './contract.ts';
import { loadApprovedReviews } from './store.ts';

/** What customers say, as far as staff approved it; held in memory: read from the database once and again on `reload`. */
export class Reviews {
  readonly #db: Db;
  readonly #catalogue: Catalogue;
  /** By product id; those of the shop under null. */
  #shown: ReadonlyMap<string | null, readonly Review[]> = new Map();
  #version = 0;

  private constructor(db: Db, catalogue: Catalogue) {
    this.#db = db;
    this.#catalogue = catalogue;
  }

  static async open(db: Db, catalogue: Catalogue): Promise<Reviews> {
    const reviews = new Reviews(db, catalogue);
    await reviews.reload();
    return reviews;
  }

  async reload(): Promise<void> {
    const shown = new Map<string | null, Review[]>();
    for (const { productId, id, name, text, rating, created } of await loadApprovedReviews(this.#db)) {
      const wire = z.encode(review, { id, name, text, rating, created });
      const list = shown.get(productId);
      if (list) list.push(wire);
      else shown.set(productId, [wire]);
    }
    this.#shown = shown;
    this.#version += 1;
  }

  /** Differs whenever an answer may: after a reload, or when other products are on sale. */
  get version(): string {
    return `${this.#version} ${this.#catalogue.version}`;
  }

  /** Of the shop, newest first, in wire form. */
  ofShop(): readonly Review[] {
    return this.#shown.get(null) ?? [];
  }

  /** Of a product on sale, newest first, in wire form; null when there is no such product. */
  ofProduct(idOrSlug: string): readonly Review[] | null {
    const { productsById, productsBySlug } = this.#catalogue.snapshot;
    const product = productsById.get(idOrSlug) ?? productsBySlug.get(idOrSlug);
    return product ? (this.#shown.get(product.id) ?? []) : null;
  }
}
