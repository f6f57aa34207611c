/**
 * Creates the slices, the lowest first, and connects them. A slice receives what it names of the lower ones;
 * `connectSlices` connects higher slices to lower ones last.
 */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, SyncEvent } from '#src/platform/process/events.ts';
import { AccountingDownload } from '#src/shop/accounting-export/download.service.ts';
import { checkPublicName } from '#src/shop/accounts/registration/public-name.service.ts';
import { listTeam } from '#src/shop/accounts/team/service.ts';
import type { StaffMails } from '#src/shop/admin/mails/service.ts';
import { AuditList } from '#src/shop/audit-log/list/service.ts';
import { LEGAL_KINDS } from '#src/shop/content/legal/legal-kind.ts';
import type { StockAlerts } from '#src/shop/inventory/alerts/service.ts';
import { Invoices } from '#src/shop/invoices/service.ts';
import { RESERVATION_LIMITS } from '#src/shop/orders/checkout/reservation-limits.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import { PersonalData } from '#src/shop/personal-data/service.ts';
import { Refunds } from '#src/shop/refunds/service.ts';
import { Reviews } from '#src/shop/reviews/service.ts';
import { createAccounts } from './create-accounts.ts';
import type { AccountsSlice } from './create-accounts.ts';
import { createAdmin } from './create-admin.ts';
import { createImports } from './create-imports.ts';
import type { Importing } from './create-imports.ts';
import { createIntegrations } from './create-integrations.ts';
import type { Integrations } from './create-integrations.ts';
import { createMailFrame } from './create-mail-frame.ts';
import { createNotifications } from './create-notifications.ts';
import { createOrders } from './create-orders.ts';
import type { OrdersSlice, PaymentTerms } from './create-orders.ts';
import { createStockAlerts } from './create-stock-alerts.ts';
import { createSupport } from './create-support.ts';
import type { SupportSlice } from './create-support.ts';
import type { Demo } from './demo.ts';
import { openFoundation } from './open-foundation.ts';
import type { Foundation, ShopResources } from './open-foundation.ts';
import { openPayments } from './open-payments.ts';
import { openSales } from './open-sales.ts';
import type { Sales } from './open-sales.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';

/** Pub/sub topic: the session with this id has ended. */
export const SESSION_ENDED_TOPIC = 'session';
type Paying = Awaited<ReturnType<typeof openPayments>>;
type StaffSlices = ReturnType<typeof createStaffSlices>;
/** Every slice below admin, notifications and personal data. */
type LowerSlices = Paying &
  Sales &
  AccountsSlice &
  OrdersSlice &
  SupportSlice &
  Integrations & {
    readonly refunds: Refunds;
    readonly reviews: Reviews;
    readonly stockAlerts: StockAlerts;
    readonly invoices: Invoices;
    readonly invoicesChanged: SyncEvent<[tx: Db]>;
    readonly endpointDisabled: AsyncEvent<Parameters<StaffMails['enqueueWebhookMails']>>;
  };

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
      | 'taxes'
    > {
  /** Null in live mode. */
  readonly demo: Demo | null;
  /** Every setting of the environment in force, secrets masked. */
  readonly environment: Settings['effective'];
}

export async function composeShop(resources: ShopResources): Promise<Shop> {
  const { clock, connection, indexDb, settings } = resources;
  const foundation = await openFoundation(resources);
  const { db, leaderLock, log, network, telemetry } = foundation;
  // Imported here and not above: a live shop does not load the demo slice.
  const demoModule = settings.mode === 'demo' ? await import('./demo.ts') : null;
  const [paying, sales] = await Promise.all([
    openPayments({ settings, db, indexDb, clock, leaderLock, log, network, telemetry }, demoModule),
    openSales(settings, foundation),
  ]);
  const lower = await createLowerSlices(settings, foundation, paying, sales);
  const staff = createStaffSlices(settings, foundation, lower);
  connectSlices(lower, staff);
  const { chainSync, demoAccount: account, devchain, orders, refunds } = lower;
  const demo =
    demoModule?.createDemo({
      db,
      clock,
      devchain,
      account,
      findAmountDue: (id) => orders.findAmountDue(id),
      findRefundPsbt: (id) => refunds.findPsbt(id),
      syncChain: () => chainSync.wake(),
    }) ?? null;
  const importing = createImports({
    settings,
    foundation,
    connection,
    stockAdjustments: lower.stockAdjustments,
    onApplied: () => staff.liveStaff.publish(['catalogue', 'stock']),
  });
  const { jobs, limits, mails, markdown, pdf, pictures, pubSub, rates, revisions, shipping, shopSettings, taxes } =
    foundation;
  return {
    ...lower,
    ...staff,
    ...importing,
    demo,
    environment: settings.effective,
    jobs,
    limits,
    mails,
    markdown,
    pdf,
    pictures,
    pubSub,
    rates,
    revisions,
    shipping,
    shopSettings,
    taxes,
  };
}

