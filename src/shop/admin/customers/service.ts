/** Customers as staff see them. */
import { toRowRange } from '#src/shop/list-pages.ts';
import { foldText } from '#src/shop/fold-text.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import { normaliseName } from '#src/shop/accounts/registration/normalise-name.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import * as store from './store.ts';
import type { CustomerFilter } from './store.ts';

export interface CustomersAdminOptions {
  readonly db: Db;
  readonly profile: Pick<Profile, 'listSessions'>;
  readonly shopSettings: Pick<ShopSettings, 'findOrderNumbers' | 'formatOrderNumber'>;
}

export class CustomersAdmin {
  readonly #options: CustomersAdminOptions;

  constructor(options: CustomersAdminOptions) {
    this.#options = options;
  }

  async list({ q: typed, show, sort }: Pick<CustomerFilter, 'q' | 'show' | 'sort'>, page: number) {
    const { db, shopSettings } = this.#options;
    const q = typed.trim();
    // Names are compared as they are stored: normalised, in lower case.
    const key = foldText(normaliseName(q) ?? q);
    const filter = { q, key, orderNumbers: shopSettings.findOrderNumbers(q), show, sort };
    const place = toRowRange(page);
    const { rows, total, hasMore } = await store.listCustomers(db, filter, place);
    return { customers: rows, total, has_more: hasMore, page };
  }

  /** Null for an unknown or deleted account, and for one of the team. */
  async find(id: string) {
    const { db, profile, shopSettings } = this.#options;
    const [customer, orders, tickets, reviews, sessions] = await Promise.all([
      store.findCustomer(db, id),
      store.listOrders(db, id),
      store.listTickets(db, id),
      store.listReviews(db, id),
      profile.listSessions({ userId: id, sessionId: '', role: 'customer' }),
    ]);
    if (customer === null) return null;
    const numbered = orders.map((order) => ({ ...order, number: shopSettings.formatOrderNumber(order.number) }));
    return { customer, orders: numbered, tickets, reviews, sessions };
  }
}
