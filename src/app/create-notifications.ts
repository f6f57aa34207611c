import { runAfterCommit } from '#src/platform/database/database.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import type { LiveStaff } from '#src/shop/admin/live/service.ts';
import type { StaffMails } from '#src/shop/admin/mails/service.ts';
import type { Invoices } from '#src/shop/invoices/service.ts';
import { Notifications } from '#src/shop/notifications/service.ts';
import type { NotificationsOptions } from '#src/shop/notifications/service.ts';
import { storedEventKinds } from '#src/shop/orders/order-events.ts';
import type { WebhookEvents } from '#src/shop/webhooks/events/service.ts';

export interface CreateNotificationsOptions extends Omit<NotificationsOptions, 'onClaimed'> {
  readonly invoices: Pick<Invoices, 'request'>;
  readonly webhookEvents: Pick<WebhookEvents, 'recordOrderEvents'>;
  readonly staffMails: Pick<StaffMails, 'enqueueTaskMails' | 'enqueuePaidMails'>;
  readonly liveStaff: Pick<LiveStaff, 'publishAfterCommit'>;
  readonly telemetry: Pick<Telemetry, 'createCounter'>;
}

/** Notifications, with what else happens when an order event is dispatched: once, in one of the processes. */
export function createNotifications(options: CreateNotificationsOptions): Notifications {
  const { accounts, db, factorChanges, inbox, invitations, mails, passwordReset, profile, refunds, returns } = options;
  const {
    acknowledgements,
    withdrawals,
    orderTerms,
    frame,
    getSupportEmail,
    invoices,
    liveStaff,
    staffMails,
    stockAlerts,
    telemetry,
    timeline,
  } = options;
  const countEvent = telemetry.createCounter({
    name: 'shop_order_events_total',
    help: 'Order events that this process dispatched: orders created, paid, expired, reorganised away and so on',
    label: 'kind',
    values: storedEventKinds,
  });
  return new Notifications({
    db,
    mails,
    timeline,
    accounts,
    profile,
    invitations,
    passwordReset,
    factorChanges,
    refunds,
    returns,
    stockAlerts,
    inbox,
    acknowledgements,
    withdrawals,
    orderTerms,
    frame,
    getSupportEmail,
    onClaimed: async (tx, events) => {
      await invoices.request(tx, events);
      await options.webhookEvents.recordOrderEvents(tx, events);
      await staffMails.enqueueTaskMails(tx, events);
      await staffMails.enqueuePaidMails(tx, events);
      if (events.length === 0) return;
      liveStaff.publishAfterCommit(tx, ['orders', 'payments', 'refunds', 'stock', 'promotions']);
      runAfterCommit(tx, () => {
        for (const { kind } of events) countEvent(kind);
      });
    },
  });
}
