/** Notes about orders, saved filters of staff, and changed addresses. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { BillingDetails } from '../stored-order.ts';

export interface NoteRow {
  readonly id: string;
  readonly text: string;
  readonly at: Date;
  readonly by: string | null;
}

export interface FilterRow {
  readonly id: string;
  readonly name: string;
  readonly query: string;
}

/** Oldest first. */
export async function listNotes(db: Db, orderId: string): Promise<readonly NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select note.id, note.text, note.created_at as at, users.username as by
    from order_notes note left join users on users.id = note.created_by
    where note.order_id = ${orderId} order by note.created_at, note.id
  `.execute(db);
  return rows;
}

export interface NewNote {
  readonly orderId: string;
  readonly text: string;
  readonly at: Date;
  readonly by: string | null;
  readonly requestKey: string | null;
}

/** Inserts a note; null for a repeated request. */
export async function insertNote(tx: Db, { orderId, text, at, by, requestKey }: NewNote): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into order_notes (id, order_id, text, created_at, created_by, request_key)
    values (${uuidv7()}, ${orderId}, ${text}, ${at}, ${by}, ${requestKey})
    on conflict (order_id, request_key) do nothing returning id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

export async function countNotes(tx: Db, orderId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from order_notes where order_id = ${orderId}
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Deletes a note and returns its text; null if there is none. */
export async function deleteNote(tx: Db, orderId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`
    delete from order_notes where id = ${id} and order_id = ${orderId} returning text
  `.execute(tx);
  return rows[0]?.text ?? null;
}

// ---- addresses

export async function readBilling(tx: Db, orderId: string): Promise<BillingDetails | null> {
  const { rows } = await sql<{ billing: BillingDetails }>`select billing from orders where id = ${orderId}`.execute(tx);
  return rows[0]?.billing ?? null;
}

export async function writeBilling(tx: Db, orderId: string, billing: BillingDetails): Promise<void> {
  await sql`update orders set billing = ${JSON.stringify(billing)}::jsonb where id = ${orderId}`.execute(tx);
}

/** Mails that staff sent again since a time. */
export async function countRequestedMails(db: Db, orderId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from order_events
    where order_id = ${orderId} and kind = 'mail_requested' and at > ${since}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether mails can reach the buyer: the account exists. */
export async function hasMailAddress(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${userId} and deleted_at is null`.execute(db);
  return rows.length > 0;
}

// ---- saved filters

/** By name. */
export async function listFilters(db: Db, userId: string): Promise<readonly FilterRow[]> {
  const { rows } = await sql<FilterRow>`
    select id, name, query from order_filters where user_id = ${userId} order by lower(name)
  `.execute(db);
  return rows;
}

/** Serializes the saving of filters of a member of staff until the transaction ends. */
export async function lockFilters(tx: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`order_filters ${userId}`}, 0))`.execute(tx);
}

/**
 * Saves a filter in the first free slot; false if there is none. `lockFilters` comes first.
 * @throws a unique violation for a taken name
 */
export async function insertFilter(tx: Db, userId: string, name: string, query: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into order_filters (id, user_id, slot, name, query)
    select ${uuidv7()}::uuid, ${userId}::uuid, slot, ${name}, ${query} from generate_series(1, 20) as slot
    where not exists (select from order_filters taken where taken.user_id = ${userId} and taken.slot = slot.slot)
    order by slot limit 1 returning id
  `.execute(tx);
  return rows.length > 0;
}

export const isFilterNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'order_filters_by_name');

export async function deleteFilter(db: Db, userId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    delete from order_filters where id = ${id} and user_id = ${userId} returning name
  `.execute(db);
  return rows[0]?.name ?? null;
}

/** Removes the notes about orders. */
export async function eraseNotes(tx: Db, orderIds: readonly string[]): Promise<void> {
  await sql`delete from order_notes where order_id = any(${orderIds}::uuid[])`.execute(tx);
}

/** Removes the filters of a former member of staff. */
export async function eraseFilters(tx: Db, userId: string): Promise<void> {
  await sql`delete from order_filters where user_id = ${userId}`.execute(tx);
}
