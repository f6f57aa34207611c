/** Creates every slice below admin, notifications and personal data, the lowest first. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, SyncEvent } from '#src/platform/process/events.ts';
import { checkPublicName } from '#src/shop/accounts/public-name.service.ts';
import type { StaffMails } from '#src/shop/admin/mails/service.ts';
import { EcbRates } from '#src/shop/invoices/currency/ecb.service.ts';
import { NationalCurrencies } from '#src/shop/invoices/currency/service.ts';
import { Invoices } from '#src/shop/invoices/service.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import { Refunds } from '#src/shop/refunds/service.ts';
import { createReturnHandling } from './create-return-handling.ts';
import { Reviews } from '#src/shop/reviews/service.ts';
import { createAccounts } from './create-accounts.ts';
import { createIntegrations } from './create-integrations.ts';
import { createOrders } from './create-orders.ts';
import { createReturns } from './create-returns.ts';
import { createStockAlerts } from './create-stock-alerts.ts';
import { createSupport } from './create-support.ts';
import type { Foundation } from './open-foundation.ts';
import type { Paying } from './open-payments.ts';
import type { Sales } from './open-sales.ts';
import type { Settings } from './settings.ts';

export type LowerSlices = Awaited<ReturnType<typeof createLowerSlices>>;

export async function createLowerSlices(settings: Settings, foundation: Foundation, paying: Paying, sales: Sales) {
  const { clock, db, log, mails, network, pdf, rates, shopSettings } = foundation;
  const { chainSync, payments } = paying;
  const accountsSlice = createAccounts(settings, foundation, sales);
  const { accounts } = accountsSlice;
  const ordersSlice = createOrders(settings, foundation, sales, accountsSlice, paying);
  const { liveOrders, orders, orderStatus, paidAgain } = ordersSlice;
  const support = createSupport(foundation, accountsSlice, ordersSlice);
  const endpointDisabled = new AsyncEvent<Parameters<StaffMails['enqueueWebhookMails']>>();
  const invoicesChanged = new SyncEvent<[tx: Db]>();
  const onIssued = (tx: Db, orderId: string): void => liveOrders.publish(tx, [orderId]);
  const onChanged = invoicesChanged.emit;
  const invoices = new Invoices({ db, clock, log, shopSettings, pdf, onIssued, onChanged });
  const refundWithdrawn = new AsyncEvent<[tx: Db, refundId: string]>();
  const refundsChanged = new AsyncEvent<[tx: Db, orderId: string]>();
  const refunds = new Refunds({
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
    confirmationSteps: settings.confirmationSteps,
    unclaimedAfterDays: settings.unclaimedAfterDays,
    syncChain: () => chainSync.wake(),
    onWithdrawn: refundWithdrawn.emit,
    onRefundsChanged: refundsChanged.emit,
  });
  const returning = createReturnHandling(foundation, accounts, ordersSlice, support.tickets, refunds);
  refundWithdrawn.on((tx, refundId) => returning.returns.reopen(tx, refundId));
  refundsChanged.on((tx, orderId) => returning.returns.followRefunds(tx, orderId));
  paidAgain.on((tx, orderId) => returning.returns.reopenOwed(tx, orderId));
  return {
    ...paying,
    ...sales,
    ...accountsSlice,
    ...ordersSlice,
    ...support,
    ...createReturns(foundation, accountsSlice, ordersSlice, returning.returnCreated.emit),
    ...createIntegrations(settings, foundation, sales.catalogue, support, endpointDisabled.emit),
    endpointDisabled,
    invoices,
    invoicesChanged,
    ecbRates: new EcbRates({
      db,
      clock,
      log,
      url: settings.ecbRates.url,
      timeoutMs: settings.ecbRates.timeoutMs,
      leader: foundation.leaderLock,
      wakeWaiting: (tx) => invoices.wakeWaiting(tx),
      onFailed: onChanged,
    }),
    nationalCurrencies: new NationalCurrencies({ db, clock, waiting: invoices }),
    refunds,
    ...returning,
    reviews: await openReviews(foundation, sales, orders),
    stockAlerts: createStockAlerts({ db, clock, mails }, sales.catalogue, accounts),
  };
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
