/** Deletes expired data, and reports low stock. Each task runs once an hour. */
import { deleteExpiredRateLimits } from '#src/platform/database/expired-rate-limits.ts';
import type { HourlyTasks } from '#src/platform/jobs/hourly.ts';
import { eraseOldAuditDetails } from '#src/shop/audit-log/service.ts';
import { deleteOldKeys } from '#src/shop/orders/checkout/idempotency-keys.service.ts';
import type { ShopResources, Shop } from './compose.ts';

export const createRetentionTasks = ({ clock, database: { db } }: ShopResources, shop: Shop): HourlyTasks => ({
  sessions: () => shop.accounts.deleteExpiredSessions(),
  'pending-logins': () => shop.secondFactors.deleteExpired(),
  'confirmations-and-notices': () => shop.profile.deleteOld(),
  invitations: () => shop.invitations.deleteOld(),
  'reset-codes': () => shop.passwordReset.deleteOld(),
  'refund-confirmations': () => shop.refunds.addresses.deleteExpired(),
  'guest-carts': () => shop.carts.deleteStaleGuestCarts(),
  'contact-messages': () => shop.contact.deleteOld(),
  tickets: () => shop.tickets.deleteOld(),
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
  'audit-details': () => eraseOldAuditDetails(db, clock.now()),
  'picture-files': () => shop.pictures.removeOrphans(),
  'limit-counts': () => deleteExpiredRateLimits(db),
});
