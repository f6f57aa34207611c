import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { PriceGuard } from '#src/shop/price-reduction.ts';

/** A member of staff who makes a change, as services receive it. */
export const createStaffActor = (userId: string, username = 'staff'): StaffActor => ({
  kind: 'staff',
  userId,
  username,
  ip: '192.0.2.1',
  userAgent: null,
});

/** Permits every change of prices. */
export const allowPriceChanges: PriceGuard = () => null;

/** For services that store no more of the actor than their audit entry. */
export const staffActor = createStaffActor('0198b000-0000-7000-8000-00000000000a');
