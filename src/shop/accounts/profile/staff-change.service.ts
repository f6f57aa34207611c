/** Entries of the audit log about changes that members of the team make to their own account. */
import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChanges } from '#src/shop/audit-log/service.ts';
import { isStaffRole } from '#src/shop/permissions.ts';
import * as store from './store.ts';
import type { ProfileRow } from './store.ts';

interface StaffChange {
  readonly at: Date;
  readonly userId: string;
  readonly before: ProfileRow;
  readonly isPasswordNew: boolean;
  readonly by: StaffActor;
}

/** Nothing for a customer. Call it last in the transaction of the change. */
export async function recordStaffChange(tx: Db, { at, userId, before, isPasswordNew, by }: StaffChange): Promise<void> {
  const after = isStaffRole(before.role) ? await store.findProfile(tx, userId) : null;
  if (after === null) return;
  const shared = { at, by, subject: { kind: 'account', id: userId } } as const;
  const { username, email } = before;
  await recordChanges(tx, [
    ...(after.username === username
      ? []
      : [{ ...shared, action: 'account.renamed', before: { username }, after: { username: after.username } }]),
    ...(after.email === email
      ? []
      : [{ ...shared, action: 'account.email-changed', before: { email }, after: { email: after.email } }]),
    ...(isPasswordNew ? [{ ...shared, action: 'account.password-changed', before: {}, after: {} }] : []),
  ]);
}
