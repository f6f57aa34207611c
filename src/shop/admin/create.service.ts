/** Creates the services of the admin slice. */
import { ChainAdmin } from './chain/service.ts';
import type { ChainAdminOptions } from './chain/service.ts';
import { Owner } from './owner/service.ts';
import type { OwnerOptions } from './owner/service.ts';
import { Admin, StaffMails } from './service.ts';
import type { AdminOptions, StaffMailsOptions } from './service.ts';

/** Everything from outside the slice that one of its services needs. */
export type AdminSliceOptions = Omit<AdminOptions & ChainAdminOptions & OwnerOptions & StaffMailsOptions, 'admin'>;

export interface AdminSlice {
  readonly admin: Admin;
  readonly chainAdmin: ChainAdmin;
  readonly owner: Owner;
  readonly staffMails: StaffMails;
}

export function createAdmin(options: AdminSliceOptions): AdminSlice {
  const admin = new Admin(options);
  const staffMails = new StaffMails({ ...options, admin });
  return { admin, chainAdmin: new ChainAdmin(options), owner: new Owner(options), staffMails };
}
