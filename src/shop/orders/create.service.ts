/** Creates the services of the orders slice. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, Query, SyncEvent } from '#src/platform/process/events.ts';
import { ShipmentCorrections } from './fulfilment/corrections.service.ts';
import { Fulfilment } from './fulfilment/service.ts';
import { Carriers } from './fulfilment/carriers.service.ts';
import { FulfilmentOverview } from './fulfilment/overview.service.ts';
import { OrderDesk } from './desk/service.ts';
import type { OrderDeskOptions } from './desk/service.ts';
import { PaidOrderMails } from './desk/paid-order-mails.service.ts';
import { LiveOrders } from './live/service.ts';
import type { LiveOrdersOptions } from './live/service.ts';
import { OrderPersonalData } from './personal-data.service.ts';
import { Orders } from './service.ts';
import type { OrdersOptions } from './service.ts';
import { PaymentDecisions } from './status/payment-decisions.service.ts';
import { Quotes } from './status/quotes.service.ts';
import type { QuotesOptions } from './status/quotes.service.ts';
import { OrderStatus } from './status/service.ts';
import type { OrderStatusOptions } from './status/service.ts';
import type { RefundEntries } from './timeline/refund-entries.ts';
import { OrderTimeline } from './timeline/service.ts';
import type { OrderTimelineOptions } from './timeline/service.ts';

/** Everything from outside the slice that one of its services needs. */
export type OrdersSliceOptions = Omit<
  OrdersOptions & OrderStatusOptions & QuotesOptions & OrderTimelineOptions & LiveOrdersOptions & OrderDeskOptions,
  'orders' | 'quotes' | 'timeline' | 'reconcile' | 'onChanged' | 'findRefundEntries'
>;

export interface OrdersSlice {
  readonly orders: Orders;
  readonly orderStatus: OrderStatus;
  readonly fulfilment: Fulfilment;
  readonly corrections: ShipmentCorrections;
  readonly fulfilmentOverview: FulfilmentOverview;
  readonly carriers: Carriers;
  readonly orderDesk: OrderDesk;
  readonly paidOrderMails: PaidOrderMails;
  /** Paid orders were assigned to an hourly mail. */
  readonly paidOrdersReported: AsyncEvent<[tx: Db, digestId: string]>;
  readonly paymentDecisions: PaymentDecisions;
  readonly timeline: OrderTimeline;
  /** What the timeline shows of refunds. */
  readonly refundEntries: Query<[orderId: string], RefundEntries>;
  readonly liveOrders: LiveOrders;
  readonly orderData: OrderPersonalData;
}

export function createOrders(options: OrdersSliceOptions): OrdersSlice {
  const orderChanged = new SyncEvent<[tx: Db, orderIds: readonly string[]]>();
  const freeOrderPlaced = new AsyncEvent<[tx: Db, orderIds: readonly string[]]>();
  const refundEntries = new Query<[orderId: string], RefundEntries>();
  const orders = new Orders({ ...options, reconcile: freeOrderPlaced.emit, onChanged: orderChanged.emit });
  const orderStatus = new OrderStatus({ ...options, orders });
  const fulfilment = new Fulfilment({ ...options, orders });
  const corrections = new ShipmentCorrections({ ...options, orders });
  const paymentDecisions = new PaymentDecisions({ ...options, orders });
  const quotes = new Quotes(options);
  const timeline = new OrderTimeline({ ...options, orders, quotes, findRefundEntries: refundEntries.run });
  const liveOrders = new LiveOrders({ ...options, orders, timeline });
  freeOrderPlaced.on((tx, orderIds) => orderStatus.reconcile(tx, orderIds));
  orderChanged.on((tx, orderIds) => liveOrders.publish(tx, orderIds));
  const orderData = new OrderPersonalData({ orders });
  const orderDesk = new OrderDesk({ ...options, orders, timeline });
  const shipping = {
    fulfilment,
    corrections,
    fulfilmentOverview: new FulfilmentOverview(options),
    carriers: new Carriers(options),
  };
  const paidOrdersReported = new AsyncEvent<[tx: Db, digestId: string]>();
  const paidOrderMails = new PaidOrderMails({ ...options, onReported: paidOrdersReported.emit });
  const desk = { orderDesk, paidOrderMails, paidOrdersReported };
  return {
    ...shipping,
    ...desk,
    orders,
    orderStatus,
    paymentDecisions,
    timeline,
    refundEntries,
    liveOrders,
    orderData,
  };
}
