/** The personal data of a user's orders. */
import type { Db } from '#src/platform/database/database.ts';
import { deleteUserKeys } from '../checkout/idempotency-keys.store.ts';
import { eraseFilters, eraseNotes } from '../desk/store.ts';
import { listUserSerials } from '../fulfilment/serials.store.ts';
import { formatLineName } from '../fulfilment/show-shipments.ts';
import { anonymiseShipments } from '../fulfilment/shipments.store.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import * as retention from './retention.store.ts';
import * as store from './store.ts';
import type { OrderToErase } from './store.ts';
import type { Orders } from '../service.ts';
import type { ShownOrder } from '../show-order.ts';

export interface OrderPersonalDataOptions {
  readonly db: Db;
  readonly orders: Pick<Orders, 'listIds' | 'find' | 'appendEvent'>;
  readonly shopSettings: Pick<ShopSettings, 'formatOrderNumber'>;
}

export class OrderPersonalData {
  readonly #options: OrderPersonalDataOptions;
  readonly #orders: OrderPersonalDataOptions['orders'];

  constructor(options: OrderPersonalDataOptions) {
    this.#options = options;
    this.#orders = options.orders;
  }

  /** All orders of the user, oldest first. Reads them one at a time, so a long history does not burden the database. */
  async exportPersonalData(userId: string): Promise<readonly ShownOrder[]> {
    const exported: ShownOrder[] = [];
    for (const id of await this.#orders.listIds(userId)) {
      const order = await this.#orders.find(userId, id);
      if (order) exported.push(order);
    }
    return exported;
  }

  /** Serial numbers of the units that the user received. They stay with the order, which has no name after the erasure. */
  async exportSerials(userId: string) {
    const { db, shopSettings } = this.#options;
    const serials = await listUserSerials(db, userId);
    return serials.map(({ order_number: order, number, shipped_at: shippedAt, returned_at: returnedAt, ...line }) => ({
      order: shopSettings.formatOrderNumber(order),
      product: formatLineName(line),
      number,
      shipped_at: shippedAt.toISOString(),
      returned_at: returnedAt?.toISOString() ?? null,
    }));
  }

  /** Locks all orders of the user: no payment is credited until the transaction ends. */
  lockForErasure(tx: Db, userId: string): Promise<readonly OrderToErase[]> {
    return store.lockUserOrders(tx, userId);
  }

  /**
   * Anonymises the orders that `lockForErasure` locked. Expired ones are cancelled, since a late payment must
   * not revive an order without an address.
   */
  async erasePersonalData(tx: Db, userId: string, orderIds: readonly string[], now: Date): Promise<void> {
    for (const id of await store.cancelExpired(tx, userId, now)) {
      await this.#orders.appendEvent(tx, id, 'cancelled', now, { words: 'the account of its buyer was deleted' });
    }
    await this.eraseOrders(tx, orderIds, now);
    await eraseFilters(tx, userId);
    await deleteUserKeys(tx, userId);
  }

  /** Removes names, addresses and notes of locked orders. */
  async eraseOrders(tx: Db, orderIds: readonly string[], now: Date): Promise<void> {
    await store.anonymiseOrders(tx, orderIds, now);
    await anonymiseShipments(tx, orderIds);
    await eraseNotes(tx, orderIds);
  }

  // ---- retention

  /** Orders whose last event was before this moment and whose personal data are stored, oldest first. */
  listEnded(db: Db, before: Date, page: retention.OrderPage): Promise<readonly retention.EndedOrder[]> {
    return retention.listEndedOrders(db, before, page);
  }

  /** How many there are, at most a limit. */
  countEnded(db: Db, before: Date, limit: number): Promise<number> {
    return retention.countEndedOrders(db, before, limit);
  }

  /** Locks those of these orders whose last event was before this moment. Orders that another transaction has locked are left out. */
  lockEnded(tx: Db, orderIds: readonly string[], before: Date): Promise<readonly OrderToErase[]> {
    return retention.lockEndedOrders(tx, orderIds, before);
  }

  /** As `lockEnded`, without locks. */
  findEnded(db: Db, orderIds: readonly string[], before: Date): Promise<readonly OrderToErase[]> {
    return retention.findEndedOrders(db, orderIds, before);
  }
}
