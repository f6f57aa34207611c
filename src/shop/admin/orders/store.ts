/** Reads what the staff page of an order shows. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { parseEventKind } from '#src/shop/orders/order-events.ts';
import type { StaffEvent } from './show-history.ts';

/** Email address of a buyer. Empty for an erased account, and for one of the team: colleagues do not see it here. */
export async function findCustomerEmail(db: Db, userId: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${userId} and role = 'customer' and deleted_at is null
  `.execute(db);
  return rows[0]?.email ?? '';
}

/** Username of the member of staff who created the order; null if the buyer placed it. */
export async function findCreator(db: Db, orderId: string): Promise<string | null> {
  const { rows } = await sql<{ username: string }>`
    select users.username from orders join users on users.id = orders.created_by where orders.id = ${orderId}
  `.execute(db);
  return rows[0]?.username ?? null;
}

/** Oldest first. */
export async function listEvents(db: Db, orderId: string): Promise<readonly StaffEvent[]> {
  const { rows } = await sql<StaffEvent & { readonly kind: string }>`
    select event.kind, event.at, event.details, users.username as by
    from order_events event left join users on users.id = case
      when event.details ->> 'by' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (event.details ->> 'by')::uuid end
    where event.order_id = ${orderId} order by event.at, event.id
  `.execute(db);
  return rows.map((row) => ({ ...row, kind: parseEventKind(row.kind) }));
}

export interface Neighbour {
  readonly id: string;
  readonly number: bigint;
}

/** The orders with the next higher and the next lower number. */
export async function findNeighbours(
  db: Db,
  orderId: string,
): Promise<{ readonly newer: Neighbour | null; readonly older: Neighbour | null }> {
  const { rows } = await sql<Neighbour & { readonly is_newer: boolean }>`
    with shown as (select number from orders where id = ${orderId})
    (select id, number, true as is_newer from orders
      where number > (select number from shown) order by number limit 1)
    union all
    (select id, number, false as is_newer from orders
      where number < (select number from shown) order by number desc limit 1)
  `.execute(db);
  return {
    newer: rows.find((row) => row.is_newer) ?? null,
    older: rows.find((row) => !row.is_newer) ?? null,
  };
}
