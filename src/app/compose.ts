/**
 * Creates the slices, the lowest first, and connects them. A slice receives lower slices as
 * options; `connectSlices` connects higher slices to lower ones last.
 */
import type { PoolConfig } from 'pg';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Database, Db } from '#src/platform/database/database.ts';
import { PubSub } from '#src/platform/database/pub-sub.ts';
import { openDevices } from '#src/platform/security/devices/devices.ts';
import { noRateLimits, createRateLimits } from '#src/platform/http/rate-limits.ts';
import { HOURLY_JOB } from '#src/platform/jobs/hourly.ts';
import { openJobs } from '#src/platform/jobs/jobs.ts';
import type { Log } from '#src/platform/process/log.ts';
import { Query } from '#src/platform/process/events.ts';
import { MAIL_JOB, Mails } from '#src/platform/mail/mails.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import { createSmtpTransport } from '#src/platform/mail/smtp-transport.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import { createDisplayRate } from '#src/platform/rates/display-rate.ts';
import { createChainSource, createRateSource } from './create-sources.ts';
import type * as DemoModule from './demo.ts';
import type { Demo } from './demo.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { createAccounts } from '#src/shop/accounts/create.service.ts';
import { createAdmin } from '#src/shop/admin/create.service.ts';
import type { StaffMails } from '#src/shop/admin/service.ts';
import { Carts } from '#src/shop/cart/service.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { Content } from '#src/shop/content/service.ts';
import { Inventory } from '#src/shop/inventory/service.ts';
import { createOrders } from '#src/shop/orders/create.service.ts';
import type { OrdersSlice } from '#src/shop/orders/create.service.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import { Notifications } from '#src/shop/notifications/service.ts';
import { RESERVATION_LIMITS } from '#src/shop/orders/checkout/reservation-limits.ts';
import { createPayments } from '#src/shop/payments/create.service.ts';
import { ChainSyncWorker } from '#src/shop/payments/chain-sync/worker.ts';
import { PersonalData } from '#src/shop/personal-data/service.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import { Refunds } from '#src/shop/refunds/service.ts';
import { Reviews } from '#src/shop/reviews/service.ts';
import { SHOP_ADDRESS, SHOP_NAME } from '#src/shop/shop-identity.ts';
import { createSupport } from '#src/shop/support/create.service.ts';

/** Pub/sub topic: the session with this id has ended. */
export const SESSION_ENDED_TOPIC = 'session';
/** Pub/sub topic: the approved reviews have changed. Has one constant id. */
const REVIEWS_CHANGED_TOPIC = 'reviews';
const ALL_REVIEWS_ID = '0';

export interface ShopResources {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: AdjustableClock;
  readonly database: Database;
  readonly connection: PoolConfig;
  /** A pool of one connection, for the address allocator only. */
  readonly indexDb: Db;
  readonly passwords: Passwords;
}

type Foundation = Awaited<ReturnType<typeof createFoundation>>;
type Sales = Awaited<ReturnType<typeof openSales>>;
type CustomerSlices = ReturnType<typeof createCustomerSlices>;
type StaffSlices = ReturnType<typeof createStaffSlices>;
/** Every slice below admin, notifications and personal data. */
type LowerSlices = Awaited<ReturnType<typeof openPayments>> &
  Sales &
  OrdersSlice &
  CustomerSlices & { readonly refunds: Refunds; readonly reviews: Reviews };

/** The services of all slices. `devchain` is null when payments come from another chain. */
export interface Shop
  extends LowerSlices, StaffSlices, Pick<Foundation, 'limits' | 'pubSub' | 'jobs' | 'mails' | 'rates'> {
  /** Null in live mode. */
  readonly demo: Demo | null;
}

