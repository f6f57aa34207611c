/** Reads orders with reserved stock. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface ReservationRow {
  readonly orderId: string;
  readonly number: bigint;
  readonly userId: string;
  readonly username: string;
  readonly isEmailConfirmed: boolean;
  readonly network: string | null;
  readonly reservedAt: Date;
  readonly expiresAt: Date;
  readonly isBrief: boolean;
  /** Most of the amount was seen. */
  readonly isSecured: boolean;
  readonly hasPayment: boolean;
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly available: number | null }[];
}

/** Newest first, with the total number. */
export async function listReservations(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly ReservationRow[]; readonly total: number }> {
  const { rows } = await sql<ReservationRow>`
    select orders.id as "orderId", orders.number, users.id as "userId", users.username,
      users.email_confirmed_at is not null as "isEmailConfirmed", held.network, orders.expires_at as "expiresAt",
      coalesce((select max(event.at) from order_events event
        where event.order_id = orders.id and event.kind = 'requoted'), orders.created_at) as "reservedAt",
      orders.full_expires_at is not null as "isBrief", held.is_secured as "isSecured",
      exists (select from payment_outputs output where output.order_id = orders.id and output.is_live) as "hasPayment",
      held.items
    from (
      select hold.order_id, max(hold.network) as network, bool_and(hold.is_secured) as is_secured,
        jsonb_agg(jsonb_build_object('name', products.name, 'quantity', hold.quantity, 'available', stock.available)
          order by products.name) as items
      from stock_holds hold
      join products on products.id = hold.product_id
      left join product_stock stock on stock.product_id = hold.product_id
      where hold.order_id in (
        select distinct order_id from stock_holds order by order_id desc limit ${limit} offset ${offset}
      )
      group by hold.order_id
    ) held
    join orders on orders.id = held.order_id
    join users on users.id = orders.user_id
    order by orders.id desc
  `.execute(db);
  const counted = await sql<{ total: number }>`select count(distinct order_id)::int as total from stock_holds`.execute(
    db,
  );
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
