/** Creates the services of the admin slice. */
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
import { System } from '#src/shop/admin/system/service.ts';
import type { SystemOptions } from '#src/shop/admin/system/service.ts';
import type { MailFrame } from '#src/shop/notifications/render-mail.ts';
import type { LowerSlices } from './create-lower-slices.ts';
import type { Foundation } from './open-foundation.ts';

/** What higher and lower slices add. */
export interface AdminOptions {
  readonly lateTolerancePercent: number;
  /** A demo shop has no checklist and needs no backups. */
  readonly hasSetup: boolean;
  readonly setupChecks: SetupChecks;
  readonly frame: MailFrame;
  readonly getSupportEmail: () => string | null;
  readonly environment: SystemOptions['environment'];
}

export function createAdmin(
  { db, clock, log, mails, pubSub, rates, shopSettings }: Foundation,
  lower: LowerSlices,
  { environment, frame, getSupportEmail, hasSetup, lateTolerancePercent, setupChecks }: AdminOptions,
) {
  const { accountKey: wallet, accounts, catalogue, customers, inbox, lowStock, orderList, orderStatus } = lower;
  const { paidOrderMails, payments, profile, returnDesk, reviews, ticketDesk, tickets, timeline } = lower;
  const { unmatchedWithdrawals, webhookEndpoints } = lower;
  const staffTasks = new StaffTasks({ db, clock, rates, payments, orderStatus, shopSettings, lateTolerancePercent });
  const overview = new Overview({ db, clock, orderList, returnDesk, unmatchedWithdrawals, staffTasks, hasSetup });
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
    system: new System({ db, clock, log, shopSettings, environment }),
    customerPages: new CustomerPages({ customers, orderList, profile, reviews, ticketDesk }),
    liveStaff: new LiveStaff({ pubSub, accounts, log }),
    sales: new Sales({ db, clock, shopSettings }),
    staffOrders: new StaffOrders({ db, payments, timeline, accounts, staffTasks, ticketDesk, shopSettings, wallet }),
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
      returnDesk,
      unmatchedWithdrawals,
      webhookEndpoints,
      frame,
      getSupportEmail,
    }),
    watching: new Watching({ db, clock, orderList, overview, payments, rates, setup }),
  };
}
