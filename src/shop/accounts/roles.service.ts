/** Roles: who works in the shop, as its owners say. */
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

  /** Everybody who is more than a customer. */
  list(): Promise<readonly StaffMember[]> {
    return store.listMembers(this.#db);
  }

  /** Gives an account a role; it counts from the next call on. The last owner stays one. */
  async change(username: string, role: Role): Promise<RoleChangeResult> {
    const key = normaliseName(username);
    if (key === null) return { ok: false, reason: 'not-found' };
    return transact(this.#db, async (tx) => {
      const owners = await store.lockOwners(tx);
      const found = await store.findMemberByName(tx, key);
      if (!found) return { ok: false, reason: 'not-found' };
      const isLastOwner = owners.length === 1 && owners[0] === found.id;
      if (isLastOwner && role !== 'owner') return { ok: false, reason: 'last-owner' };
      await store.setRole(tx, key, role);
      return { ok: true, id: found.id };
    });
  }
}
