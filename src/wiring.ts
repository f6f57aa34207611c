/** Puts the slices together: who knows whom, and what the lower ones tell the upper ones through functions. */
import type { PoolConfig } from 'pg';
import { readAccountKey } from './platform/bitcoin/account-key.ts';
import { devchainSource } from './platform/bitcoin/devchain/devchain-source.ts';
import { Devchain } from './platform/bitcoin/devchain/devchain.ts';
import { bitcoinNetwork } from './platform/bitcoin/network.ts';
import type { AdjustableClock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { noRateLimits, rateLimitsOn } from './platform/http/rate-limits.ts';
import type { RateLimits } from './platform/http/rate-limits.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Log } from './platform/log.ts';
import type { Passwords } from './platform/passwords.ts';
import { fixedRate } from './platform/rates.ts';
import type { RateSource } from './platform/rates.ts';
import type { Settings } from './platform/settings.ts';
import { steadyRate } from './platform/steady-rate.ts';
import { Accounts } from './shop/accounts/service.ts';
import { Carts } from './shop/cart/service.ts';
import { Catalogue } from './shop/catalogue/service.ts';
import { Contact } from './shop/contact/service.ts';
import { Content } from './shop/content/service.ts';
import { Developer } from './shop/developer/service.ts';
import { EXPIRY_JOB, Orders } from './shop/orders/service.ts';
import { parseConfirmationSteps } from './shop/payments/required-confirmations.ts';
import { Payments } from './shop/payments/service.ts';
import { Watcher } from './shop/payments/worker.ts';
import { Promotions } from './shop/promotions/service.ts';
import { Reviews } from './shop/reviews/service.ts';

export interface Parts {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: AdjustableClock;
  readonly database: Database;
  readonly connection: PoolConfig;
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
  readonly carts: Carts;
  readonly orders: Orders;
  readonly payments: Payments;
  readonly watcher: Watcher;
  readonly jobs: Jobs;
  readonly devchain: Devchain;
  /** Null in live mode. */
  readonly developer: Developer | null;
}

function rateSource(settings: Settings, clock: AdjustableClock): RateSource {
  // The settings refuse everything else until there is another source.
  if (settings.fixedRateCents === null) throw new Error('no rate source');
  return fixedRate(settings.fixedRateCents, () => clock.now());
}

export async function wireShop({ settings, log, clock, database, connection, passwords }: Parts): Promise<Shop> {
  const { db } = database;
  const accountKey = readAccountKey(settings.accountKey, settings.network);
  if (!accountKey.ok) throw new Error(accountKey.message);
  const confirmations = parseConfirmationSteps(settings.confirmations);
  if (!confirmations.ok) throw new Error(confirmations.reason);

  const network = bitcoinNetwork(settings.network);
  const rates = rateSource(settings, clock);
  const limits = settings.hasRateLimits ? rateLimitsOn(database.pool) : noRateLimits;
  const [devchain, catalogue, content] = await Promise.all([
    Devchain.open({ db, clock, log, network, autoMine: settings.autoMine }),
    // Prices are shown at a rate that does not tremble; an order takes the present one.
    Catalogue.open(
      db,
      steadyRate(rates, () => clock.now()),
    ),
    Content.open(db),
  ]);
  const [reviews, promotions] = await Promise.all([Reviews.open(db, catalogue), Promotions.open(db, catalogue)]);
  const jobs = openJobs({ connection, queues: [EXPIRY_JOB], log });
  const carts = new Carts({ db, clock, catalogue });
  const payments = new Payments({
    db,
    clock,
    log,
    source: devchainSource(devchain),
    accountKey: accountKey.account,
    onLedgerChanged: (tx, orderIds) => orders.settle(tx, orderIds),
    onReconciled: async (at) => {
      await orders.expireDue(at);
      await catalogue.refreshSales();
    },
  });
  const orders = new Orders({
    db,
    clock,
    log,
    rates,
    jobs,
    carts,
    catalogue,
    payments,
    paymentWindowSeconds: settings.paymentWindowSeconds,
    lateTolerancePercent: settings.lateTolerancePercent,
    confirmationSteps: confirmations.steps,
  });
  const accounts = new Accounts({
    db,
    clock,
    passwords,
    limits,
    ordersOf: (userId) => orders.idsOf(userId),
    ticketsOf: () => Promise.resolve([]),
    onSignedIn: (tx, signedIn) => carts.mergeGuestCart(tx, signedIn),
  });
  const contact = new Contact({ db, clock, limits });
  const watcher = new Watcher({ payments, log, connection });
  const developer =
    settings.mode === 'demo'
      ? new Developer({ devchain, clock, dueOf: (id) => orders.dueOf(id), lookAtChain: () => watcher.nudge() })
      : null;
  return {
    limits,
    catalogue,
    content,
    contact,
    reviews,
    promotions,
    accounts,
    carts,
    orders,
    payments,
    watcher,
    jobs,
    devchain,
    developer,
  };
}
