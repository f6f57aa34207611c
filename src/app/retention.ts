/** What the shop forgets by itself, task by task; each runs once an hour. */
import { deleteExpiredCounts } from '#src/platform/database/expired-counts.ts';
import type { HourlyTasks } from '#src/platform/jobs/hourly.ts';
import { forgetOldKeys } from '#src/shop/orders/checkout/keys.service.ts';
import type { Parts, Shop } from './compose.ts';

export const retentionTasks = ({ clock, database: { db } }: Parts, shop: Shop): HourlyTasks => ({
  sessions: () => shop.accounts.removeDeadSessions(),
  'confirmations-and-notices': () => shop.profile.forgetOld(),
  'reset-codes': () => shop.recovery.forgetOld(),
  'refund-confirmations': () => shop.refunds.addresses.forgetOld(),
  'guest-carts': () => shop.carts.removeStaleGuestCarts(),
  'contact-messages': () => shop.contact.removeOldMessages(),
  tickets: () => shop.tickets.removeOld(),
  mails: () => shop.mails.forgetOld(),
  'idempotency-keys': () => forgetOldKeys(db, clock.now()),
  'order-counts': () => shop.orders.forgetOld(),
  'limit-counts': () => deleteExpiredCounts(db),
});
