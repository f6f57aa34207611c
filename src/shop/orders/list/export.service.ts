/** Orders as CSV, a row for each. */
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import { joinLines } from '#src/platform/csv/join-lines.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { formatDecimalBtc, formatDecimalUsd } from '#src/shop/money.ts';
import { toPeriod, toShopDay } from '#src/shop/shop-days.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { formatExportName } from '#src/shop/export-name.ts';
import { streamOrders } from './export.store.ts';
import type { ExportedOrder } from './export.store.ts';
import type { OrderFilter } from './store.ts';

export interface OrderExportOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly shopSettings: Pick<ShopSettings, 'timeZone' | 'formatOrderNumber'>;
}

export interface ExportedOrders {
  /** Days of the shop's time zone on which the orders were placed. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const COLUMNS = [
  'order',
  'ordered_on',
  'payment_status',
  'paid_on',
  'fulfilment_status',
  'customer',
  'first_name',
  'last_name',
  'street',
  'house_number',
  'postcode',
  'city',
  'country',
  'phone',
  'vat_number',
  'units',
  'items',
  'promo_code',
  'subtotal_usd',
  'discount_usd',
  'shipping_usd',
  'total_with_tax_and_shipping_usd',
  'total_with_tax_and_shipping_btc',
  'received_btc',
  'waived_usd',
  'refunded_usd',
  'refunded_btc',
  'tracking_number',
];

export class OrderExport {
  readonly #options: OrderExportOptions;

  constructor(options: OrderExportOptions) {
    this.#options = options;
  }

  /** File name and CSV in pieces. Records the export first. @param signal stops it */
  async exportOrders(
    query: Omit<OrderFilter, 'from' | 'to' | 'q'> & ExportedOrders,
    by: Actor,
    signal?: AbortSignal,
  ): Promise<{ readonly name: string; readonly pieces: AsyncGenerator<string> }> {
    const { clock, db, shopSettings } = this.#options;
    const { timeZone } = shopSettings;
    const period = toPeriod(query, timeZone);
    await transact(db, (tx) =>
      recordChange(tx, {
        at: clock.now(),
        by,
        action: 'report.exported',
        subject: { kind: 'report', id: 'orders' },
        before: null,
        after: { ...query, ...period, time_zone: timeZone },
      }),
    );
    const pieces = joinLines(this.#writeLines({ ...query, ...period }, signal));
    return { name: formatExportName('orders', query), pieces };
  }

  async *#writeLines(filter: Omit<OrderFilter, 'q'>, signal?: AbortSignal): AsyncGenerator<string> {
    yield formatCsvLine(COLUMNS);
    for await (const orders of streamOrders(this.#options.db, filter, signal)) {
      for (const order of orders) yield formatCsvLine(this.#toCells(order));
    }
  }

  #toCells(order: ExportedOrder): string[] {
    const { shopSettings } = this.#options;
    const { timeZone } = shopSettings;
    const { billing, items } = order;
    return [
      shopSettings.formatOrderNumber(order.number),
      toShopDay(order.created_at, timeZone),
      order.payment_status,
      order.paid_at === null ? '' : toShopDay(order.paid_at, timeZone),
      order.fulfilment_status,
      order.username,
      billing['firstName'] ?? '',
      billing['lastName'] ?? '',
      billing['streetAddress'] ?? '',
      billing['houseNumber'] ?? '',
      billing['postcode'] ?? '',
      billing['city'] ?? '',
      billing['country'] ?? '',
      billing['phone'] ?? '',
      billing['vatNumber'] ?? '',
      String(order.units),
      items.map(({ name, quantity, sku }) => `${quantity} × ${name}${sku === null ? '' : ` (${sku})`}`).join(', '),
      order.promo_code ?? '',
      formatDecimalUsd(order.subtotal),
      formatDecimalUsd(order.discount),
      formatDecimalUsd(order.shipping),
      formatDecimalUsd(order.total),
      formatDecimalBtc(order.due),
      formatDecimalBtc(order.received),
      formatDecimalUsd(order.waived),
      formatDecimalUsd(order.refunded),
      formatDecimalBtc(order.refunded_sats),
      order.tracking_number ?? '',
    ];
  }
}
