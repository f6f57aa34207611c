/**
 * Creates the slices, the lowest first, and connects them. A slice receives lower slices as
 * options; `connectSlices` connects higher slices to lower ones last.
 */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, Query, SyncEvent } from '#src/platform/process/events.ts';
import { createIntegrations } from './create-integrations.ts';
import type { Integrations } from './create-integrations.ts';
import { createNotifications } from './create-notifications.ts';
import { createMailFrame } from './create-mail-frame.ts';
import { createStockAlerts } from './create-stock-alerts.ts';
import { createEditing } from './create-editing.ts';
import { createImports } from './create-imports.ts';
import type { Importing } from './create-imports.ts';
import type { Demo } from './demo.ts';
import { resolveShopUrl } from './settings.ts';
import { openPayments } from './open-payments.ts';
import type { Settings } from './settings.ts';
import { checkPublicName } from '#src/shop/accounts/registration/public-name.service.ts';
import { createAccounts } from '#src/shop/accounts/create.service.ts';
import { createAdmin } from '#src/shop/admin/create.service.ts';
import type { StaffMails } from '#src/shop/admin/staff-mails.service.ts';
import { Carts } from '#src/shop/cart/service.ts';
import type { ProductEditingOptions } from '#src/shop/catalogue/editing/service.ts';
import { Catalogue, SALES_REFRESH_MS } from '#src/shop/catalogue/service.ts';
import { createContent } from '#src/shop/content/create.service.ts';
import { LEGAL_KINDS } from '#src/shop/content/legal/legal-kind.ts';
import { describeFigures } from '#src/shop/content/text-figures.ts';
import { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import type { StockAlerts } from '#src/shop/inventory/alerts/service.ts';
import { LowStock } from '#src/shop/inventory/low-stock/service.ts';
import { Invoices } from '#src/shop/invoices/service.ts';
import { Inventory } from '#src/shop/inventory/service.ts';
import { StockWatch } from '#src/shop/inventory/stock-watch.service.ts';
import { createOrders } from '#src/shop/orders/create.service.ts';
import type { OrdersSlice } from '#src/shop/orders/create.service.ts';
import type { OpenOrderQuantity, Orders } from '#src/shop/orders/service.ts';
import { RESERVATION_LIMITS } from '#src/shop/orders/checkout/reservation-limits.ts';
import { PersonalData } from '#src/shop/personal-data/service.ts';
import { PromotionChanges } from '#src/shop/promotions/changes.service.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import { Refunds } from '#src/shop/refunds/service.ts';
import { Reviews } from '#src/shop/reviews/service.ts';
import { createSupport } from '#src/shop/support/create.service.ts';
import { openFoundation } from './open-foundation.ts';
import type { Foundation, ShopResources } from './open-foundation.ts';

/** Pub/sub topic: the session with this id has ended. */
export const SESSION_ENDED_TOPIC = 'session';
type Sales = Awaited<ReturnType<typeof openSales>>;
type CustomerSlices = ReturnType<typeof createCustomerSlices>;
type StaffSlices = ReturnType<typeof createStaffSlices>;
/** Every slice below admin, notifications and personal data. */
type LowerSlices = Awaited<ReturnType<typeof openPayments>> &
  Sales &
  OrdersSlice &
  CustomerSlices & {
    readonly refunds: Refunds;
    readonly reviews: Reviews;
    readonly stockAlerts: StockAlerts;
    readonly invoices: Invoices;
  } & Integrations;

/** The services of all slices. `devchain` is null when payments come from another chain. */
export interface Shop
  extends
    LowerSlices,
    StaffSlices,
    Importing,
    Pick<
      Foundation,
      | 'limits'
      | 'markdown'
      | 'pdf'
      | 'pictures'
      | 'pubSub'
      | 'revisions'
      | 'jobs'
      | 'mails'
      | 'rates'
      | 'shipping'
      | 'shopSettings'
    > {
  /** Null in live mode. */
  readonly demo: Demo | null;
}

export async function composeShop(resources: ShopResources): Promise<Shop> {
  const { settings } = resources;
  const foundation = await openFoundation(resources);
  // Imported here and not above: a live shop does not load the demo slice.
  const demoModule = settings.mode === 'demo' ? await import('./demo.ts') : null;
  const [paying, sales] = await Promise.all([
    openPayments({ ...foundation, settings, indexDb: resources.indexDb }, demoModule),
    openSales(settings, foundation),
  ]);
  const { payments, chainSync, devchain, demoAccount } = paying;
  const syncChain = (): Promise<void> => chainSync.wake();
  const ordersSlice = createOrders({
    ...foundation,
    ...sales,
    ...createPaymentTerms(settings, payments),
    payments,
    confirmationSteps: settings.confirmationSteps,
    reservationLimits: settings.hasRateLimits ? RESERVATION_LIMITS : null,
  });
  const { orders } = ordersSlice;
  const reviews = await openReviews(foundation, sales, orders);
  const customers = createCustomerSlices(settings, foundation, sales, orders);
  const refunds = new Refunds({
    ...foundation,
    accounts: customers.accounts,
    orders,
    payments,
    orderStatus: ordersSlice.orderStatus,
    confirmationSteps: settings.confirmationSteps,
    unclaimedAfterDays: settings.unclaimedAfterDays,
    syncChain,
  });
  const stockAlerts = createStockAlerts(foundation, sales.catalogue, customers.accounts);
  const invoicesChanged = new SyncEvent<[tx: Db]>();
  const onIssued = (tx: Db, orderId: string): void => ordersSlice.liveOrders.publish(tx, [orderId]);
  const invoices = new Invoices({ ...foundation, onIssued, onChanged: invoicesChanged.emit });
  const endpointDisabled = new AsyncEvent<Parameters<StaffMails['enqueueWebhookMails']>>();
  const integrated = { ...foundation, ...sales, ...customers, settings, onDisabled: endpointDisabled.emit };
  const others = { refunds, reviews, stockAlerts, invoices, ...createIntegrations(integrated) };
  const lower = { ...sales, ...paying, ...ordersSlice, ...customers, ...others };
  const staff = createStaffSlices(settings, foundation, lower);
  connectSlices({ ...lower, ...staff });
  invoicesChanged.on((tx) => staff.liveStaff.publishAfterCommit(tx, ['invoices']));
  endpointDisabled.on((tx, id, because) => staff.staffMails.enqueueWebhookMails(tx, id, because));
  const { limits, markdown, pdf, pictures, pubSub, revisions, jobs, mails, rates, shipping, shopSettings } = foundation;
  const findAmountDue: Orders['findAmountDue'] = (id) => orders.findAmountDue(id);
  const findRefundPsbt: Refunds['findPsbt'] = (id) => refunds.findPsbt(id);
  const demo =
    demoModule?.createDemo({
      db: foundation.db,
      clock: resources.clock,
      devchain,
      account: demoAccount,
      findAmountDue,
      findRefundPsbt,
      syncChain,
    }) ?? null;
  const onApplied = (): void => staff.liveStaff.publish(['catalogue', 'stock']);
  const importing = createImports(settings, foundation, { ...sales, connection: resources.connection, onApplied });
  const shared = {
    limits,
    markdown,
    pdf,
    pictures,
    pubSub,
    revisions,
    jobs,
    mails,
    rates,
    shipping,
    shopSettings,
  };
  return { ...lower, ...staff, ...shared, demo, ...importing };
}

/** Catalogue, content, promotions, inventory and carts. */
async function openSales(settings: Settings, foundation: Foundation) {
  const {
    db,
    clock,
    markdown,
    pictures,
    priceGuard,
    rates,
    revisions,
    settingsRefreshed,
    shipping,
    shopSettings,
    taxes,
  } = foundation;
  const stockChanged = new AsyncEvent<[variantIds: readonly string[]]>();
  const stockWatch = new StockWatch(db, clock, stockChanged.emit);
  // Before the catalogue is read, so that no change is missed in between.
  await stockWatch.check();
  const catalogue = await Catalogue.open(db, rates.display, clock);
  revisions.add(catalogue);
  stockChanged.on((variantIds) => catalogue.refreshStock(variantIds));
  revisions.addCheck(() => stockWatch.check());
  revisions.addCheck(() => catalogue.refreshSales(), SALES_REFRESH_MS);
  const contentSlice = await createContent({
    db,
    clock,
    revisions,
    parser: markdown,
    pictures,
    prices: {
      findStartingPrice: (slug) => catalogue.findStartingPrice(slug),
      isOnSale: (slug) => catalogue.snapshot.productsBySlug.has(slug),
      getVersion: () => `${catalogue.version} ${catalogue.rate}`,
    },
    figures: () =>
      describeFigures({
        ...settings,
        shopName: shopSettings.current.identity.name,
        shopAddress: shopSettings.current.identity.address,
        refundMethod: shopSettings.refundMethod,
        shortWindowSeconds: RESERVATION_LIMITS.shortSeconds,
      }),
  });
  revisions.add(contentSlice.content);
  // Texts quote the name and the address of the shop.
  settingsRefreshed.on(() => contentSlice.content.refresh());
  const promotions = await Promotions.open(db, catalogue);
  revisions.add(promotions);
  const promotionChanges = new PromotionChanges({ db, clock, catalogue, revisions, priceGuard });
  const inventory = new Inventory(clock);
  const openOrdersWith = new Query<Parameters<Orders['lockOpenOrdersWith']>, readonly OpenOrderQuantity[]>();
  const stockAdjustments = new StockAdjustments({
    clock,
    isTrackedByDefault: settings.mode === 'live',
    lockOpenOrders: openOrdersWith.run,
  });
  const lowStockReported = new AsyncEvent<[tx: Db, day: string]>();
  const lowStock = new LowStock({ db, clock, onReported: lowStockReported.emit });
  const carts = new Carts({ db, clock, catalogue, promotions, taxes, shipping });
  const stock = { inventory, stockWatch, stockAdjustments, lowStock, openOrdersWith, lowStockReported };
  const findMissingPictures: ProductEditingOptions['findMissingPictures'] = (tx, paths) =>
    pictures.findMissingUploads(tx, paths);
  const editing = createEditing({
    db,
    clock,
    catalogue,
    revisions,
    priceGuard,
    stockAdjustments,
    parser: markdown,
    findMissingPictures,
  });
  return { catalogue, ...editing, ...contentSlice, ...stock, promotions, promotionChanges, taxes, carts };
}

/** Reviews, refreshed in every process when one of them changes a review. */
async function openReviews({ db, clock, revisions, shopSettings }: Foundation, { catalogue }: Sales, orders: Orders) {
  const reviews = await Reviews.open({
    db,
    clock,
    catalogue,
    hasBought: (userId, productId) => orders.hasPaidFor(userId, productId),
    findFirstName: async (userId) => (await orders.findLastBilling(userId))?.firstName ?? null,
    checkName: (name, username) =>
      checkPublicName(db, { name, username, shopName: shopSettings.current.identity.name }),
    announce: () => revisions.announce(),
  });
  revisions.add(reviews);
  return reviews;
}

/** Accounts and support. */
function createCustomerSlices(settings: Settings, foundation: Foundation, { carts, content }: Sales, orders: Orders) {
  const listTicketIds = new Query<[userId: string], readonly string[]>();
  const accountsSlice = createAccounts({
    ...foundation,
    origin: new URL(resolveShopUrl(settings)).origin,
    listOrderIds: (userId) => orders.listIds(userId),
    listTicketIds: listTicketIds.run,
    getShopName: () => foundation.shopSettings.current.identity.name,
    getTermsVersion: () => content.findLegalNumber('terms'),
    onSignedIn: (tx, signedIn) => carts.mergeGuestCart(tx, signedIn),
    onSignedOut: (sessionId) => foundation.pubSub.publish(SESSION_ENDED_TOPIC, sessionId),
  });
  const supportSlice = createSupport({ ...foundation, accounts: accountsSlice.accounts });
  listTicketIds.setHandler((userId) => supportSlice.tickets.listIds(userId));
  return { ...accountsSlice, ...supportSlice };
}

/** The slices above all others: admin, notifications and personal data. */
function createStaffSlices(settings: Settings, foundation: Foundation, lower: LowerSlices) {
  const { orderStatus } = lower;
  const { shopSettings } = foundation;
  const frame = createMailFrame(settings, shopSettings);
  const getSupportEmail = () => shopSettings.current.mail.support_email || settings.supportEmail;
  const adminSlice = createAdmin({
    ...foundation,
    setupChecks: {
      texts: () => LEGAL_KINDS.every((kind) => lower.content.findLegalNumber(kind) !== null),
      // Saved once, even without changes.
      tax: () => lower.taxes.current.version > 0,
      shipping: () => foundation.shipping.current.version > 0,
    },
    ...lower,
    ...createPaymentTerms(settings, lower.payments),
    orderStatus,
    wallet: lower.accountKey,
    settings: settings.effective,
    hasSetup: settings.mode === 'live',
    getSupportEmail,
    frame,
  });
  const notifications = createNotifications({ ...foundation, ...lower, ...adminSlice, frame, getSupportEmail });
  const personalData = createPersonalData(foundation, lower, adminSlice.staffMails);
  return { ...adminSlice, notifications, personalData };
}

function createPersonalData(foundation: Foundation, lower: LowerSlices, staffMails: StaffMails): PersonalData {
  return new PersonalData({
    ...foundation,
    ...lower,
    accounts: lower.accountData,
    orders: lower.orderData,
    refunds: lower.refunds.personalData,
    onErased: (tx, erased) => staffMails.erase(tx, erased),
  });
}

/** What higher slices do when something happens in a lower one. */
function connectSlices(shop: LowerSlices & StaffSlices): void {
  const { orders, orderStatus, liveOrders, liveStaff, refunds, catalogue, promotions, staffMails } = shop;
  shop.waitingRecipients.setHandler(async () => [
    ...(await orders.listOpenIds()),
    ...(await refunds.matching.listAwaitedScripts()),
  ]);
  shop.ledgerChanged.on(async (tx, recipientIds) => {
    const orderIds = await refunds.matching.matchWithLedger(tx, recipientIds);
    await orderStatus.reconcile(tx, orderIds);
    liveOrders.publish(tx, orderIds);
    liveStaff.publishAfterCommit(tx, ['orders', 'payments', 'refunds', 'stock']);
  });
  shop.ledgerReconciled.on(async (at) => {
    await orderStatus.expireDue(at);
    await orderStatus.reconcileLate();
    await catalogue.refreshSales();
    await promotions.refreshUses();
  });
  shop.refundEntries.setHandler((orderId) => refunds.findTimelineEntries(orderId));
  shop.addressChanged.on((tx, userId) => refunds.addresses.invalidateConfirmations(tx, userId));
  shop.openOrdersWith.setHandler((tx, variantIds) => orders.lockOpenOrdersWith(tx, variantIds));
  shop.lowStockReported.on((tx, day) => staffMails.enqueueLowStockMail(tx, day));
  shop.paidOrdersReported.on((tx, digestId) => staffMails.enqueuePaidOrdersMail(tx, digestId));
  shop.ticketCreated.on((tx, ticketId) => staffMails.enqueueTicketMail(tx, ticketId));
  shop.ticketSeen.on(() => liveStaff.publish(['tickets']));
  shop.messageReceived.on((tx, messageId) => staffMails.enqueueContactMail(tx, messageId));
  shop.messageDeleted.on((tx, messageId) => staffMails.erase(tx, { messages: [messageId] }));
}

function createPaymentTerms(settings: Settings, { dustSats }: LowerSlices['payments']) {
  const { lateTolerancePercent, paymentWindowSeconds, unconfirmedLimitSeconds } = settings;
  const tolerance = { ...settings.paymentTolerance, dustSats };
  return { lateTolerancePercent, tolerance, paymentWindowSeconds, unconfirmedLimitSeconds };
}
