/** What a buyer sees in addition to the order. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import { parseEventKind } from '../order-events.ts';
import type { StoredEventKind } from '../order-events.ts';

export interface OrderEventRow {
  readonly kind: StoredEventKind;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface LeftPaymentRow {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: Sats;
  readonly because: 'replaced' | 'dropped';
  readonly leftAt: Date;
}

/** Oldest first. */
export async function listEvents(db: Db, orderId: string): Promise<readonly OrderEventRow[]> {
  const { rows } = await sql<OrderEventRow & { readonly kind: string }>`
    select kind, at, details from order_events where order_id = ${orderId} order by at, id
  `.execute(db);
  return rows.map((row) => ({ ...row, kind: parseEventKind(row.kind) }));
}

/** Payments that left, in that order; excludes coinbase outputs. */
export async function listLeftPayments(db: Db, orderId: string): Promise<readonly LeftPaymentRow[]> {
  const { rows } = await sql<LeftPaymentRow>`
    select encode(txid, 'hex') as txid, vout, amount_sats as "amountSats", left_because as because, left_at as "leftAt"
    from payment_outputs where order_id = ${orderId} and not is_live and not is_coinbase and left_because is not null
    order by left_at, txid, vout
  `.execute(db);
  return rows;
}

/** Stored facts that the order response does not include. */
export interface OrderSnapshot {
  readonly token: string;
  readonly rate: CentsPerBtc;
  readonly trackingReference: string | null;
  /** Staff created the order for its buyer. */
  readonly isManual: boolean;
}

export async function findOrderSnapshot(db: Db, orderId: string): Promise<OrderSnapshot | null> {
  const { rows } = await sql<OrderSnapshot>`
    select link_token as token, rate_cents_per_btc as rate, tracking_reference as "trackingReference",
      created_by is not null as "isManual"
    from orders where id = ${orderId}
  `.execute(db);
  return rows[0] ?? null;
}

export async function findByLink(
  db: Db,
  token: string,
): Promise<{ readonly id: string; readonly userId: string } | null> {
  const { rows } = await sql<{ id: string; userId: string }>`
    select id, user_id as "userId" from orders where link_token = ${token}
  `.execute(db);
  return rows[0] ?? null;
}

/** Owners of orders. */
export async function listOwners(
  db: Db,
  orderIds: readonly string[],
): Promise<{ readonly id: string; readonly userId: string }[]> {
  const { rows } = await sql<{ id: string; userId: string }>`
    select id, user_id as "userId" from orders where id = any(${orderIds}::uuid[])
  `.execute(db);
  return rows;
}
