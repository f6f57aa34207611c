/** The list of orders, for staff. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import { normaliseName } from '#src/shop/accounts/registration/normalise-name.ts';
import { foldText } from '#src/shop/fold-text.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { orderListApi } from './contract.ts';
import type { OrderSort } from './order-sort.ts';
import * as store from './store.ts';
import type { OrderFilter } from './store.ts';

type OrderPage = z.output<(typeof orderListApi)['GET /support/orders']['response']>;

type RecentOrders = z.output<(typeof orderListApi)['GET /support/recent-orders']['response']>['orders'];

/** Orders on the first page of the back office. */
const NEWEST = 6;

export interface OrderListOptions {
  readonly db: Db;
  readonly shopSettings: Pick<ShopSettings, 'findOrderNumbers' | 'formatOrderNumber' | 'timeZone'>;
}

/** Days are those of the shop's time zone. */
type OrderQuery = Omit<OrderFilter, 'from' | 'to'> & ShopDays;

export class OrderList {
  readonly #options: OrderListOptions;

  constructor(options: OrderListOptions) {
    this.#options = options;
  }

  /** @param place.sort null: newest first, the queue longest paid first */
  async list(
    query: OrderQuery,
    { page, sort }: { readonly page: number; readonly sort: OrderSort | null },
  ): Promise<OrderPage> {
    const place = toRowRange(page);
    const { db, shopSettings } = this.#options;
    const { timeZone } = shopSettings;
    const q = query.q?.trim() ?? '';
    const search =
      q === '' ? null : { q, key: foldText(normaliseName(q) ?? q), numbers: shopSettings.findOrderNumbers(q) };
    const filter = { ...query, ...toPeriod(query, timeZone) };
    const { rows, total, hasMore } = await store.listOrders(db, filter, search, { ...place, sort });
    return { orders: this.#addNumbers(rows), time_zone: timeZone, total, has_more: hasMore, page };
  }

  /** The newest orders, for the first page of the back office: without personal data. */
  async listNewest(): Promise<RecentOrders> {
    const rows = await store.listNewest(this.#options.db, NEWEST);
    return this.#addNumbers(rows).map((row) => ({
      id: row.id,
      number: row.number,
      created_at: row.created_at,
      payment_status: row.payment_status,
      state: row.state,
      fulfilment_status: row.fulfilment_status,
      total_usd: row.total_usd,
      waived_usd: row.waived_usd,
      due_btc: row.due_btc,
      can_ship: row.can_ship,
    }));
  }

  /** The newest orders of a customer. */
  async listOfCustomer(userId: string, limit: number) {
    return this.#addNumbers(await store.listOrdersOf(this.#options.db, userId, limit));
  }

  /** @param limit higher numbers are not counted */
  countToShip(limit: number | null = null): Promise<number> {
    return store.countToShip(this.#options.db, limit);
  }

  #addNumbers<Row extends { readonly number: bigint }>(rows: readonly Row[]) {
    const { shopSettings } = this.#options;
    return rows.map((row) => ({ ...row, number: shopSettings.formatOrderNumber(row.number) }));
  }
}
