/** Creates the services of the orders slice. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, Query, SyncEvent } from '#src/platform/process/events.ts';
import { RESERVATION_LIMITS } from '#src/shop/orders/checkout/reservation-limits.ts';
import { PaidOrderMails } from '#src/shop/orders/desk/paid-order-mails.service.ts';
import { OrderDesk } from '#src/shop/orders/desk/service.ts';
import { Carriers } from '#src/shop/orders/fulfilment/carriers.service.ts';
import { ShipmentCorrections } from '#src/shop/orders/fulfilment/corrections.service.ts';
import { FulfilmentOverview } from '#src/shop/orders/fulfilment/overview.service.ts';
import { SerialNumbers } from '#src/shop/orders/fulfilment/serials.service.ts';
import { SerialTransfer } from '#src/shop/orders/fulfilment/serial-transfer.service.ts';
import { Fulfilment } from '#src/shop/orders/fulfilment/service.ts';
import { OrderExport } from '#src/shop/orders/list/export.service.ts';
import { OrderList } from '#src/shop/orders/list/service.ts';
import { LiveOrders } from '#src/shop/orders/live/service.ts';
import { ManualOrders } from '#src/shop/orders/manual/service.ts';
import { OrderPersonalData } from '#src/shop/orders/personal-data/service.ts';
import { ReservationList } from '#src/shop/orders/reservations/service.ts';
import { Orders } from '#src/shop/orders/service.ts';
import { PaymentDecisions } from '#src/shop/orders/status/payment-decisions.service.ts';
import { Quotes } from '#src/shop/orders/status/quotes.service.ts';
import type { OrderPartsOptions } from '#src/shop/orders/status/order-changes.service.ts';
import { OrderStatus } from '#src/shop/orders/status/service.ts';
import type { RefundEntries } from '#src/shop/orders/timeline/refund-entries.ts';
import { OrderTerms } from '#src/shop/orders/terms/service.ts';
import { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import type { OrderTimelineOptions } from '#src/shop/orders/timeline/service.ts';
import { Transactions } from '#src/shop/orders/transactions/service.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { AccountsSlice } from './create-accounts.ts';
import type { Foundation } from './open-foundation.ts';
import type { Paying } from './open-payments.ts';
import type { Sales } from './open-sales.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';

export type OrdersSlice = ReturnType<typeof createOrders>;

export function createOrders(
  settings: Settings,
  foundation: Foundation,
  sales: Sales,
  { accounts, customers }: AccountsSlice,
  { payments }: Paying,
) {
  const { clock, db, log, pubSub, rates, shopSettings } = foundation;
  const { carts, catalogue, inventory, promotions } = sales;
  const { confirmationSteps, lateTolerancePercent, paymentWindowSeconds, unconfirmedLimitSeconds } = settings;
  const tolerance = { ...settings.paymentTolerance, dustSats: payments.dustSats };
  const orderChanged = new SyncEvent<[tx: Db, orderIds: readonly string[]]>();
  const freeOrderPlaced = new AsyncEvent<[tx: Db, orderIds: readonly string[]]>();
  /** Paid orders were assigned to an hourly mail. */
  const paidOrdersReported = new AsyncEvent<[tx: Db, digestId: string]>();
  /** A reorganized or lost payment is there again. */
  const paidAgain = new AsyncEvent<[tx: Db, orderId: string]>();
  const orderTerms = createOrderTerms(settings, foundation, sales);
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
    reservationLimits: settings.hasRateLimits ? RESERVATION_LIMITS : null,
    reconcile: freeOrderPlaced.emit,
    onChanged: orderChanged.emit,
    prepareTerms: () => orderTerms.prepare(),
  });
  const onPaidAgain = paidAgain.emit;
  const parts = { db, clock, log, orders, payments, inventory, catalogue, promotions, onPaidAgain };
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
    onPaidAgain,
  });
  const quotes = createQuotes(settings, foundation, carts, payments, tolerance);
  const { receiptAddress, refundEntries, timeline } = createTimeline({ db, orders, payments, quotes });
  const liveOrders = new LiveOrders({ pubSub, orders, timeline, log });
  freeOrderPlaced.on((tx, orderIds) => orderStatus.reconcile(tx, orderIds));
  orderChanged.on((tx, orderIds) => liveOrders.publish(tx, orderIds));
  return {
    orders,
    orderStatus,
    orderTerms,
    ...createFulfilment(parts, foundation),
    orderDesk: new OrderDesk({ db, clock, orders, timeline }),
    ...createOrderLists(foundation, sales, { accounts, customers }, payments, orders),
    paidOrderMails: new PaidOrderMails({ db, clock, onReported: paidOrdersReported.emit }),
    paidOrdersReported,
    paymentDecisions: new PaymentDecisions(parts),
    timeline,
    refundEntries,
    receiptAddress,
    liveOrders,
    paidAgain,
    orderData: new OrderPersonalData({ db, orders, shopSettings }),
  };
}

const createOrderTerms = (
  settings: Settings,
  { clock, db, log, pdf, shopSettings }: Foundation,
  { content }: Pick<Sales, 'content'>,
) =>
  new OrderTerms({
    db,
    clock,
    log,
    pdf,
    shopSettings,
    shopUrl: resolveShopUrl(settings),
    readTerms: () => content.readLegalText('terms'),
  });

/** Parcels, and the numbers of their units. */
const createFulfilment = (parts: OrderPartsOptions, { clock, db, shopSettings }: Foundation) => ({
  fulfilment: new Fulfilment(parts),
  corrections: new ShipmentCorrections(parts),
  serialNumbers: new SerialNumbers(parts),
  serialTransfer: new SerialTransfer({ db, clock, shopSettings }),
  fulfilmentOverview: new FulfilmentOverview({ db, shopSettings }),
  carriers: new Carriers({ db, clock }),
});

/** The timeline, and what it shows of higher slices. */
function createTimeline(options: Pick<OrderTimelineOptions, 'db' | 'orders' | 'payments' | 'quotes'>) {
  const refundEntries = new Query<[orderId: string], RefundEntries>();
  const receiptAddress = new Query<[orderId: string, userId: string], string | null>();
  const { db, orders, payments, quotes } = options;
  const timeline = new OrderTimeline({
    db,
    orders,
    payments,
    quotes,
    findRefundEntries: refundEntries.run,
    findReceiptAddress: receiptAddress.run,
  });
  return { receiptAddress, refundEntries, timeline };
}

/** What staff look up of orders, and the orders that they create. */
const createOrderLists = (
  { clock, db, network, shopSettings, taxes }: Foundation,
  { carts, catalogue, inventory }: Sales,
  { accounts, customers }: Pick<AccountsSlice, 'accounts' | 'customers'>,
  payments: Paying['payments'],
  orders: Orders,
) => ({
  orderList: new OrderList({ db, shopSettings }),
  orderExport: new OrderExport({ db, clock, shopSettings }),
  manualOrders: new ManualOrders({ db, accounts, carts, catalogue, customers, orders, taxes }),
  reservations: new ReservationList({ db, catalogue, inventory, shopSettings }),
  transactions: new Transactions({ db, payments, network, shopSettings }),
});

const createQuotes = (
  { confirmationSteps, lateTolerancePercent, paymentWindowSeconds, unconfirmedLimitSeconds }: Settings,
  { clock, db, rates, shopSettings }: Foundation,
  carts: Sales['carts'],
  payments: Paying['payments'],
  tolerance: PaymentTolerance,
) =>
  new Quotes({
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
