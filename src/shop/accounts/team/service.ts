/** Roles of staff members, assigned by owners. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { isPromotion } from '#src/shop/permissions.ts';
import type { Role } from '#src/shop/permissions.ts';
import { deleteLink } from './first-owner-link.store.ts';
import { deleteCodes } from '../password-reset/store.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import { removeFactors } from '../second-factor/service.ts';
import * as store from './store.ts';
import type { StaffMember } from './store.ts';

export type RoleChangeResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'not-found' | 'last-owner' | 'other-role' };

type EndSessions = (tx: Db, userId: string) => Promise<unknown>;

export interface RolesOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Ends all sessions of an account that is promoted or leaves the team. */
  readonly endSessions: EndSessions;
}

/**
 * Ends what an account was opened with before its promotion: sessions, pending logins, reset codes and known devices.
 * The person logs in again, by the rules of the new role.
 */
export async function endEarlierAccess(tx: Db, userId: string, endSessions: EndSessions): Promise<void> {
  await endSessions(tx, userId);
  await deleteCodes(tx, userId);
  await store.forgetDevices(tx, userId);
}

/** Lists members of the team, owners first. */
export const listTeam = (db: Db): Promise<readonly StaffMember[]> => store.listMembers(db);

export class Roles {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #endSessions: EndSessions;

  constructor({ db, clock, endSessions }: RolesOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#endSessions = endSessions;
  }

  /** Lists staff and owners. */
  list(): Promise<readonly StaffMember[]> {
    return store.listMembers(this.#db);
  }

  /**
   * Changes the role of an account, effective with its next call. A promotion ends its sessions. Only a command can
   * demote the last owner: whoever has a shell can appoint another one.
   * @param seenRole the role that the account must still have; null: any
   */
  async change(username: string, role: Role, by: Actor, seenRole: Role | null = null): Promise<RoleChangeResult> {
    const key = normaliseName(username);
    if (key === null) return { ok: false, reason: 'not-found' };
    return transact(this.#db, async (tx) => {
      const owners = await store.lockOwners(tx);
      const member = await store.findMemberByName(tx, key);
      if (!member) return { ok: false, reason: 'not-found' };
      if (seenRole !== null && member.role !== seenRole) return { ok: false, reason: 'other-role' };
      const isLastOwner = owners.length === 1 && owners[0] === member.id;
      if (isLastOwner && role !== 'owner' && by.kind === 'staff') return { ok: false, reason: 'last-owner' };
      await store.setRole(tx, key, role);
      // The link ends for good with the first owner, also if there is none later.
      if (role === 'owner') await deleteLink(tx);
      if (role === 'customer' && member.role !== role) {
        // Customers have no page that would remove them.
        await removeFactors(tx, member.id);
        await this.#endSessions(tx, member.id);
      }
      if (isPromotion(member.role, role)) await endEarlierAccess(tx, member.id, this.#endSessions);
      const change = { before: { role: member.role }, after: { role } };
      const subject = { kind: 'account', id: member.id } as const;
      if (member.role !== role) {
        await recordChange(tx, { at: this.#clock.now(), by, action: 'account.role-changed', subject, ...change });
      }
      return { ok: true, id: member.id };
    });
  }
}
