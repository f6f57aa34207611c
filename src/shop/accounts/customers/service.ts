/** Customers as staff see them. */
import { toRowRange } from '#src/shop/list-pages.ts';
import { foldText } from '#src/shop/fold-text.ts';
import type { Db } from '#src/platform/database/database.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import * as store from './store.ts';
import type { CustomerFilter } from './store.ts';

export interface CustomersOptions {
  readonly db: Db;
  /** Order numbers that a text may mean. */
  readonly findOrderNumbers: (text: string) => readonly string[];
}

export class Customers {
  readonly #options: CustomersOptions;

  constructor(options: CustomersOptions) {
    this.#options = options;
  }

  async list({ q: typed, show, sort }: Pick<CustomerFilter, 'q' | 'show' | 'sort'>, page: number) {
    const { db, findOrderNumbers } = this.#options;
    const q = typed.trim();
    // Names are compared as they are stored: normalised, in lower case.
    const key = foldText(normaliseName(q) ?? q);
    const filter = { q, key, orderNumbers: findOrderNumbers(q), show, sort };
    const place = toRowRange(page);
    const { rows, total, hasMore } = await store.listCustomers(db, filter, place);
    return { customers: rows, total, has_more: hasMore, page };
  }

  /** Null for an unknown or deleted account, and for one of the team. */
  find(id: string): Promise<store.CustomerDetails | null> {
    return store.findCustomer(this.#options.db, id);
  }
}
