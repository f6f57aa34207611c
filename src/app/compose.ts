/** Puts the slices together: who knows whom, and what the lower ones tell the upper ones through functions. */
import type { PoolConfig } from 'pg';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { bitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Database, Db } from '#src/platform/database/database.ts';
import { News } from '#src/platform/database/news.ts';
import { openDevices } from '#src/platform/security/devices/devices.ts';
import { noRateLimits, rateLimitsOn } from '#src/platform/http/rate-limits.ts';
import type { RateLimits } from '#src/platform/http/rate-limits.ts';
import { HOURLY_JOB } from '#src/platform/jobs/hourly.ts';
import { openJobs } from '#src/platform/jobs/jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { Log } from '#src/platform/process/log.ts';
import { MAIL_JOB, Mails } from '#src/platform/mail/mails.ts';
import { smtpTransport } from '#src/platform/mail/smtp-transport.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import type { LiveRate } from '#src/platform/rates/live-rate.ts';
import type { StatedRateSource } from '#src/platform/rates/rate-source.ts';
import { steadyRate } from '#src/platform/rates/steady-rate.ts';
import { chainSource, rateSource } from './choose-sources.ts';
import type { Settings } from '#src/platform/settings.ts';
import { Accounts } from '#src/shop/accounts/service.ts';
import { ChainDesk } from '#src/shop/admin/chain/service.ts';
import { Backoffice, StaffMails } from '#src/shop/admin/service.ts';
import { Carts } from '#src/shop/cart/service.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { LiveTickets } from '#src/shop/support/chat/service.ts';
import { Contact } from '#src/shop/support/contact/service.ts';
import { Content } from '#src/shop/content/service.ts';
import { Developer } from '#src/shop/demo/service.ts';
import { Quotes } from '#src/shop/orders/status/quotes.service.ts';
import { Lifecycle } from '#src/shop/orders/status/service.ts';
import { LiveOrders } from '#src/shop/orders/live/service.ts';
import { Notifications } from '#src/shop/notifications/service.ts';
import { RESERVATION_LIMITS } from '#src/shop/orders/checkout/reservation-limits.ts';
import { Orders } from '#src/shop/orders/service.ts';
import { Owner } from '#src/shop/admin/owner/service.ts';
import { parseConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { Payments } from '#src/shop/payments/service.ts';
import { Watcher } from '#src/shop/payments/chain-sync/worker.ts';
import { Privacy } from '#src/shop/personal-data/service.ts';
import { Profile } from '#src/shop/accounts/profile/service.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import { Recovery } from '#src/shop/accounts/password-reset/service.ts';
import { Refunds } from '#src/shop/refunds/service.ts';
import { Reviews } from '#src/shop/reviews/service.ts';
import { Tickets } from '#src/shop/support/tickets/service.ts';
import { Tracking } from '#src/shop/orders/timeline/service.ts';
import { ADDRESS } from '#src/storefront/layout/shop-address.ts';

/** News: the session of this id is over. */
export const SESSION_OVER = 'session';
/** News: what is shown of reviews has changed; every process has an id of its own for all of them. */
const REVIEWS = 'reviews';
const ALL_REVIEWS = '0';

export interface Parts {
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
  readonly recovery: Recovery;
  readonly privacy: Privacy;
  readonly carts: Carts;
  readonly orders: Orders;
  readonly lifecycle: Lifecycle;
  readonly refunds: Refunds;
  readonly tracking: Tracking;
  readonly tickets: Tickets;
  readonly payments: Payments;
  readonly watcher: Watcher;
  readonly jobs: Jobs;
  readonly mails: Mails;
  readonly notifications: Notifications;
  readonly staffMails: StaffMails;
  readonly backoffice: Backoffice;
  readonly chainDesk: ChainDesk;
  readonly owner: Owner;
  readonly news: News;
  readonly liveOrders: LiveOrders;
  readonly liveTickets: LiveTickets;
  /** Null when payments come from another chain. */
  readonly devchain: Devchain | null;
  /** One that asks exchanges is to be started. */
  readonly rates: StatedRateSource | LiveRate;
  /** Null in live mode. */
  readonly developer: Developer | null;
}

export async function wireShop({
  settings,
  log,
  clock,
  database,
  connection,
  indexDb,
  passwords,
}: Parts): Promise<Shop> {
  const { db } = database;
  const accountKey = readAccountKey(settings.accountKey, settings.network, settings.walletScript);
  if (!accountKey.ok) throw new Error(accountKey.message);
  const confirmations = parseConfirmationSteps(settings.confirmations);
  if (!confirmations.ok) throw new Error(confirmations.reason);

  const mostConfirmations = Math.max(...confirmations.steps.map((step) => step.confirmations));
  const network = bitcoinNetwork(settings.network);
  const rates = rateSource({ settings, clock, log, db });
  const limits = settings.hasRateLimits ? rateLimitsOn(database.pool) : noRateLimits;
  const [devchain, catalogue, content] = await Promise.all([
    settings.chain.source === 'devchain'
      ? Devchain.open({
          db,
          clock,
          log,
          network,
          autoMine: settings.autoMine,
          isAwaited: () => payments.awaitsConfirmations(mostConfirmations),
        })
      : null,
    // Prices are shown at a rate that does not tremble; an order takes the present one.
    Catalogue.open(
      db,
      steadyRate(rates, () => clock.now()),
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
      onChanged: () => news.tell(REVIEWS, ALL_REVIEWS),
    }),
    Promotions.open(db, catalogue),
  ]);
  const jobs = openJobs({ connection, queues: [MAIL_JOB, HOURLY_JOB], log });
  const { smtpUrl, mailFrom: from } = settings;
  const transport = smtpUrl === null ? null : smtpTransport({ url: smtpUrl, from });
  const mails = new Mails({ db, clock, log, jobs, limits, transport, isKeeping: settings.mode === 'demo' });
  const carts = new Carts({ db, clock, catalogue, promotions });
  const payments = new Payments({
    db,
    indexDb,
    clock,
    log,
    source: chainSource(settings.chain, network, devchain),
    waitingPayees: async () => [...(await orders.openIds()), ...(await refunds.recognition.awaitedScripts())],
    accountKey: accountKey.account,
    onLedgerChanged: async (tx, payeeIds) => {
      const orderIds = await refunds.recognition.recognise(tx, payeeIds);
      await lifecycle.settle(tx, orderIds);
      liveOrders.touched(tx, orderIds);
    },
    onReconciled: async (at) => {
      await lifecycle.expireDue(at);
      await lifecycle.settleLate();
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
    settle: (tx, orderIds) => lifecycle.settle(tx, orderIds),
    paymentWindowSeconds: settings.paymentWindowSeconds,
    confirmationSteps: confirmations.steps,
    reservationLimits: settings.hasRateLimits ? RESERVATION_LIMITS : null,
    tolerance: settings.paymentTolerance,
    onTouched: (tx, orderIds) => liveOrders.touched(tx, orderIds),
  });
  const { lateTolerancePercent, paymentTolerance: tolerance, paymentWindowSeconds, unconfirmedLimitSeconds } = settings;
  const terms = { lateTolerancePercent, tolerance, paymentWindowSeconds, unconfirmedLimitSeconds };
  const lifecycle = new Lifecycle({
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
  const onSignedOut = (sessionId: string): void => news.tell(SESSION_OVER, sessionId);
  const accounts = new Accounts({
    db,
    clock,
    passwords,
    limits,
    devices,
    ordersOf: (userId) => orders.idsOf(userId),
    ticketsOf: (userId) => tickets.idsOf(userId),
    onRegistered: (tx, userId) => profile.askToConfirm(tx, userId),
    onSignedIn: (tx, signedIn) => carts.mergeGuestCart(tx, signedIn),
    onSignedOut,
  });
  const lookAtChain = (): Promise<void> => watcher.nudge();
  const { unclaimedAfterDays } = settings;
  const ofRefunds = { network, confirmationSteps: confirmations.steps, lookAtChain, unclaimedAfterDays };
  const refunds = new Refunds({ db, clock, log, mails, accounts, orders, payments, lifecycle, ...ofRefunds });
  const profile = new Profile({ db, clock, passwords, limits, mails, onSignedOut });
  const recovery = new Recovery({ db, clock, passwords, limits, devices, mails, profile });
  const contact = new Contact({ db, clock, limits, onReceived: (tx, id) => staffMails.tellOfMessage(tx, id) });
  const tickets = new Tickets({
    db,
    clock,
    limits,
    onCreated: (tx, ticketId) => staffMails.tellOfTicket(tx, ticketId),
    onTouched: (ticketId) => liveTickets.touched(ticketId),
  });
  const privacy = new Privacy({
    db,
    clock,
    mails,
    profile,
    carts,
    orders,
    refunds: refunds.news,
    parts: [
      {
        name: 'tickets',
        read: (userId) => tickets.handOut(userId),
        erase: async (tx, userId) => staffMails.forget(tx, { tickets: await tickets.erase(tx, userId) }),
      },
      { name: 'reviews', read: (userId) => reviews.ownOf(userId), erase: (tx, userId) => reviews.erase(tx, userId) },
    ],
    onMessagesDeleted: (tx, messages) => staffMails.forget(tx, { messages }),
  });
  const quotes = new Quotes({ db, clock, rates, payments, ...terms });
  const tracking = new Tracking({ db, orders, payments, quotes });
  const news = new News({ db, connection, log });
  const liveOrders = new LiveOrders({ news, orders, tracking, log });
  const liveTickets = new LiveTickets({ news, tickets, accounts, log });
  const shopUrl = settings.publicUrl ?? `http://localhost:${settings.port}`;
  const frame = { shopName: 'Crypto Market', shopAddress: ADDRESS, shopUrl };
  const onTaken: StaffMails['tellOfOrders'] = (tx, events) => staffMails.tellOfOrders(tx, events);
  const telling = { mails, tracking, accounts, frame };
  const notifications = new Notifications({ ...telling, db, profile, recovery, refunds, onTaken });
  const [{ account: wallet }, { supportEmail }] = [accountKey, settings];
  const backoffice = new Backoffice({ db, clock, rates, payments, tracking, accounts, lifecycle, wallet, ...terms });
  const chainDesk = new ChainDesk({ db, payments, network });
  const staffMails = new StaffMails({ ...telling, tickets, contact, backoffice, supportEmail });
  const rereadReviews = (): void =>
    void reviews.reload().catch((error: unknown) => log.warn({ err: error }, 'the reviews were not read again'));
  news.on(REVIEWS, rereadReviews);
  news.onGap(rereadReviews);
  const watcher = new Watcher({ payments, log, connection });
  const developer =
    settings.mode === 'demo'
      ? new Developer({
          devchain,
          clock,
          dueOf: (id) => orders.dueOf(id),
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
    recovery,
    privacy,
    carts,
    orders,
    lifecycle,
    refunds,
    tracking,
    tickets,
    payments,
    watcher,
    jobs,
    mails,
    notifications,
    staffMails,
    backoffice,
    chainDesk,
    owner: new Owner({ db, settings: settings.effective }),
    news,
    liveOrders,
    liveTickets,
    devchain,
    rates,
    developer,
  };
}
