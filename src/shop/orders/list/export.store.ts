/** Reads orders for the export, in batches. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { executeCancellable } from '#src/platform/database/cancellable.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { FulfilmentStatus, PaymentStatus } from '../kinds.ts';
import { createConditions } from './store.ts';
import type { OrderFilter } from './store.ts';

const BATCH_SIZE = 200;

export interface ExportedOrder {
  readonly id: string;
  /** The exact time, to continue after it. */
  readonly at: string;
  readonly number: bigint;
  readonly created_at: Date;
  readonly paid_at: Date | null;
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly username: string;
  readonly billing: Readonly<Record<string, string | undefined>>;
  readonly promo_code: string | null;
  readonly subtotal: Cents;
  readonly discount: Cents;
  readonly shipping: Cents;
  readonly total: Cents;
  readonly due: Sats;
  readonly received: Sats;
  readonly waived: Cents;
  readonly refunded: Cents;
  readonly refunded_sats: Sats;
  readonly tracking_number: string | null;
  readonly units: number;
  /** Lines in the order of the cart. */
  readonly items: readonly { readonly name: string; readonly sku: string | null; readonly quantity: number }[];
}

/** Orders that match, the oldest first. @param signal stops the query */
export async function* streamOrders(
  db: Db,
  filter: Omit<OrderFilter, 'q'>,
  signal?: AbortSignal,
): AsyncGenerator<readonly ExportedOrder[]> {
  const conditions = sql.join([sql`true`, ...createConditions(filter)], sql` and `);
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const statement = sql<ExportedOrder>`
      select orders.id, orders.created_at::text as at, orders.number, orders.created_at, orders.paid_at,
        orders.payment_status, orders.fulfilment_status, users.username, orders.billing,
        orders.promo ->> 'code' as promo_code, orders.total_cents as subtotal, orders.discount_cents as discount,
        orders.shipping_cents as shipping, orders.total_after_cents as total,
        coalesce(orders.settled_sats, orders.due_sats) as due, orders.recorded_received_sats as received,
        orders.total_after_cents - paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats) as waived,
        orders.refunded_cents as refunded, orders.refunded_sats, orders.tracking_reference as tracking_number,
        (select sum(quantity)::integer from order_lines where order_id = orders.id) as units,
        (select jsonb_agg(jsonb_build_object('name', name, 'sku', sku, 'quantity', quantity) order by position)
          from order_lines where order_id = orders.id) as items
      from orders join users on users.id = orders.user_id
      where (orders.created_at, orders.id) > (${after.at}::timestamptz, ${after.id}::uuid) and ${conditions}
      order by orders.created_at, orders.id limit ${BATCH_SIZE}`;
    const rows = await executeCancellable(db, statement, signal);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH_SIZE) return;
    after = last;
  }
}
