/** Table of refund addresses. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import type { Sats } from '#src/shop/money.ts';
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import { openRefundStates, surplusStates } from '#src/shop/orders/state-groups.ts';

// ---- orders

export interface OwnOrder {
  readonly payment_status: PaymentStatus;
  /** What was received and no refund took. */
  readonly leftSats: Sats;
}

interface NumberedOrder {
  readonly payment_status: PaymentStatus;
  readonly number: bigint;
}

/** Locks an order of the user; null if it belongs to another user or does not exist. */
export async function lockOwnOrder(tx: Db, userId: string, orderId: string): Promise<OwnOrder | null> {
  const { rows } = await sql<OwnOrder>`
    select payment_status, recorded_received_sats - (
        select coalesce(sum(debit_sats), 0)::bigint from refunds where order_id = orders.id and state <> 'withdrawn'
      ) as "leftSats"
    from orders where id = ${orderId} and user_id = ${userId} for no key update
  `.execute(tx);
  return rows[0] ?? null;
}

export async function isOwnOrder(db: Db, userId: string, orderId: string): Promise<boolean> {
  const { rows } = await sql`select from orders where id = ${orderId} and user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** Locks an order of any user; null if it does not exist. */
export async function lockOrder(tx: Db, orderId: string): Promise<NumberedOrder | null> {
  const { rows } = await sql<NumberedOrder>`
    select payment_status, number from orders where id = ${orderId} for no key update
  `.execute(tx);
  return rows[0] ?? null;
}

// ---- addresses

export interface RefundAddressRow {
  readonly address: string;
  readonly setAt: Date;
  readonly confirmedAt: Date | null;
  /** When the objection period ends; null if the buyer entered the address. */
  readonly holdsFrom: Date | null;
  /** Why staff entered it. */
  readonly reason: string | null;
}

export async function findAddress(db: Db, orderId: string): Promise<RefundAddressRow | null> {
  const { rows } = await sql<RefundAddressRow>`
    select address, set_at as "setAt", confirmed_at as "confirmedAt", holds_from as "holdsFrom", reason
    from refund_addresses where order_id = ${orderId}
  `.execute(db);
  return rows[0] ?? null;
}

/** Sets the address of the buyer, unconfirmed. Replaces one that staff entered. */
export async function setAddress(tx: Db, orderId: string, address: string, now: Date): Promise<void> {
  await sql`
    insert into refund_addresses (order_id, address, set_at) values (${orderId}, ${address}, ${now})
    on conflict (order_id) do update set address = excluded.address, set_at = excluded.set_at, confirmed_at = null,
      entered_by = null, reason = null, holds_from = null
  `.execute(tx);
}

export interface EnteredAddress {
  readonly orderId: string;
  readonly address: string;
  readonly by: string;
  readonly reason: string;
  readonly at: Date;
  readonly holdsFrom: Date;
}

/** Sets the address that staff entered. */
export async function enterAddress(tx: Db, entered: EnteredAddress): Promise<void> {
  const { orderId, address, by, reason, at, holdsFrom } = entered;
  await sql`
    insert into refund_addresses (order_id, address, set_at, entered_by, reason, holds_from)
    values (${orderId}, ${address}, ${at}, ${by}, ${reason}, ${holdsFrom})
    on conflict (order_id) do update set address = excluded.address, set_at = excluded.set_at, confirmed_at = null,
      entered_by = excluded.entered_by, reason = excluded.reason, holds_from = excluded.holds_from
  `.execute(tx);
}

/** Recipient of mails about the refund address; null if the account was deleted. */
export async function findOwner(
  db: Db,
  orderId: string,
): Promise<{ readonly userId: string; readonly number: bigint } | null> {
  const { rows } = await sql<{ userId: string; number: bigint }>`
    select user_id as "userId", number from orders where id = ${orderId}
  `.execute(db);
  return rows[0] ?? null;
}

export interface Confirmation {
  readonly id: string;
  readonly orderId: string;
  readonly address: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** Each mail has its own token. */
export async function upsertConfirmation(db: Db, confirmation: Confirmation): Promise<void> {
  const { id, orderId, address, tokenHash, expiresAt } = confirmation;
  await sql`
    insert into refund_address_confirmations (id, order_id, address, token_hash, expires_at)
    values (${id}, ${orderId}, ${address}, ${tokenHash}, ${expiresAt})
    on conflict (id) do update set address = excluded.address, token_hash = excluded.token_hash,
      expires_at = excluded.expires_at
  `.execute(db);
}

/** The order of a token; null for one that was used or never issued. */
export async function findOrderOfConfirmation(tx: Db, tokenHash: Buffer): Promise<string | null> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from refund_address_confirmations where token_hash = ${tokenHash}
  `.execute(tx);
  return rows[0]?.orderId ?? null;
}

/** Consumes a token; null if it is not valid. */
export async function consumeConfirmation(
  tx: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<{ readonly orderId: string; readonly address: string } | null> {
  const { rows } = await sql<{ orderId: string; address: string }>`
    delete from refund_address_confirmations where token_hash = ${tokenHash} and expires_at > ${now}
    returning order_id as "orderId", address
  `.execute(tx);
  return rows[0] ?? null;
}

/** False if the address was changed since then. */
export async function confirmAddress(tx: Db, orderId: string, address: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update refund_addresses set confirmed_at = coalesce(confirmed_at, ${now})
    where order_id = ${orderId} and address = ${address} returning order_id
  `.execute(tx);
  return rows.length > 0;
}

export async function deleteOldConfirmations(db: Db, now: Date): Promise<void> {
  await sql`delete from refund_address_confirmations where expires_at < ${now}`.execute(db);
}

/** Deletes the confirmation links of orders. */
export async function deleteConfirmations(tx: Db, orderIds: readonly string[]): Promise<void> {
  await sql`delete from refund_address_confirmations where order_id = any(${orderIds}::uuid[])`.execute(tx);
}

/** Deletes the confirmation links of all orders of a user. */
export async function deleteUserConfirmations(tx: Db, userId: string): Promise<void> {
  await sql`
    delete from refund_address_confirmations confirmation using orders
    where orders.id = confirmation.order_id and orders.user_id = ${userId}
  `.execute(tx);
}

/** Deletes the refund addresses of orders, except of orders of which an amount may still be refunded. */
export async function deleteUnneededAddresses(tx: Db, orderIds: readonly string[]): Promise<void> {
  await sql`
    delete from refund_addresses refund using orders
    where orders.id = refund.order_id and orders.id = any(${orderIds}::uuid[])
      and not (orders.payment_status in (${createLiteralList<PaymentStatus>(['expired', 'cancelled'])}) and orders.recorded_received_sats > 0)
      and (orders.recorded_state in (${createLiteralList(surplusStates)})) is not true
      and not exists (select from refunds where refunds.order_id = orders.id and refunds.state in (${createLiteralList(openRefundStates)}))
  `.execute(tx);
}
