/** What the shop knows of a user in tables of several slices, and how it is removed from them. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Role } from '#src/platform/http/call.ts';
import type { OrderForDeletion } from './deletion-block.ts';

export interface Account {
  readonly username: string;
  readonly username_key: string;
  readonly email: string;
  readonly email_key: string;
  readonly email_confirmed_at: Date | null;
  readonly role: Role;
  readonly created_at: Date;
}

export interface StoredSession {
  readonly device: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
}

export interface ContactMessage {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly message: string;
  readonly created_at: Date;
}

const account = sql`select username, username_key, email, email_key, email_confirmed_at, role, created_at from users`;

export async function findAccount(db: Db, userId: string): Promise<Account | null> {
  const { rows } = await sql<Account>`${account} where id = ${userId} and deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Whoever makes an order at the same time has made it, or waits until there is nobody to make it for. */
export async function lockAccount(tx: Db, userId: string): Promise<Account | null> {
  // The cart first, as whoever checks out does.
  await sql`delete from carts where user_id = ${userId}`.execute(tx);
  const { rows } = await sql<Account>`${account} where id = ${userId} and deleted_at is null for update`.execute(tx);
  return rows[0] ?? null;
}

export async function listSessions(db: Db, userId: string): Promise<readonly StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    select device, created_at, last_seen_at, expires_at from sessions where user_id = ${userId} order by created_at
  `.execute(db);
  return rows;
}

/** Every address that the account has or had, in lower case. @param isConfirmed only those that were the user's for sure */
export async function listAddresses(
  db: Db,
  userId: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select lower(email) as address from users
    where id = ${userId} and (email_confirmed_at is not null or not ${isConfirmed}::boolean)
    union
    select lower(recipient) from account_notices where user_id = ${userId} and (is_confirmed or not ${isConfirmed}::boolean)
  `.execute(db);
  return rows.map(({ address }) => address);
}

export async function listContactMessages(db: Db, addresses: readonly string[]): Promise<readonly ContactMessage[]> {
  const { rows } = await sql<ContactMessage>`
    select first_name, last_name, email, message, created_at from contact_messages
    where lower(email) = any(${addresses}::text[]) order by created_at
  `.execute(db);
  return rows;
}

export interface LockedOrder extends OrderForDeletion {
  readonly id: string;
  readonly number: bigint;
}

/** A user's orders, which nobody changes until the transaction ends: no payment is credited beside it. */
export async function lockOrders(tx: Db, userId: string): Promise<readonly LockedOrder[]> {
  await sql`select from orders where user_id = ${userId} order by id for update`.execute(tx);
  const { rows } = await sql<LockedOrder>`
    select id, number, is_open, payment_status, fulfilment_status, recorded_received_sats, refund_state,
      closed_as_loss_of,
      (select coalesce(sum(debit_sats), 0)::bigint from refunds
        where refunds.order_id = orders.id and refunds.state = 'confirmed')
        + (select coalesce(sum(amount_sats), 0)::bigint from write_offs
          where write_offs.order_id = orders.id and kind = 'unclaimed' and reopened_at is null) as refunded_sats,
      exists (select from refunds
        where refunds.order_id = orders.id and refunds.state in ('made', 'sent')) as has_open_refund
    from orders where user_id = ${userId} order by number
  `.execute(tx);
  return rows;
}

/** Cancels what has expired: a payment that comes later must not make it an order without an address. */
export async function cancelExpired(tx: Db, userId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update orders set payment_status = 'cancelled', cancelled_at = ${now}
    where user_id = ${userId} and payment_status = 'expired' returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Takes the names out of what the books keep: amounts, lines, payments and the country stay. */
export async function anonymiseOrders(tx: Db, userId: string): Promise<void> {
  await sql`
    update orders set billing = jsonb_build_object(
      'firstName', 'removed', 'lastName', 'removed', 'region', billing -> 'region', 'country', billing -> 'country',
      'streetAddress', 'removed', 'houseNumber', 'removed', 'city', 'removed', 'postcode', 'removed')
    where user_id = ${userId}
  `.execute(tx);
  await sql`
    update order_events event set details = '{}' from orders
    where orders.id = event.order_id and orders.user_id = ${userId} and event.kind in ('refund_address', 'refund_address_entered')
  `.execute(tx);
  await sql`
    delete from refund_address_confirmations confirmation using orders
    where orders.id = confirmation.order_id and orders.user_id = ${userId}
  `.execute(tx);
  // Where money may still have to go back, it has to be known where to.
  await sql`
    delete from refund_addresses refund using orders
    where orders.id = refund.order_id and orders.user_id = ${userId}
      and not (orders.payment_status in ('expired', 'cancelled') and orders.recorded_received_sats > 0)
      and orders.recorded_state is distinct from 'overpaid'
      and not exists (select from refunds where refunds.order_id = orders.id and refunds.state in ('made', 'sent'))
  `.execute(tx);
  await sql`delete from idempotency_keys where user_id = ${userId}`.execute(tx);
}

/** The ids of those that are gone. */
export async function deleteContactMessages(tx: Db, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from contact_messages where lower(email) = any(${addresses}::text[]) returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** The row stays for what names it, and holds nothing of anybody. */
export async function anonymiseAccount(tx: Db, userId: string, emailKey: string, now: Date): Promise<void> {
  const addressHash = createHash('sha256').update(emailKey).digest();
  await sql`delete from account_notices where user_id = ${userId}`.execute(tx);
  await sql`delete from email_confirmations where user_id = ${userId}`.execute(tx);
  await sql`delete from password_reset_codes where user_id = ${userId}`.execute(tx);
  await sql`delete from password_reset_requests where email_key = ${emailKey}`.execute(tx);
  await sql`delete from password_reset_tries where address_hash = ${addressHash}`.execute(tx);
  const key = `deleted:${userId}`;
  await sql`
    update users set username = 'Deleted customer', username_key = ${key}, email = '', email_key = ${key},
      password_hash = '', is_demo = false, email_confirmed_at = null, deleted_at = ${now}
    where id = ${userId}
  `.execute(tx);
}