async function createLowerSlices(
  settings: Settings,
  foundation: Foundation,
  paying: Paying,
  sales: Sales,
): Promise<LowerSlices> {
  const { clock, db, limits, log, mails, network, pdf, pubSub, rates, secrets, shopSettings } = foundation;
  const { carts, catalogue, inventory, promotions } = sales;
  const { chainSync, payments } = paying;
  const { confirmationSteps, unclaimedAfterDays } = settings;
  const accountsSlice = openAccounts(settings, foundation, sales);
  const { accounts, customers } = accountsSlice;
  const ordersSlice = createOrders({
    db,
    clock,
    log,
    pubSub,
    rates,
    network,
    shopSettings,
    accounts,
    catalogue,
    inventory,
    promotions,
    carts,
    payments,
    terms: createPaymentTerms(settings, payments.dustSats),
    confirmationSteps,
    reservationLimits: settings.hasRateLimits ? RESERVATION_LIMITS : null,
  });
  const { orderList, orders, orderStatus } = ordersSlice;
  const support = createSupport({
    db,
    clock,
    log,
    limits,
    mails,
    pubSub,
    shopSettings,
    accounts,
    customers,
    orderList,
  });
  const endpointDisabled = new AsyncEvent<Parameters<StaffMails['enqueueWebhookMails']>>();
  const onDisabled = endpointDisabled.emit;
  const invoicesChanged = new SyncEvent<[tx: Db]>();
  const onIssued = (tx: Db, orderId: string): void => ordersSlice.liveOrders.publish(tx, [orderId]);
  return {
    ...paying,
    ...sales,
    ...accountsSlice,
    ...ordersSlice,
    ...support,
    ...createIntegrations({ settings, db, clock, secrets, shopSettings, catalogue, support, onDisabled }),
    endpointDisabled,
    invoices: new Invoices({ db, clock, log, shopSettings, pdf, onIssued, onChanged: invoicesChanged.emit }),
    invoicesChanged,
    refunds: new Refunds({
      db,
      clock,
      log,
      network,
      mails,
      rates,
      shopSettings,
      accounts,
      orders,
      payments,
      orderStatus,
      confirmationSteps,
      unclaimedAfterDays,
      syncChain: () => chainSync.wake(),
    }),
    reviews: await openReviews(foundation, sales, orders),
    stockAlerts: createStockAlerts({ db, clock, mails }, catalogue, accounts),
  };
}

function openAccounts(settings: Settings, foundation: Foundation, { carts, content }: Sales): AccountsSlice {
  const { clock, db, devices, isSecondFactorRequired, limits, mails, passwords, pubSub } = foundation;
  const { secrets, shopSettings } = foundation;
  return createAccounts({
    db,
    clock,
    limits,
    mails,
    passwords,
    devices,
    secrets,
    isSecondFactorRequired,
    origin: new URL(resolveShopUrl(settings)).origin,
    shopSettings,
    getTermsVersion: () => content.findLegalNumber('terms'),
    onSignedIn: (tx, signedIn) => carts.mergeGuestCart(tx, signedIn),
    onSignedOut: (sessionId) => pubSub.publish(SESSION_ENDED_TOPIC, sessionId),
  });
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

/** The slices above all others: admin, notifications and personal data. */
function createStaffSlices(settings: Settings, foundation: Foundation, lower: LowerSlices) {
  const { clock, db, mails, shipping, shopSettings, taxes } = foundation;
  const { accounts, catalogue, content, invoices, payments, profile, refunds, reviews, stockAlerts, timeline } = lower;
  const frame = createMailFrame(settings, shopSettings);
  const getSupportEmail = () => shopSettings.current.mail.support_email || settings.supportEmail;
  const adminSlice = createAdmin({
    foundation,
    accounts: lower,
    orders: lower,
    support: lower,
    catalogue,
    lowStock: lower.lowStock,
    payments,
    reviews,
    webhookEndpoints: lower.webhookEndpoints,
    wallet: lower.accountKey,
    lateTolerancePercent: settings.lateTolerancePercent,
    hasSetup: settings.mode === 'live',
    setupChecks: {
      texts: () => LEGAL_KINDS.every((kind) => content.findLegalNumber(kind) !== null),
      // Saved once, even without changes.
      tax: () => taxes.current.version > 0,
      shipping: () => shipping.current.version > 0,
    },
    frame,
    getSupportEmail,
  });
  const { liveStaff, staffMails } = adminSlice;
  return {
    ...adminSlice,
    accountingDownload: new AccountingDownload({ db, clock, shopSettings }),
    auditList: new AuditList({ db, clock, shopSettings, listTeam }),
    notifications: createNotifications({
      db,
      mails,
      timeline,
      accounts,
      profile,
      invitations: lower.invitations,
      passwordReset: lower.passwordReset,
      factorChanges: lower.factorChanges,
      refunds,
      stockAlerts,
      inbox: lower.inbox,
      frame,
      getSupportEmail,
      invoices,
      webhookEvents: lower.webhookEvents,
      staffMails,
      liveStaff,
      telemetry: foundation.telemetry,
    }),
    personalData: new PersonalData({
      db,
      clock,
      mails,
      profile,
      accounts: lower.accountData,
      carts: lower.carts,
      orders: lower.orderData,
      refunds: refunds.personalData,
      contact: lower.contact,
      tickets: lower.tickets,
      reviews,
      stockAlerts,
      invoices,
      shopSettings,
      onErased: (tx, erased) => staffMails.erase(tx, erased),
    }),
  };
}

/** What higher slices do when something happens in a lower one. */
function connectSlices(shop: LowerSlices, { liveStaff, staffMails }: StaffSlices): void {
  const { orders, orderStatus, liveOrders, refunds, catalogue, promotions } = shop;
  shop.orderIds.setHandler((userId) => orders.listIds(userId));
  shop.ticketIds.setHandler((userId) => shop.tickets.listIds(userId));
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
  shop.invoicesChanged.on((tx) => liveStaff.publishAfterCommit(tx, ['invoices']));
  shop.endpointDisabled.on((tx, id, because) => staffMails.enqueueWebhookMails(tx, id, because));
}

function createPaymentTerms(settings: Settings, dustSats: Paying['payments']['dustSats']): PaymentTerms {
  const { lateTolerancePercent, paymentTolerance, paymentWindowSeconds, unconfirmedLimitSeconds } = settings;
  const tolerance = { ...paymentTolerance, dustSats };
  return { lateTolerancePercent, tolerance, paymentWindowSeconds, unconfirmedLimitSeconds };
}
