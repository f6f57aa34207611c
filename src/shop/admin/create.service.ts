/** Creates the services of the admin slice. */
import { ChainAdmin } from './chain/service.ts';
import type { ChainAdminOptions } from './chain/service.ts';
import { InventoryAdmin } from './inventory/service.ts';
import type { InventoryAdminOptions } from './inventory/service.ts';
import { LiveStaff } from './live/service.ts';
import type { LiveStaffOptions } from './live/service.ts';
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
import { Admin, StaffMails } from './service.ts';
import type { AdminOptions, StaffMailsOptions } from './service.ts';

/** Everything from outside the slice that one of its services needs. */
export type AdminSliceOptions = Omit<
  AdminOptions &
    ChainAdminOptions &
    InventoryAdminOptions &
    LiveStaffOptions &
    OverviewOptions &
    SalesOptions &
    OwnerOptions &
    PromotionsAdminOptions &
    StaffMailsOptions &
    SetupOptions,
  'admin'
>;

export interface AdminSlice {
  readonly admin: Admin;
  readonly chainAdmin: ChainAdmin;
  readonly inventoryAdmin: InventoryAdmin;
  readonly liveStaff: LiveStaff;
  readonly overview: Overview;
  readonly owner: Owner;
  readonly sales: Sales;
  readonly promotionsAdmin: PromotionsAdmin;
  readonly setup: Setup;
  readonly staffMails: StaffMails;
}

export function createAdmin(options: AdminSliceOptions): AdminSlice {
  const admin = new Admin(options);
  const staffMails = new StaffMails({ ...options, admin });
  return {
    admin,
    chainAdmin: new ChainAdmin(options),
    inventoryAdmin: new InventoryAdmin(options),
    liveStaff: new LiveStaff(options),
    overview: new Overview({ ...options, admin }),
    owner: new Owner(options),
    sales: new Sales(options),
    promotionsAdmin: new PromotionsAdmin(options),
    setup: new Setup(options),
    staffMails,
  };
}
