/**
 * Creates the slices, the lowest first, and connects them. A slice receives what it names of the lower ones;
 * `connectSlices` connects higher slices to lower ones last.
 */
import { AccountingDownload } from '#src/shop/accounting-export/download.service.ts';
import { listTeam } from '#src/shop/accounts/team/service.ts';
import { AuditList } from '#src/shop/audit-log/list/service.ts';
import { REQUIRED_KINDS } from '#src/shop/content/legal/legal-kind.ts';
import { Retention } from '#src/shop/personal-data/retention/service.ts';
import { PersonalData } from '#src/shop/personal-data/service.ts';
import { createAdmin } from './create-admin.ts';
import { readVersion } from './read-version.ts';
import { createImports } from './create-imports.ts';
import type { Importing } from './create-imports.ts';
import { createLowerSlices } from './create-lower-slices.ts';
import type { LowerSlices } from './create-lower-slices.ts';
import { createMailFrame } from './create-mail-frame.ts';
import { createNotifications } from './create-notifications.ts';
import type { Demo } from './demo.ts';
import { openFoundation } from './open-foundation.ts';
import type { Foundation, ShopResources } from './open-foundation.ts';
import { openPayments } from './open-payments.ts';
import { openSales } from './open-sales.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';

type StaffSlices = ReturnType<typeof createStaffSlices>;

/** The services of all slices. `devchain` is null when payments come from another chain. */
export interface Shop extends Foundation, LowerSlices, StaffSlices, Importing {
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
      shopUrl: resolveShopUrl(settings),
      findAmountDue: (id) => orders.findAmountDue(id),
      findRefundPsbt: (id) => refunds.findPsbt(id),
      syncChain: () => chainSync.wake(),
    }) ?? null;
  const importing = createImports(settings, foundation, connection, lower.stockAdjustments, () =>
    staff.liveStaff.publish(['catalogue', 'stock']),
  );
  return { ...foundation, ...lower, ...staff, ...importing, demo, environment: settings.effective };
}

/** Erases data after the periods of the settings. */
const createRetention = ({ clock, db, shopSettings }: Foundation, lower: LowerSlices): Retention =>
  new Retention({
    db,
    clock,
    shopSettings,
    orders: lower.orderData,
    refunds: lower.refunds.personalData,
    withdrawals: lower.withdrawalData,
    invoices: lower.invoices,
    returns: lower.returns,
    tickets: lower.tickets,
    contact: lower.contact,
  });

/** The slices above all others: admin, notifications and personal data. */
function createStaffSlices(settings: Settings, foundation: Foundation, lower: LowerSlices) {
  const { clock, db, mails, shipping, shopSettings, taxes } = foundation;
  const { accounts, content, invoices, profile, refunds, reviews, stockAlerts, timeline } = lower;
  const frame = createMailFrame(settings, shopSettings);
  const getSupportEmail = () => shopSettings.current.mail.support_email || settings.supportEmail;
  const adminSlice = createAdmin(foundation, lower, {
    lateTolerancePercent: settings.lateTolerancePercent,
    hasSetup: settings.mode === 'live',
    setupChecks: {
      texts: () => REQUIRED_KINDS.every((kind) => content.findLegalNumber(kind) !== null),
      // Saved once, even without changes.
      tax: () => taxes.current.version > 0,
      shipping: () => shipping.current.version > 0,
    },
    frame,
    getSupportEmail,
    environment: {
      version: readVersion(),
      dataDir: settings.dataDir,
      network: settings.network,
      chainSource: settings.chain.source,
    },
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
      returns: lower.returns,
      stockAlerts,
      inbox: lower.inbox,
      acknowledgements: lower.acknowledgements,
      withdrawals: lower.withdrawals,
      orderTerms: lower.orderTerms,
      frame,
      getSupportEmail,
      invoices,
      webhookEvents: lower.webhookEvents,
      staffMails,
      liveStaff,
      telemetry: foundation.telemetry,
    }),
    retention: createRetention(foundation, lower),
    personalData: new PersonalData({
      db,
      clock,
      mails,
      profile,
      accounts: lower.accountData,
      carts: lower.carts,
      orders: lower.orderData,
      refunds: refunds.personalData,
      returns: lower.returns,
      contact: lower.contact,
      tickets: lower.tickets,
      reviews,
      stockAlerts,
      invoices,
      withdrawals: lower.withdrawalData,
      shopSettings,
      onErased: (tx, erased) => staffMails.erase(tx, erased),
    }),
  };
}

/** What higher slices do when something happens in a lower one. */
function connectSlices(shop: LowerSlices, { liveStaff, notifications, staffMails }: StaffSlices): void {
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
  shop.receiptAddress.setHandler((orderId, userId) => notifications.findReceiptAddress(orderId, userId));
  shop.addressChanged.on((tx, userId) => refunds.addresses.invalidateConfirmations(tx, userId));
  shop.openOrdersWith.setHandler((tx, variantIds) => orders.lockOpenOrdersWith(tx, variantIds));
  shop.lowStockReported.on((tx, day) => staffMails.enqueueLowStockMail(tx, day));
  shop.returnCreated.on((tx, id) => staffMails.enqueueReturnMail(tx, id));
  shop.withdrawalUnmatched.on((tx, id) => staffMails.enqueueWithdrawalMail(tx, id));
  shop.returnsDue.on((tx, moment) => staffMails.enqueueReturnsMail(tx, moment));
  shop.paidOrdersReported.on((tx, digestId) => staffMails.enqueuePaidOrdersMail(tx, digestId));
  shop.ticketCreated.on((tx, ticketId) => staffMails.enqueueTicketMail(tx, ticketId));
  shop.ticketSeen.on(() => liveStaff.publish(['tickets']));
  shop.messageReceived.on((tx, messageId) => staffMails.enqueueContactMail(tx, messageId));
  shop.messageDeleted.on((tx, messageId) => staffMails.erase(tx, { messages: [messageId] }));
  shop.invoicesChanged.on((tx) => liveStaff.publishAfterCommit(tx, ['invoices']));
  shop.endpointDisabled.on((tx, id, because) => staffMails.enqueueWebhookMails(tx, id, because));
}
