/** Orders as those who pack parcels see them. */
import type { Db } from '#src/platform/database/database.ts';
import { formatOrderNumber } from '#src/shop/shop-settings/order-number.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { isAddressChangeable } from '../desk/find-address-problem.ts';
import { snapshotBilling } from '../quote-order.ts';
import { hasUnitsToShip } from '../status/stock-after-refund.ts';
import { findOrders } from '../store.ts';
import type { OrderRow } from '../store.ts';
import { findShippingBlock } from './find-fulfilment-problem.ts';
import { countLeft } from './select-shipment.ts';
import { formatLineName, showShipments } from './show-shipments.ts';
import * as store from './shipments.store.ts';

export interface FulfilmentOverviewOptions {
  readonly db: Db;
  readonly shopSettings: Pick<ShopSettings, 'current'>;
}

const findBlock = (
  order: OrderRow,
  lines: readonly store.OrderLineToShip[],
): ReturnType<typeof findShippingBlock> | 'contract-withdrawn' | 'shipped' => {
  if (!hasUnitsToShip(order.fulfilment_status)) return 'shipped';
  const isWithdrawn = lines.every((line) => countLeft(line) === 0) && lines.some((line) => line.withdrawn_quantity > 0);
  return findShippingBlock(order) ?? (isWithdrawn ? 'contract-withdrawn' : null);
};

export class FulfilmentOverview {
  readonly #options: FulfilmentOverviewOptions;

  constructor(options: FulfilmentOverviewOptions) {
    this.#options = options;
  }

  /** Of printed dates. */
  get timeZone(): string {
    return this.#options.shopSettings.current.time.time_zone;
  }

  /** In the order of the ids. Unknown ids are left out. */
  async listOrders(ids: readonly string[]) {
    const { db, shopSettings } = this.#options;
    const unique = [...new Set(ids)];
    const [orders, lines, shipments, next] = await Promise.all([
      findOrders(db, unique),
      store.listLinesToShip(db, unique),
      store.listShipments(db, unique),
      store.findNextNumbers(db, unique),
    ]);
    const byId = new Map(orders.map((order) => [order.id, order]));
    return unique.flatMap((id) => {
      const order = byId.get(id);
      if (order === undefined) return [];
      const ownLines = lines.filter((line) => line.order_id === id);
      const ownShipments = shipments.filter((one) => one.order_id === id);
      return {
        id,
        number: formatOrderNumber(order.number, shopSettings.current.orders.order_prefix),
        created_at: order.created_at,
        fulfilment_status: order.fulfilment_status,
        block: findBlock(order, ownLines),
        is_address_changeable: isAddressChangeable(order),
        billing: snapshotBilling(order.billing),
        next_shipment: next.get(id) ?? 1,
        lines: ownLines.map((line) => ({
          position: line.position,
          name: formatLineName(line),
          sku: line.sku,
          serial_kind: line.serial_kind,
          quantity: line.quantity,
          shipped_quantity: line.shipped_quantity,
          refunded_unshipped_quantity: line.refunded_unshipped_quantity,
          withdrawn_quantity: line.withdrawn_quantity,
        })),
        shipments: showShipments(ownShipments, ownLines).map(({ items, ...shipment }) => ({
          ...shipment,
          items: items.map(({ serials, ...item }) => ({ ...item, serials: [...serials] })),
        })),
      };
    });
  }
}
