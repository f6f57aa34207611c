/** Events of orders whose buyers have not been told. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { parseEventKind } from '#src/shop/orders/kinds.ts';
import type { StoredEventKind } from '#src/shop/orders/kinds.ts';

export interface EventRow {
  readonly id: string;
  readonly order_id: string;
  readonly kind: StoredEventKind;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
  /** What had happened to the order before, oldest first. */
  readonly earlier: readonly StoredEventKind[];
}

/**
 * Takes events in this transaction, oldest first, and of each order the oldest only, so that the mails of an order leave in
 * the order of what happened. Marks on the rows, not a cursor: ids commit out of their order. What somebody else is
 * taking is left to them.
 */
export async function claimUndispatched(tx: Db, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<
    Omit<EventRow, 'kind' | 'earlier'> & { readonly kind: string; readonly earlier: readonly string[] }
  >`
    with next as (
      select id from order_events event
      where not is_told and not exists (
        select from order_events earlier
        where earlier.order_id = event.order_id and not earlier.is_told and earlier.id < event.id
      )
      order by id limit ${limit} for update skip locked
    )
    update order_events event set is_told = true from next where event.id = next.id
    returning event.id, event.order_id, event.kind, event.at, event.details,
      array(select earlier.kind from order_events earlier
        where earlier.order_id = event.order_id and earlier.id < event.id order by earlier.id) as earlier`.execute(tx);
  return rows
    .map((row) => ({ ...row, kind: parseEventKind(row.kind), earlier: row.earlier.map(parseEventKind) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
