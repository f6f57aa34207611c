/** Creates the services of the orders slice. */
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { PubSub } from '#src/platform/database/pub-sub.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { AsyncEvent, Query, SyncEvent } from '#src/platform/process/events.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { Inventory } from '#src/shop/inventory/service.ts';
import type { ReservationLimits } from '#src/shop/orders/checkout/reservation-limits.ts';
import { PaidOrderMails } from '#src/shop/orders/desk/paid-order-mails.service.ts';
import { OrderDesk } from '#src/shop/orders/desk/service.ts';
import { Carriers } from '#src/shop/orders/fulfilment/carriers.service.ts';
import { ShipmentCorrections } from '#src/shop/orders/fulfilment/corrections.service.ts';
import { FulfilmentOverview } from '#src/shop/orders/fulfilment/overview.service.ts';
import { Fulfilment } from '#src/shop/orders/fulfilment/service.ts';
import { OrderExport } from '#src/shop/orders/list/export.service.ts';
import { OrderList } from '#src/shop/orders/list/service.ts';
import { LiveOrders } from '#src/shop/orders/live/service.ts';
import { ManualOrders } from '#src/shop/orders/manual/service.ts';
import { OrderPersonalData } from '#src/shop/orders/personal-data.service.ts';
import { ReservationList } from '#src/shop/orders/reservations/service.ts';
import { Orders } from '#src/shop/orders/service.ts';
import { PaymentDecisions } from '#src/shop/orders/status/payment-decisions.service.ts';
import { Quotes } from '#src/shop/orders/status/quotes.service.ts';
import { OrderStatus } from '#src/shop/orders/status/service.ts';
import type { RefundEntries } from '#src/shop/orders/timeline/refund-entries.ts';
import { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import { Transactions } from '#src/shop/orders/transactions/service.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { Promotions } from '#src/shop/promotions/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';

/** How long and how exactly an order can be paid. */
export interface PaymentTerms {
  readonly lateTolerancePercent: number;
  readonly tolerance: PaymentTolerance;
  readonly paymentWindowSeconds: number;
  readonly unconfirmedLimitSeconds: number;
}

export interface OrdersSliceOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly pubSub: PubSub;
  readonly rates: RateSource;
  readonly network: BitcoinNetwork;
  readonly shopSettings: ShopSettings;
  readonly accounts: Accounts;
  readonly catalogue: Catalogue;
  readonly inventory: Inventory;
  readonly promotions: Promotions;
  readonly carts: Carts;
  readonly payments: Payments;
  readonly terms: PaymentTerms;
  readonly confirmationSteps: ConfirmationSteps;
  /** Null: no limits. */
  readonly reservationLimits: ReservationLimits | null;
}

export type OrdersSlice = ReturnType<typeof createOrders>;

export function createOrders(options: OrdersSliceOptions) {
  const { carts, catalogue, clock, confirmationSteps, db, inventory, log, payments } = options;
  const { promotions, pubSub, rates, reservationLimits, shopSettings, terms } = options;
  const { lateTolerancePercent, paymentWindowSeconds, tolerance, unconfirmedLimitSeconds } = terms;
  const orderChanged = new SyncEvent<[tx: Db, orderIds: readonly string[]]>();
  const freeOrderPlaced = new AsyncEvent<[tx: Db, orderIds: readonly string[]]>();
  /** What the timeline shows of refunds. */
  const refundEntries = new Query<[orderId: string], RefundEntries>();
  /** Paid orders were assigned to an hourly mail. */
  const paidOrdersReported = new AsyncEvent<[tx: Db, digestId: string]>();
  const orders = new Orders({
    db,
    clock,
    log,
    rates,
    carts,
    catalogue,
    inventory,
    promotions,
    payments,
    shopSettings,
    paymentWindowSeconds,
    confirmationSteps,
    tolerance,
    reservationLimits,
    reconcile: freeOrderPlaced.emit,
    onChanged: orderChanged.emit,
  });
  const parts = { db, clock, log, orders, payments, inventory, catalogue, promotions };
  const orderStatus = new OrderStatus({
    db,
    clock,
    log,
    rates,
    orders,
    carts,
    catalogue,
    inventory,
    promotions,
    payments,
    shopSettings,
    confirmationSteps,
    paymentWindowSeconds,
    tolerance,
    unconfirmedLimitSeconds,
    lateTolerancePercent,
  });
  const quotes = new Quotes({
    db,
    clock,
    rates,
    carts,
    payments,
    shopSettings,
    confirmationSteps,
    paymentWindowSeconds,
    lateTolerancePercent,
    tolerance,
    unconfirmedLimitSeconds,
  });
  const timeline = new OrderTimeline({ db, orders, payments, quotes, findRefundEntries: refundEntries.run });
  const liveOrders = new LiveOrders({ pubSub, orders, timeline, log });
  freeOrderPlaced.on((tx, orderIds) => orderStatus.reconcile(tx, orderIds));
  orderChanged.on((tx, orderIds) => liveOrders.publish(tx, orderIds));
  return {
    orders,
    orderStatus,
    fulfilment: new Fulfilment(parts),
    corrections: new ShipmentCorrections(parts),
    fulfilmentOverview: new FulfilmentOverview({ db, shopSettings }),
    carriers: new Carriers({ db, clock }),
    orderDesk: new OrderDesk({ db, clock, orders, timeline }),
    ...createOrderLists(options, orders),
    paidOrderMails: new PaidOrderMails({ db, clock, onReported: paidOrdersReported.emit }),
    paidOrdersReported,
    paymentDecisions: new PaymentDecisions(parts),
    timeline,
    refundEntries,
    liveOrders,
    orderData: new OrderPersonalData({ orders }),
  };
}

/** What staff look up of orders, and the orders that they create. */
function createOrderLists(options: OrdersSliceOptions, orders: Orders) {
  const { accounts, carts, catalogue, clock, db, inventory, network, payments, shopSettings } = options;
  return {
    orderList: new OrderList({ db, shopSettings }),
    orderExport: new OrderExport({ db, clock, shopSettings }),
    manualOrders: new ManualOrders({ db, accounts, carts, catalogue, orders }),
    reservations: new ReservationList({ db, catalogue, inventory, shopSettings }),
    transactions: new Transactions({ db, payments, network, shopSettings }),
  };
}
