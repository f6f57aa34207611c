/** Roles of staff members, assigned by owners. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Role } from '#src/platform/http/call.ts';
import { normaliseName } from './registration/normalise-name.ts';
import * as store from './roles.store.ts';
import type { StaffMember } from './roles.store.ts';

export type RoleChangeResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'not-found' | 'last-owner' };

export class Roles {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Lists staff and owners. */
  list(): Promise<readonly StaffMember[]> {
    return store.listMembers(this.#db);
  }

  /**
   * Changes the role of an account, effective with its next call. The last owner can't be demoted.
   */
  async change(username: string, role: Role): Promise<RoleChangeResult> {
    const key = normaliseName(username);
    if (key === null) return { ok: false, reason: 'not-found' };
    return transact(this.#db, async (tx) => {
      const owners = await store.lockOwners(tx);
      const member = await store.findMemberByName(tx, key);
      if (!member) return { ok: false, reason: 'not-found' };
      const isLastOwner = owners.length === 1 && owners[0] === member.id;
      if (isLastOwner && role !== 'owner') return { ok: false, reason: 'last-owner' };
      await store.setRole(tx, key, role);
      return { ok: true, id: member.id };
    });
  }
}
