/** Deletes expired data, and reports low stock, due returns and the newest hash of the audit log. Each task runs once an hour. */
import { deleteExpiredRateLimits } from '#src/platform/database/expired-rate-limits.ts';
import type { HourlyTasks } from '#src/platform/jobs/hourly.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { StaffMails } from '#src/shop/admin/mails/service.ts';
import { reportNewestHash } from '#src/shop/audit-log/service.ts';
import { deleteOldKeys } from '#src/shop/orders/checkout/idempotency-keys.service.ts';
import type { Shop } from './compose.ts';
import type { ShopResources } from './open-foundation.ts';

export const createRetentionTasks = ({ clock, database: { db }, log }: ShopResources, shop: Shop): HourlyTasks => ({
  sessions: () => shop.accounts.deleteExpiredSessions(),
  'pending-logins': () => shop.secondFactors.deleteExpired(),
  'confirmations-and-notices': () => shop.profile.deleteOld(),
  invitations: () => shop.invitations.deleteOld(),
  'reset-codes': () => shop.passwordReset.deleteOld(),
  'refund-confirmations': () => shop.refunds.addresses.deleteExpired(),
  'guest-carts': () => shop.carts.deleteStaleGuestCarts(),
  withdrawals: () => shop.withdrawalData.deleteOld(),
  'contact-messages': () => shop.retention.deleteOldMessages(),
  tickets: () => shop.retention.deleteOldTickets(),
  returns: () => shop.retention.eraseOldReturns(),
  'old-orders': () => shop.retention.eraseOldOrders(),
  'returns-due': () => shop.returns.warnOfDeadlines(),
  'catalogue-imports': () => shop.imports.deleteOld(),
  mails: () => shop.mails.deleteOld(),
  'idempotency-keys': () => deleteOldKeys(db, clock.now()),
  'order-counts': () => shop.orders.deleteOldQuoteCounts(),
  webhooks: () => shop.webhookEvents.deleteOld(),
  'stock-alerts': () => shop.stockAlerts.deleteOld(),
  'low-stock': () => shop.lowStock.report(),
  'paid-orders': () => shop.paidOrderMails.report(),
  'stock-changes': () => shop.stockWatch.deleteOld(),
  'sale-changes': () => shop.catalogue.deleteOldSaleChanges(clock.now()),
  'audit-hash': () => reportAuditHash(db, clock.now(), shop.staffMails, log),
  'audit-details': () => shop.retention.eraseOldAuditDetails(),
  'return-files': () => shop.returnFiles.removeOrphans(),
  'picture-files': () => shop.pictures.removeOrphans(),
  'limit-counts': () => deleteExpiredRateLimits(db),
});

/** Once a day in all: a line in the log of one process, and a mail to each owner. */
async function reportAuditHash(
  db: Db,
  now: Date,
  staffMails: Pick<StaffMails, 'enqueueAuditHashMails'>,
  log: Log,
): Promise<void> {
  const reported = await reportNewestHash(db, now, (tx, hash) => staffMails.enqueueAuditHashMails(tx, hash));
  if (reported !== null)
    log.info({ entry: Number(reported.entryId), hash: reported.hash }, 'newest hash of the audit log');
}
