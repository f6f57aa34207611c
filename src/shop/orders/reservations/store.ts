/** Reads the orders that stock is reserved for. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface ReservingOrder {
  readonly id: string;
  readonly number: bigint;
  readonly userId: string;
  readonly username: string;
  readonly isEmailConfirmed: boolean;
  readonly reservedAt: Date;
  readonly expiresAt: Date;
  readonly isBrief: boolean;
  readonly hasPayment: boolean;
}

export async function listReservingOrders(db: Db, ids: readonly string[]): Promise<readonly ReservingOrder[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ReservingOrder>`
    select orders.id, orders.number, users.id as "userId", users.username,
      users.email_confirmed_at is not null as "isEmailConfirmed", orders.expires_at as "expiresAt",
      coalesce((select max(event.at) from order_events event
        where event.order_id = orders.id and event.kind = 'requoted'), orders.created_at) as "reservedAt",
      orders.full_expires_at is not null as "isBrief",
      exists (select from payment_outputs output where output.order_id = orders.id and output.is_live) as "hasPayment"
    from orders join users on users.id = orders.user_id
    where orders.id = any(${ids}::uuid[])
  `.execute(db);
  return rows;
}
