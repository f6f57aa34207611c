/** Invitations to the team. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { StaffRole } from '#src/shop/permissions.ts';

export interface InvitationRow {
  readonly id: string;
  readonly email: string;
  readonly role: StaffRole;
  readonly invitedBy: string;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  /** Past its end, or its sender is no owner any more. */
  readonly isExpired: boolean;
}

const isOpen = sql`invitations.withdrawn_at is null and invitations.accepted_at is null`;
/** Who lost the right to invite can't let anybody in. */
const isValidAt = (now: Date) => sql<boolean>`(
  invitations.expires_at > ${now}
  and exists (select from users where id = invitations.invited_by and role = 'owner' and deleted_at is null)
)`;

/** Open ones, newest first. */
export async function listOpen(db: Db, now: Date): Promise<readonly InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select invitations.id, invitations.email, invitations.role, users.username as "invitedBy", sent_at as "sentAt",
      expires_at as "expiresAt", not ${isValidAt(now)} as "isExpired"
    from invitations join users on users.id = invited_by
    where ${isOpen} order by sent_at desc, invitations.id
  `.execute(db);
  return rows;
}

export interface NewInvitation {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly role: StaffRole;
  readonly invitedBy: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** False if the address has an open invitation. */
export async function insertInvitation(tx: Db, invitation: NewInvitation): Promise<boolean> {
  const { id, email, emailKey, role, invitedBy, now, expiresAt } = invitation;
  const { rows } = await sql`
    insert into invitations (id, email, email_key, role, invited_by, created_at, sent_at, expires_at)
    values (${id}, ${email}, ${emailKey}, ${role}, ${invitedBy}, ${now}, ${now}, ${expiresAt})
    on conflict (email_key) where withdrawn_at is null and accepted_at is null do nothing returning id
  `.execute(tx);
  return rows.length > 0;
}

export async function isMember(db: Db, emailKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where email_key = ${emailKey} and role <> 'customer' and deleted_at is null
  `.execute(db);
  return rows.length > 0;
}

export interface ChangedInvitation {
  readonly email: string;
  readonly role: StaffRole;
}

/** The address of an open invitation; null if it is not open. */
export async function findOpenAddress(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ emailKey: string }>`
    select email_key as "emailKey" from invitations where id = ${id} and ${isOpen}
  `.execute(db);
  return rows[0]?.emailKey ?? null;
}

/** Ends the former link. Null if the invitation is not open. */
export async function renew(
  tx: Db,
  id: string,
  { invitedBy, now, expiresAt }: Pick<NewInvitation, 'invitedBy' | 'now' | 'expiresAt'>,
): Promise<ChangedInvitation | null> {
  const { rows } = await sql<ChangedInvitation>`
    update invitations
    set token_hash = null, invited_by = ${invitedBy}, sent_at = ${now}, expires_at = ${expiresAt}
    where id = ${id} and ${isOpen} returning email, role
  `.execute(tx);
  return rows[0] ?? null;
}

/** Null if it is not open. */
export async function withdraw(tx: Db, id: string, now: Date): Promise<ChangedInvitation | null> {
  const { rows } = await sql<ChangedInvitation>`
    update invitations set withdrawn_at = ${now} where id = ${id} and ${isOpen} returning email, role
  `.execute(tx);
  return rows[0] ?? null;
}

/** Stores the token of the link in the mail. Null if the invitation is not open. */
export async function saveToken(db: Db, id: string, tokenHash: Buffer): Promise<ChangedInvitation | null> {
  const { rows } = await sql<ChangedInvitation>`
    update invitations set token_hash = ${tokenHash} where id = ${id} and ${isOpen} returning email, role
  `.execute(db);
  return rows[0] ?? null;
}

export interface FoundInvitation extends ChangedInvitation {
  readonly id: string;
  readonly emailKey: string;
  readonly state: 'open' | 'used' | 'expired' | 'withdrawn';
}

export async function findByToken(db: Db, tokenHash: Buffer, now: Date): Promise<FoundInvitation | null> {
  const { rows } = await sql<FoundInvitation>`
    select id, email, email_key as "emailKey", role,
      case
        when accepted_at is not null then 'used'
        when withdrawn_at is not null then 'withdrawn'
        when ${isValidAt(now)} then 'open'
        else 'expired'
      end as state
    from invitations where token_hash = ${tokenHash}
  `.execute(db);
  return rows[0] ?? null;
}

/** Uses an invitation up. Null if it is not open any more: of two acceptances one wins. */
export async function consume(
  tx: Db,
  tokenHash: Buffer,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<StaffRole | null> {
  const { rows } = await sql<{ role: StaffRole }>`
    update invitations set accepted_at = ${now}, accepted_by = ${userId}
    where token_hash = ${tokenHash} and ${isOpen} and ${isValidAt(now)} returning role
  `.execute(tx);
  return rows[0]?.role ?? null;
}

/** Deletes those that ended before this moment. */
export async function deleteEndedBefore(db: Db, before: Date): Promise<void> {
  await sql`
    delete from invitations where coalesce(accepted_at, withdrawn_at, expires_at) < ${before}
  `.execute(db);
}
