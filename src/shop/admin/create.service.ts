/** Creates the services of the admin slice. */
import { AuditAdmin } from './audit/service.ts';
import type { AuditAdminOptions } from './audit/service.ts';
import { ChainAdmin } from './chain/service.ts';
import type { ChainAdminOptions } from './chain/service.ts';
import { CustomersAdmin } from './customers/service.ts';
import type { CustomersAdminOptions } from './customers/service.ts';
import { InventoryAdmin } from './inventory/service.ts';
import type { InventoryAdminOptions } from './inventory/service.ts';
import { LiveStaff } from './live/service.ts';
import type { LiveStaffOptions } from './live/service.ts';
import { ManualOrders } from './orders/manual-orders.service.ts';
import type { ManualOrdersOptions } from './orders/manual-orders.service.ts';
import { OrderExport } from './orders/export.service.ts';
import type { OrderExportOptions } from './orders/export.service.ts';
import { Overview } from './overview/service.ts';
import type { OverviewOptions } from './overview/service.ts';
import { Sales } from './sales/service.ts';
import type { SalesOptions } from './sales/service.ts';
import { Setup } from './settings/service.ts';
import type { SetupOptions } from './settings/service.ts';
import { Owner } from './owner/service.ts';
import type { OwnerOptions } from './owner/service.ts';
import { PromotionsAdmin } from './promotions/service.ts';
import type { PromotionsAdminOptions } from './promotions/service.ts';
import { TicketsAdmin } from './tickets/service.ts';
import type { TicketsAdminOptions } from './tickets/service.ts';
import { Admin } from './service.ts';
import type { AdminOptions } from './service.ts';
import { Watching } from './watching/service.ts';
import type { WatchingOptions } from './watching/service.ts';
import { StaffMails } from './staff-mails.service.ts';
import type { StaffMailsOptions } from './staff-mails.service.ts';

/** Everything from outside the slice that one of its services needs. */
export type AdminSliceOptions = Omit<
  AdminOptions &
    AuditAdminOptions &
    ChainAdminOptions &
    CustomersAdminOptions &
    InventoryAdminOptions &
    LiveStaffOptions &
    ManualOrdersOptions &
    OverviewOptions &
    OrderExportOptions &
    SalesOptions &
    OwnerOptions &
    PromotionsAdminOptions &
    StaffMailsOptions &
    TicketsAdminOptions &
    SetupOptions &
    WatchingOptions,
  'admin' | 'overview' | 'setup'
>;

export interface AdminSlice {
  readonly admin: Admin;
  readonly auditAdmin: AuditAdmin;
  readonly chainAdmin: ChainAdmin;
  readonly customersAdmin: CustomersAdmin;
  readonly inventoryAdmin: InventoryAdmin;
  readonly liveStaff: LiveStaff;
  readonly manualOrders: ManualOrders;
  readonly orderExport: OrderExport;
  readonly overview: Overview;
  readonly owner: Owner;
  readonly sales: Sales;
  readonly promotionsAdmin: PromotionsAdmin;
  readonly setup: Setup;
  readonly staffMails: StaffMails;
  readonly ticketsAdmin: TicketsAdmin;
  readonly watching: Watching;
}

export function createAdmin(options: AdminSliceOptions): AdminSlice {
  const admin = new Admin(options);
  const overview = new Overview({ ...options, admin });
  const setup = new Setup(options);
  const staffMails = new StaffMails({ ...options, admin, overview });
  return {
    admin,
    auditAdmin: new AuditAdmin(options),
    chainAdmin: new ChainAdmin(options),
    customersAdmin: new CustomersAdmin(options),
    inventoryAdmin: new InventoryAdmin(options),
    liveStaff: new LiveStaff(options),
    manualOrders: new ManualOrders(options),
    orderExport: new OrderExport(options),
    overview,
    owner: new Owner(options),
    sales: new Sales(options),
    promotionsAdmin: new PromotionsAdmin(options),
    setup,
    staffMails,
    ticketsAdmin: new TicketsAdmin(options),
    watching: new Watching({ ...options, overview, setup }),
  };
}
