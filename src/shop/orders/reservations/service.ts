/** Orders with reserved stock, for staff. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { Inventory } from '#src/shop/inventory/service.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import { isHeldByStaff } from '../checkout/reservation-limits.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import type { reservationsApi } from './contract.ts';
import { listReservingOrders } from './store.ts';

type ReservationPage = z.output<(typeof reservationsApi)['GET /support/reservations']['response']>;

export interface ReservationListOptions {
  readonly db: Db;
  readonly catalogue: Pick<Catalogue, 'listVariantNames'>;
  readonly inventory: Pick<Inventory, 'listReservations'>;
  readonly shopSettings: OrderNumbers;
}

export class ReservationList {
  readonly #options: ReservationListOptions;

  constructor(options: ReservationListOptions) {
    this.#options = options;
  }

  /** Newest first; the items of an order by name. */
  async list(page: number): Promise<ReservationPage> {
    const { catalogue, db, inventory, shopSettings } = this.#options;
    const { rows, total } = await inventory.listReservations(db, toRowRange(page));
    const variantIds = [...new Set(rows.flatMap(({ items }) => items.map(({ variantId }) => variantId)))];
    const [names, orders] = await Promise.all([
      catalogue.listVariantNames(db, variantIds),
      listReservingOrders(
        db,
        rows.map(({ orderId }) => orderId),
      ),
    ]);
    const ordersById = new Map(orders.map((order) => [order.id, order]));
    const reservations = rows.flatMap(({ orderId, network, isSecured, items }) => {
      const order = ordersById.get(orderId);
      if (order === undefined) return [];
      return {
        order_id: orderId,
        number: shopSettings.formatOrderNumber(order.number),
        user_id: order.userId,
        username: order.username,
        is_email_confirmed: order.isEmailConfirmed,
        network: isHeldByStaff(network) ? null : network,
        is_of_staff: isHeldByStaff(network),
        reserved_at: order.reservedAt,
        expires_at: order.expiresAt,
        is_brief: order.isBrief,
        is_secured: isSecured,
        can_be_released: !order.hasPayment,
        items: [...names].flatMap(([id, name]) =>
          items
            .filter(({ variantId }) => variantId === id)
            .map(({ quantity, available }) => ({ name, quantity, available })),
        ),
      };
    });
    return { reservations, total, page };
  }
}
