/** Puts the slices together: who knows whom, and what the lower ones tell the upper ones through functions. */
import type { PoolConfig } from 'pg';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Database, Db } from '#src/platform/database/database.ts';
import { PubSub } from '#src/platform/database/pub-sub.ts';
import { openDevices } from '#src/platform/security/devices/devices.ts';
import { noRateLimits, createRateLimits } from '#src/platform/http/rate-limits.ts';
import type { RateLimits } from '#src/platform/http/rate-limits.ts';
import { HOURLY_JOB } from '#src/platform/jobs/hourly.ts';
import { openJobs } from '#src/platform/jobs/jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { Log } from '#src/platform/process/log.ts';
import { MAIL_JOB, Mails } from '#src/platform/mail/mails.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import { createSmtpTransport } from '#src/platform/mail/smtp-transport.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import type { LiveRate } from '#src/platform/rates/live-rate.ts';
import type { RateSourceWithState } from '#src/platform/rates/rate-source.ts';
import { createDisplayRate } from '#src/platform/rates/display-rate.ts';
import { createChainSource, createRateSource } from './create-sources.ts';
import type { Settings } from '#src/platform/settings.ts';
import { Accounts } from '#src/shop/accounts/service.ts';
import { ChainAdmin } from '#src/shop/admin/chain/service.ts';
import { Admin, StaffMails } from '#src/shop/admin/service.ts';
import { Carts } from '#src/shop/cart/service.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { LiveTickets } from '#src/shop/support/chat/service.ts';
import { Contact } from '#src/shop/support/contact/service.ts';
import { Content } from '#src/shop/content/service.ts';
import { DemoTools } from '#src/shop/demo/service.ts';
import { Quotes } from '#src/shop/orders/status/quotes.service.ts';
import { Fulfilment } from '#src/shop/orders/status/service.ts';
import { LiveOrders } from '#src/shop/orders/live/service.ts';
import { Notifications } from '#src/shop/notifications/service.ts';
import { RESERVATION_LIMITS } from '#src/shop/orders/checkout/reservation-limits.ts';
import { Orders } from '#src/shop/orders/service.ts';
import { Owner } from '#src/shop/admin/owner/service.ts';
import { parseConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { Payments } from '#src/shop/payments/service.ts';
import { ChainSyncWorker } from '#src/shop/payments/chain-sync/worker.ts';
import { PersonalData } from '#src/shop/personal-data/service.ts';
import { Profile } from '#src/shop/accounts/profile/service.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import { PasswordReset } from '#src/shop/accounts/password-reset/service.ts';
import { Refunds } from '#src/shop/refunds/service.ts';
import { Reviews } from '#src/shop/reviews/service.ts';
import { Tickets } from '#src/shop/support/tickets/service.ts';
import { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import { SHOP_ADDRESS } from '#src/storefront/layout/shop-address.ts';

/** News: the session of this id is over. */
export const SESSION_ENDED_TOPIC = 'session';
/** News: what is shown of reviews has changed; every process has an id of its own for all of them. */
const REVIEWS_CHANGED_TOPIC = 'reviews';
const ALL_REVIEWS_ID = '0';

export interface ShopResources {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: AdjustableClock;
  readonly database: Database;
  readonly connection: PoolConfig;
  /** One connection, which nothing else waits for. */
  readonly indexDb: Db;
  readonly passwords: Passwords;
}

export interface Shop {
  readonly limits: RateLimits;
  readonly catalogue: Catalogue;
  readonly content: Content;
  readonly contact: Contact;
  readonly reviews: Reviews;
  readonly promotions: Promotions;
  readonly accounts: Accounts;
  readonly profile: Profile;
  readonly passwordReset: PasswordReset;
  readonly personalData: PersonalData;
  readonly carts: Carts;
  readonly orders: Orders;
  readonly fulfilment: Fulfilment;
  readonly refunds: Refunds;
  readonly timeline: OrderTimeline;
  readonly tickets: Tickets;
  readonly payments: Payments;
  readonly watcher: ChainSyncWorker;
  readonly jobs: Jobs;
  readonly mails: Mails<MailKind>;
  readonly notifications: Notifications;
  readonly staffMails: StaffMails;
  readonly admin: Admin;
  readonly chainDesk: ChainAdmin;
  readonly owner: Owner;
  readonly pubSub: PubSub;
  readonly liveOrders: LiveOrders;
  readonly liveTickets: LiveTickets;
  /** Null when payments come from another chain. */
  readonly devchain: Devchain | null;
  /** One that asks exchanges is to be started. */
  readonly rates: RateSourceWithState | LiveRate;
  /** Null in live mode. */
  readonly developer: DemoTools | null;
}

export async function composeShop({
  settings,
  log,
  clock,
  database,
  connection,
  indexDb,
  passwords,
}: ShopResources): Promise<Shop> {
  const { db } = database;
  const accountKey = readAccountKey(settings.accountKey, settings.network, settings.walletScript);
  if (!accountKey.ok) throw new Error(accountKey.message);
  const confirmations = parseConfirmationSteps(settings.confirmations);
  if (!confirmations.ok) throw new Error(confirmations.reason);

  const mostConfirmations = Math.max(...confirmations.steps.map((step) => step.confirmations));
  const network = getBitcoinNetwork(settings.network);
  const rates = createRateSource({ settings, clock, log, db });
  const limits = settings.hasRateLimits ? createRateLimits(database.pool) : noRateLimits;
  const [devchain, catalogue, content] = await Promise.all([
    settings.chain.source === 'devchain'
      ? Devchain.open({
          db,
          clock,
          log,
          network,
          autoMine: settings.autoMine,
          hasPendingPayments: () => payments.hasOutputsBelowDepth(mostConfirmations),
        })
      : null,
    // Prices are shown at a rate that does not tremble; an order takes the present one.
    Catalogue.open(
      db,
      createDisplayRate(rates, () => clock.now()),
    ),
    Content.open(db),
  ]);
  const devices = await openDevices(db);
  const [reviews, promotions] = await Promise.all([
    Reviews.open({
      db,
      clock,
      catalogue,
      hasBought: (userId, productId) => orders.hasPaidFor(userId, productId),
      onChanged: () => news.publish(REVIEWS_CHANGED_TOPIC, ALL_REVIEWS_ID),
    }),
    Promotions.open(db, catalogue),
  ]);
  const jobs = openJobs({ connection, queues: [MAIL_JOB, HOURLY_JOB], log });
  const { smtpUrl, mailFrom: from } = settings;
  const transport = smtpUrl === null ? null : createSmtpTransport({ url: smtpUrl, from });
  const mails = new Mails<MailKind>({
    db,
    clock,
    log,
    jobs,
    limits,
    transport,
    isStoringContent: settings.mode === 'demo',
  });
  const carts = new Carts({ db, clock, catalogue, promotions });
  const payments = new Payments({
    db,
    indexDb,
    clock,
    log,
    source: createChainSource(settings.chain, network, devchain),
    waitingRecipients: async () => [...(await orders.listOpenIds()), ...(await refunds.matching.listAwaitedScripts())],
    accountKey: accountKey.account,
    onLedgerChanged: async (tx, recipientIds) => {
      const orderIds = await refunds.matching.matchWithLedger(tx, recipientIds);
      await lifecycle.reconcile(tx, orderIds);
      liveOrders.publish(tx, orderIds);
    },
    onReconciled: async (at) => {
      await lifecycle.expireDue(at);
      await lifecycle.reconcileLate();
      await catalogue.refreshSales();
      await promotions.refreshUses();
    },
  });
  const orders = new Orders({
    db,
    clock,
    log,
    rates,
    carts,
    catalogue,
    promotions,
    payments,
    reconcile: (tx, orderIds) => lifecycle.reconcile(tx, orderIds),
    paymentWindowSeconds: settings.paymentWindowSeconds,
    confirmationSteps: confirmations.steps,
    reservationLimits: settings.hasRateLimits ? RESERVATION_LIMITS : null,
    tolerance: settings.paymentTolerance,
    onChanged: (tx, orderIds) => liveOrders.publish(tx, orderIds),
  });
  const { lateTolerancePercent, paymentTolerance: tolerance, paymentWindowSeconds, unconfirmedLimitSeconds } = settings;
  const terms = { lateTolerancePercent, tolerance, paymentWindowSeconds, unconfirmedLimitSeconds };
  const lifecycle = new Fulfilment({
    db,
    clock,
    log,
    rates,
    orders,
    carts,
    catalogue,
    promotions,
    payments,
    ...terms,
  });
  const onSignedOut = (sessionId: string): void => news.publish(SESSION_ENDED_TOPIC, sessionId);
  const accounts = new Accounts({
    db,
    clock,
    passwords,
    limits,
    devices,
    listOrderIds: (userId) => orders.listIds(userId),
    listTicketIds: (userId) => tickets.listIds(userId),
    onRegistered: (tx, userId) => profile.requestConfirmation(tx, userId),
    onSignedIn: (tx, signedIn) => carts.mergeGuestCart(tx, signedIn),
    onSignedOut,
  });
  const lookAtChain = (): Promise<void> => watcher.wake();
  const { unclaimedAfterDays } = settings;
  const ofRefunds = { network, confirmationSteps: confirmations.steps, lookAtChain, unclaimedAfterDays };
  const refunds = new Refunds({
    db,
    clock,
    log,
    mails,
    accounts,
    orders,
    payments,
    fulfilment: lifecycle,
    ...ofRefunds,
  });
  const profile = new Profile({ db, clock, passwords, limits, mails, onSignedOut });
  const recovery = new PasswordReset({ db, clock, passwords, limits, devices, mails, profile });
  const contact = new Contact({ db, clock, limits, onReceived: (tx, id) => staffMails.enqueueContactMail(tx, id) });
  const tickets = new Tickets({
    db,
    clock,
    limits,
    onCreated: (tx, ticketId) => staffMails.enqueueTicketMail(tx, ticketId),
    onChanged: (ticketId) => liveTickets.publishChange(ticketId),
  });
  const privacy = new PersonalData({
    db,
    clock,
    mails,
    profile,
    carts,
    orders,
    refunds: refunds.news,
    sources: [
      {
        name: 'tickets',
        exportData: (userId) => tickets.exportPersonalData(userId),
        erase: async (tx, userId) => staffMails.erase(tx, { tickets: await tickets.erasePersonalData(tx, userId) }),
      },
      {
        name: 'reviews',
        exportData: (userId) => reviews.listOwn(userId),
        erase: (tx, userId) => reviews.erasePersonalData(tx, userId),
      },
    ],
    onMessagesDeleted: (tx, messages) => staffMails.erase(tx, { messages }),
  });
  const quotes = new Quotes({ db, clock, rates, payments, ...terms });
  const tracking = new OrderTimeline({ db, orders, payments, quotes });
  const news = new PubSub({ db, connection, log });
  const liveOrders = new LiveOrders({ pubSub: news, orders, timeline: tracking, log });
  const liveTickets = new LiveTickets({ pubSub: news, tickets, accounts, log });
  const shopUrl = settings.publicUrl ?? `http://localhost:${settings.port}`;
  const frame = { shopName: 'Crypto Market', shopAddress: SHOP_ADDRESS, shopUrl };
  const onTaken: StaffMails['enqueueTaskMails'] = (tx, events) => staffMails.enqueueTaskMails(tx, events);
  const telling = { mails, tracking, accounts, frame };
  const notifications = new Notifications({ ...telling, db, profile, recovery, refunds, onClaimed: onTaken });
  const [{ account: wallet }, { supportEmail }] = [accountKey, settings];
  const backoffice = new Admin({
    db,
    clock,
    rates,
    payments,
    timeline: tracking,
    accounts,
    fulfilment: lifecycle,
    wallet,
    ...terms,
  });
  const chainDesk = new ChainAdmin({ db, payments, network });
  const staffMails = new StaffMails({ ...telling, tickets, contact, admin: backoffice, supportEmail });
  const rereadReviews = (): void =>
    void reviews.reload().catch((error: unknown) => log.warn({ err: error }, 'the reviews were not read again'));
  news.subscribe(REVIEWS_CHANGED_TOPIC, rereadReviews);
  news.onGap(rereadReviews);
  const watcher = new ChainSyncWorker({ payments, log, connection });
  const developer =
    settings.mode === 'demo'
      ? new DemoTools({
          devchain,
          clock,
          findAmountDue: (id) => orders.findAmountDue(id),
          lookAtChain,
          mailbox: mails,
        })
      : null;
  return {
    limits,
    catalogue,
    content,
    contact,
    reviews,
    promotions,
    accounts,
    profile,
    passwordReset: recovery,
    personalData: privacy,
    carts,
    orders,
    fulfilment: lifecycle,
    refunds,
    timeline: tracking,
    tickets,
    payments,
    watcher,
    jobs,
    mails,
    notifications,
    staffMails,
    admin: backoffice,
    chainDesk,
    owner: new Owner({ db, settings: settings.effective }),
    pubSub: news,
    liveOrders,
    liveTickets,
    devchain,
    rates,
    developer,
  };
}
