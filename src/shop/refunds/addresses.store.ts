/** Where buyers want money back. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { PaymentStatus } from '../orders/settle-order.ts';

// ---- orders

export interface OwnOrder {
  readonly payment_status: PaymentStatus;
}

/** The user's own order, locked; null for one that is somebody else's or not there. */
export async function lockOwnOrder(tx: Db, userId: string, orderId: string): Promise<OwnOrder | null> {
  const { rows } = await sql<OwnOrder>`
    select payment_status from orders where id = ${orderId} and user_id = ${userId} for no key update
  `.execute(tx);
  return rows[0] ?? null;
}

export async function isOwnOrder(db: Db, userId: string, orderId: string): Promise<boolean> {
  const { rows } = await sql`select from orders where id = ${orderId} and user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** Whether an address is one that orders are paid to. */
export async function isShopAddress(db: Db, address: string): Promise<boolean> {
  const { rows } = await sql`select from order_addresses where address = ${address}`.execute(db);
  return rows.length > 0;
}

// ---- addresses

export interface NamedAddress {
  readonly address: string;
  readonly setAt: Date;
  readonly confirmedAt: Date | null;
}

export async function findAddress(db: Db, orderId: string): Promise<NamedAddress | null> {
  const { rows } = await sql<NamedAddress>`
    select address, set_at as "setAt", confirmed_at as "confirmedAt" from refund_addresses where order_id = ${orderId}
  `.execute(db);
  return rows[0] ?? null;
}

/** Another address is not confirmed, whatever the one before was. */
export async function setAddress(tx: Db, orderId: string, address: string, now: Date): Promise<void> {
  await sql`
    insert into refund_addresses (order_id, address, set_at) values (${orderId}, ${address}, ${now})
    on conflict (order_id) do update set address = excluded.address, set_at = excluded.set_at, confirmed_at = null
  `.execute(tx);
}

/** Whom a mail about an order's address for refunds goes to; null when there is nobody any more. */
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

/** A mail that is written again has another token. */
export async function putConfirmation(db: Db, confirmation: Confirmation): Promise<void> {
  const { id, orderId, address, tokenHash, expiresAt } = confirmation;
  await sql`
    insert into refund_address_confirmations (id, order_id, address, token_hash, expires_at)
    values (${id}, ${orderId}, ${address}, ${tokenHash}, ${expiresAt})
    on conflict (id) do update set address = excluded.address, token_hash = excluded.token_hash,
      expires_at = excluded.expires_at
  `.execute(db);
}

/** Takes a token for good; null for one that is worth nothing. */
export async function takeConfirmation(
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

/** False when the buyer has named another one since. */
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