export async function composeShop(resources: ShopResources): Promise<Shop> {
  const { settings } = resources;
  const foundation = await createFoundation(resources);
  // Imported here and not above: a live shop does not load the demo slice.
  const demoModule = settings.mode === 'demo' ? await import('./demo.ts') : null;
  const [paying, sales] = await Promise.all([openPayments(resources, foundation, demoModule), openSales(foundation)]);
  const { payments, chainSync, devchain } = paying;
  const syncChain = (): Promise<void> => chainSync.wake();
  const ordersSlice = createOrders({
    ...foundation,
    ...sales,
    ...createPaymentTerms(settings),
    payments,
    confirmationSteps: settings.confirmationSteps,
    reservationLimits: settings.hasRateLimits ? RESERVATION_LIMITS : null,
  });
  const { orders } = ordersSlice;
  const reviews = await openReviews(foundation, sales, orders);
  const customers = createCustomerSlices(foundation, sales, orders);
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
  const lower = { ...sales, ...paying, ...ordersSlice, ...customers, refunds, reviews };
  const staff = createStaffSlices(settings, foundation, lower);
  connectSlices({ ...lower, ...staff });
  const { limits, pubSub, jobs, mails, rates } = foundation;
  const findAmountDue: Orders['findAmountDue'] = (id) => orders.findAmountDue(id);
  const demo =
    demoModule?.createDemo({ db: foundation.db, clock: resources.clock, devchain, findAmountDue, syncChain }) ?? null;
  return { ...lower, ...staff, limits, pubSub, jobs, mails, rates, demo };
}

async function createFoundation({ settings, log, clock, database, connection, passwords }: ShopResources) {
  const { db } = database;
  const { smtpUrl, mailFrom: from } = settings;
  const limits = settings.hasRateLimits ? createRateLimits(database.pool) : noRateLimits;
  const jobs = openJobs({ connection, queues: [MAIL_JOB, HOURLY_JOB], log });
  const transport = smtpUrl === null ? null : createSmtpTransport({ url: smtpUrl, from });
  return {
    db,
    clock,
    log,
    limits,
    jobs,
    passwords,
    devices: await openDevices(db),
    network: getBitcoinNetwork(settings.network),
    /** A live rate has to be started. */
    rates: createRateSource({ settings, clock, log, db }),
    pubSub: new PubSub({ db, connection, log }),
    mails: new Mails<MailKind>({ db, clock, log, jobs, limits, transport, isStoringContent: settings.mode === 'demo' }),
  };
}

/** Payments, their chain source, and the worker that reads it. */
async function openPayments(
  { settings, indexDb, connection }: ShopResources,
  { db, clock, log, network }: Foundation,
  demo: typeof DemoModule | null,
) {
  const { accountKey, autoMine, confirmationSteps } = settings;
  const hasPendingPayments = new Query<[], boolean>();
  const devchain =
    demo !== null && settings.chain.source === 'devchain'
      ? await demo.Devchain.open({ db, clock, log, network, autoMine, hasPendingPayments: hasPendingPayments.run })
      : null;
  const source = createChainSource(settings.chain, network, devchain && demo && demo.createDevchainSource(devchain));
  const slice = createPayments({ db, clock, log, indexDb, source, accountKey });
  const { payments } = slice;
  const mostConfirmations = Math.max(...confirmationSteps.map(({ confirmations }) => confirmations));
  hasPendingPayments.setHandler(() => payments.hasOutputsBelowDepth(mostConfirmations));
  return { ...slice, devchain, chainSync: new ChainSyncWorker({ payments, log, connection }) };
}

/** Catalogue, content, promotions, inventory and carts. */
async function openSales({ db, clock, rates }: Foundation) {
  // Pages show the display rate; an order takes the present rate.
  const displayRate = createDisplayRate(rates, () => clock.now());
  const [catalogue, content] = await Promise.all([Catalogue.open(db, displayRate), Content.open(db)]);
  const promotions = await Promotions.open(db, catalogue);
  const inventory = new Inventory();
  const carts = new Carts({ db, clock, catalogue, inventory, promotions });
  return { catalogue, content, inventory, promotions, carts };
}

