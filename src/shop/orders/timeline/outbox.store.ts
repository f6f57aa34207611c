/** The outbox of order events: `is_told` marks the dispatched ones. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { parseEventKind } from '#src/shop/orders/order-events.ts';
import type { StoredEventKind } from '#src/shop/orders/order-events.ts';

export interface UndispatchedEvent {
  readonly id: string;
  readonly order_id: string;
  readonly kind: StoredEventKind;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
  /** Kinds of earlier events of the order, oldest first. */
  readonly earlier: readonly StoredEventKind[];
}

/**
 * Claims undispatched events within the transaction: oldest first, one per order, so that mails of
 * an order keep its sequence. Marks rows instead of a cursor, since ids commit out of order. Skips
 * rows that another process holds.
 */
export async function claimUndispatched(tx: Db, limit: number): Promise<UndispatchedEvent[]> {
  const { rows } = await sql<
    Omit<UndispatchedEvent, 'kind' | 'earlier'> & { readonly kind: string; readonly earlier: readonly string[] }
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
