/** Reads and locks staff accounts. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { existsFactor } from '../has-factor.store.ts';
import type { Role } from '#src/shop/permissions.ts';

export interface StaffMember {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  /** The last call of a present session; null without one. */
  readonly lastSeenAt: Date | null;
}

/** Lists the team: owners first, then by role and name. */
export async function listMembers(db: Db): Promise<readonly StaffMember[]> {
  const { rows } = await sql<StaffMember>`
    select id, username, email, role,
      ${existsFactor(sql`users.id`)} as "hasSecondFactor",
      (select max(last_seen_at) from sessions where user_id = users.id) as "lastSeenAt"
    from users where role <> 'customer' and deleted_at is null
    order by array_position(array['owner', 'manager', 'support', 'shipping'], role), username_key
  `.execute(db);
  return rows;
}

/** Locks all owner accounts, so that two concurrent demotions can't remove the last owners. */
export async function lockOwners(tx: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where role = 'owner' and deleted_at is null order by id for no key update
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export async function setRole(tx: Db, usernameKey: string, role: Role): Promise<void> {
  await sql`
    update users set role = ${role} where username_key = ${usernameKey} and deleted_at is null
  `.execute(tx);
}

export interface LockedAccount {
  readonly role: Role;
  readonly emailKey: string;
}

/** Locks an account until the transaction ends. Null if there is none. */
export async function lockMember(tx: Db, userId: string): Promise<LockedAccount | null> {
  const { rows } = await sql<LockedAccount>`
    select role, email_key as "emailKey" from users
    where id = ${userId} and deleted_at is null for no key update
  `.execute(tx);
  return rows[0] ?? null;
}

/** Devices of the account are known again only after their next login. */
export async function forgetDevices(tx: Db, userId: string): Promise<void> {
  await sql`update users set device_generation = device_generation + 1 where id = ${userId}`.execute(tx);
}

/** For somebody who followed a link in a mail, which also confirms the address. */
export async function grantRole(tx: Db, userId: string, role: Role, now: Date): Promise<void> {
  await sql`
    update users set role = ${role}, email_confirmed_at = coalesce(email_confirmed_at, ${now}) where id = ${userId}
  `.execute(tx);
}

export async function findMemberByName(
  tx: Db,
  usernameKey: string,
): Promise<{ readonly id: string; readonly role: Role } | null> {
  const { rows } = await sql<{ id: string; role: Role }>`
    select id, role from users where username_key = ${usernameKey} and deleted_at is null for no key update
  `.execute(tx);
  return rows[0] ?? null;
}