/** Reviews, reloaded in every process when one of them changes a review. */
async function openReviews({ db, clock, log, pubSub }: Foundation, { catalogue }: Sales, orders: Orders) {
  const reviews = await Reviews.open({
    db,
    clock,
    catalogue,
    hasBought: (userId, productId) => orders.hasPaidFor(userId, productId),
    onChanged: () => pubSub.publish(REVIEWS_CHANGED_TOPIC, ALL_REVIEWS_ID),
  });
  const reload = (): void =>
    void reviews.reload().catch((error: unknown) => log.warn({ err: error }, 'the reviews could not be reloaded'));
  pubSub.subscribe(REVIEWS_CHANGED_TOPIC, reload);
  pubSub.onGap(reload);
  return reviews;
}

/** Accounts and support. */
function createCustomerSlices(foundation: Foundation, { carts }: Sales, orders: Orders) {
  const listTicketIds = new Query<[userId: string], readonly string[]>();
  const accountsSlice = createAccounts({
    ...foundation,
    listOrderIds: (userId) => orders.listIds(userId),
    listTicketIds: listTicketIds.run,
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
  const frame = { shopName: SHOP_NAME, shopAddress: SHOP_ADDRESS, shopUrl: resolveShopUrl(settings) };
  const adminSlice = createAdmin({
    ...foundation,
    ...lower,
    ...createPaymentTerms(settings),
    orderStatus,
    wallet: settings.accountKey,
    settings: settings.effective,
    supportEmail: settings.supportEmail,
    frame,
  });
  const { staffMails } = adminSlice;
  const notifications = new Notifications({
    ...foundation,
    ...lower,
    frame,
    onClaimed: (tx, events) => staffMails.enqueueTaskMails(tx, events),
  });
  const personalData = createPersonalData(foundation, lower, staffMails);
  return { ...adminSlice, notifications, personalData };
}

function createPersonalData(
  foundation: Foundation,
  { profile, accountData, carts, orderData, refunds, contact, tickets, reviews }: LowerSlices,
  staffMails: StaffMails,
): PersonalData {
  return new PersonalData({
    ...foundation,
    profile,
    accounts: accountData,
    carts,
    orders: orderData,
    refunds: refunds.personalData,
    contact,
    tickets,
    reviews,
    onErased: (tx, erased) => staffMails.erase(tx, erased),
  });
}

/** What higher slices do when something happens in a lower one. */
function connectSlices(shop: LowerSlices & StaffSlices): void {
  const { orders, orderStatus, liveOrders, refunds, catalogue, promotions, staffMails } = shop;
  shop.waitingRecipients.setHandler(async () => [
    ...(await orders.listOpenIds()),
    ...(await refunds.matching.listAwaitedScripts()),
  ]);
  shop.ledgerChanged.on(async (tx, recipientIds) => {
    const orderIds = await refunds.matching.matchWithLedger(tx, recipientIds);
    await orderStatus.reconcile(tx, orderIds);
    liveOrders.publish(tx, orderIds);
  });
  shop.ledgerReconciled.on(async (at) => {
    await orderStatus.expireDue(at);
    await orderStatus.reconcileLate();
    await catalogue.refreshSales();
    await promotions.refreshUses();
  });
  shop.refundEntries.setHandler((orderId) => refunds.findTimelineEntries(orderId));
  shop.addressChanged.on((tx, userId) => refunds.addresses.invalidateConfirmations(tx, userId));
  shop.ticketCreated.on((tx, ticketId) => staffMails.enqueueTicketMail(tx, ticketId));
  shop.messageReceived.on((tx, messageId) => staffMails.enqueueContactMail(tx, messageId));
}

function createPaymentTerms(settings: Settings) {
  const { lateTolerancePercent, paymentTolerance: tolerance, paymentWindowSeconds, unconfirmedLimitSeconds } = settings;
  return { lateTolerancePercent, tolerance, paymentWindowSeconds, unconfirmedLimitSeconds };
}
