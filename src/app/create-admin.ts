/** Creates the services of the admin slice. */
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { CustomerPages } from '#src/shop/admin/customers/service.ts';
import { LiveStaff } from '#src/shop/admin/live/service.ts';
import { StaffMails } from '#src/shop/admin/mails/service.ts';
import { StaffOrders } from '#src/shop/admin/orders/service.ts';
import { Overview } from '#src/shop/admin/overview/service.ts';
import { Sales } from '#src/shop/admin/sales/service.ts';
import { Setup } from '#src/shop/admin/settings/service.ts';
import type { SetupChecks } from '#src/shop/admin/settings/setup-checklist.ts';
import { StaffTasks } from '#src/shop/admin/tasks/service.ts';
import { Watching } from '#src/shop/admin/watching/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { LowStock } from '#src/shop/inventory/low-stock/service.ts';
import type { MailFrame } from '#src/shop/notifications/render-mail.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { Reviews } from '#src/shop/reviews/service.ts';
import type { WebhookEndpoints } from '#src/shop/webhooks/endpoints/service.ts';
import type { AccountsSlice } from './create-accounts.ts';
import type { OrdersSlice } from './create-orders.ts';
import type { SupportSlice } from './create-support.ts';
import type { Foundation } from './open-foundation.ts';

export interface AdminOptions {
  readonly foundation: Pick<Foundation, 'db' | 'clock' | 'log' | 'mails' | 'pubSub' | 'rates' | 'shopSettings'>;
  readonly accounts: Pick<AccountsSlice, 'accounts' | 'customers' | 'profile'>;
  readonly orders: Pick<OrdersSlice, 'orderList' | 'orderStatus' | 'paidOrderMails' | 'timeline'>;
  readonly support: Pick<SupportSlice, 'inbox' | 'ticketDesk' | 'tickets'>;
  readonly catalogue: Catalogue;
  readonly lowStock: LowStock;
  readonly payments: Payments;
  readonly reviews: Reviews;
  readonly webhookEndpoints: WebhookEndpoints;
  /** Account of the shop's wallet. */
  readonly wallet: AccountKey;
  readonly lateTolerancePercent: number;
  /** A demo shop has no checklist and needs no backups. */
  readonly hasSetup: boolean;
  readonly setupChecks: SetupChecks;
  readonly frame: MailFrame;
  readonly getSupportEmail: () => string | null;
}

export function createAdmin(options: AdminOptions) {
  const { db, clock, log, mails, pubSub, rates, shopSettings } = options.foundation;
  const { accounts, customers, profile } = options.accounts;
  const { orderList, orderStatus, paidOrderMails, timeline } = options.orders;
  const { inbox, ticketDesk, tickets } = options.support;
  const { catalogue, lowStock, payments, reviews, webhookEndpoints } = options;
  const { frame, getSupportEmail, hasSetup, lateTolerancePercent, setupChecks, wallet } = options;
  const staffTasks = new StaffTasks({ db, clock, rates, payments, orderStatus, shopSettings, lateTolerancePercent });
  const overview = new Overview({ db, clock, orderList, staffTasks, hasSetup });
  const setup = new Setup({
    db,
    clock,
    catalogue,
    shopSettings,
    payments,
    rates,
    mails,
    getSupportEmail,
    hasSetup,
    setupChecks,
  });
  return {
    staffTasks,
    overview,
    setup,
    customerPages: new CustomerPages({ customers, orderList, profile, reviews, ticketDesk }),
    liveStaff: new LiveStaff({ pubSub, accounts, log }),
    sales: new Sales({ db, clock, shopSettings }),
    staffOrders: new StaffOrders({ db, payments, timeline, accounts, staffTasks, wallet }),
    staffMails: new StaffMails({
      db,
      mails,
      tickets,
      inbox,
      accounts,
      timeline,
      staffTasks,
      overview,
      shopSettings,
      catalogue,
      lowStock,
      paidOrderMails,
      webhookEndpoints,
      frame,
      getSupportEmail,
    }),
    watching: new Watching({ db, clock, orderList, overview, payments, rates, setup }),
  };
}
