/** What the tables say of an order, read without the queries of the shop. Amounts are below 2^53. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

interface Line {
  readonly position: number;
  readonly quantity: number;
  readonly is_free: boolean;
  /** Of one unit. */
  readonly price_cents: number;
  readonly variant_id: string;
  readonly shipped_quantity: number;
  readonly refunded_unshipped_quantity: number;
  readonly refunded_shipped_quantity: number;
}

interface Units {
  readonly position: number;
  readonly quantity: number;
}

export interface ReturnLine extends Units {
  readonly cancelled_quantity: number;
  readonly received_quantity: number;
  readonly restocked_quantity: number;
  readonly damaged_quantity: number;
  readonly sent_back_quantity: number;
  readonly deduction_cents: number;
}

export interface ReturnFacts {
  readonly id: string;
  readonly cause: string;
  readonly requested_at: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly refund_due_at: string | null;
  readonly sent_at: string | null;
  readonly received_at: string | null;
  readonly inspected_at: string | null;
  readonly closed_at: string | null;
  readonly refund_id: string | null;
  readonly is_sent_back_released: boolean;
  readonly version: number;
  readonly lines: readonly ReturnLine[];
}

interface RefundLine extends Units {
  readonly is_shipped: boolean;
  readonly net_cents: number;
  readonly tax_cents: number;
  readonly deducted_net_cents: number;
  readonly deducted_tax_cents: number;
  readonly restocked_quantity: number | null;
}

export interface RefundFacts {
  readonly id: string;
  readonly covers: string;
  readonly state: string;
  readonly debit_sats: number;
  readonly amount_sats: number;
  readonly value_cents: number | null;
  readonly value_sats: number | null;
  readonly rate_cents_per_btc: number | null;
  readonly counted_cents: number | null;
  readonly holds_units: boolean;
  readonly restocks: boolean;
  readonly made_at: string;
  readonly withdrawn_at: string | null;
  readonly units_settled_at: string | null;
  readonly shipping_net_cents: number | null;
  readonly shipping_tax_cents: number | null;
  readonly lines: readonly RefundLine[];
  readonly parts: readonly {
    readonly position: number | null;
    readonly net_cents: number;
    readonly tax_cents: number;
  }[];
}

interface Document {
  readonly id: string;
  readonly kind: 'invoice' | 'credit_note';
  readonly corrects_id: string | null;
  readonly refund_id: string | null;
  readonly gross_cents: number;
  readonly lines: readonly {
    readonly position: number | null;
    readonly quantity: number;
    readonly netCents: string;
    readonly taxCents: string;
  }[];
}

export interface OrderFacts {
  readonly order: {
    readonly payment_status: string;
    readonly fulfilment_status: string;
    readonly refund_state: string | null;
    readonly total_after_cents: number;
    readonly due_sats: number;
    readonly settled_sats: number | null;
    readonly paid_at: string | null;
    readonly cancelled_at: string | null;
    readonly units_returned_at: string | null;
    readonly shipping_refunded: boolean;
    readonly closed_as_loss_of: string | null;
  };
  readonly lines: readonly Line[];
  /** Parcels that were not undone, by number. */
  readonly parcels: readonly {
    readonly number: number;
    readonly shipped_at: string;
    readonly lines: readonly Units[];
  }[];
  /** Number of the last parcel, which may be undone; 0 for none. */
  readonly lastParcel: number;
  readonly returns: readonly ReturnFacts[];
  /** Oldest first. */
  readonly refunds: readonly RefundFacts[];
  /** Oldest first. */
  readonly documents: readonly Document[];
  readonly statements: readonly {
    readonly id: string;
    readonly result: string | null;
    readonly return_id: string | null;
  }[];
  readonly serials: readonly {
    readonly number: string;
    readonly position: number;
    readonly returned_at: string | null;
  }[];
  readonly arrived: readonly { readonly return_id: string; readonly number: string; readonly is_sent_back: boolean }[];
  /** Entries of timeline and audit log. */
  readonly entries: number;
  readonly stock: Readonly<Record<string, number>>;
}

const rowsOf = (query: ReturnType<typeof sql>) =>
  sql`(select coalesce(jsonb_agg(to_jsonb(one)), '[]') from (${query}) one)`;

export async function readFacts(db: Db, id: string): Promise<OrderFacts> {
  const { rows } = await sql<OrderFacts>`select
    (select to_jsonb(one) from (select payment_status, fulfilment_status, refund_state, total_after_cents, due_sats,
      settled_sats, paid_at, cancelled_at, units_returned_at, shipping_refunded, closed_as_loss_of
      from orders where id = ${id}) one) as order,
    ${rowsOf(sql`select * from order_lines where order_id = ${id} order by position`)} as lines,
    ${rowsOf(sql`select number, shipped_at, (select jsonb_agg(to_jsonb(line)) from shipment_lines line
      where line.shipment_id = shipments.id) as lines
      from shipments where order_id = ${id} and undone_at is null order by number`)} as parcels,
    ${rowsOf(sql`select *, (select jsonb_agg(to_jsonb(line) order by position) from return_lines line
      where line.return_id = returns.id) as lines
      from returns where order_id = ${id} order by requested_at, id`)} as returns,
    ${rowsOf(sql`select id, covers, state, debit_sats, amount_sats, value_cents, value_sats, rate_cents_per_btc, counted_cents,
      holds_units, restocks, made_at, withdrawn_at, units_settled_at, shipping_net_cents, shipping_tax_cents,
      (select coalesce(jsonb_agg(to_jsonb(line)), '[]') from refund_lines line where line.refund_id = refunds.id) as lines,
      (select coalesce(jsonb_agg(to_jsonb(part)), '[]') from refund_parts part where part.refund_id = refunds.id) as parts
      from refunds where order_id = ${id} order by made_at, id`)} as refunds,
    ${rowsOf(sql`select id, kind, corrects_id, refund_id, gross_cents, content -> 'lines' as lines
      from invoices where order_id = ${id} order by issued_at, id`)} as documents,
    ${rowsOf(sql`select id, result, return_id from withdrawals where order_id = ${id} order by stated_at, id`)} as statements,
    ${rowsOf(sql`select number, position, returned_at from serial_numbers where order_id = ${id} order by number`)} as serials,
    ${rowsOf(sql`select return_id, number, is_sent_back from return_serials join returns on returns.id = return_id
      where order_id = ${id} order by number`)} as arrived,
    (select coalesce(max(number), 0) from shipments where order_id = ${id}) as "lastParcel",
    (select count(*) from order_events where order_id = ${id})::int as entries,
    (select jsonb_object_agg(stock.variant_id, available + coalesce((select sum(quantity) from stock_holds
      where stock_holds.variant_id = stock.variant_id), 0)) from variant_stock stock) as stock
  `.execute(db);
  return rows[0] ?? assert.fail('there is no order');
}

export const isOpen = ({ closed_at: closedAt }: ReturnFacts): boolean => closedAt === null;

export const sum = <Item>(items: readonly Item[], read: (item: Item) => number): number =>
  items.reduce((total, item) => total + read(item), 0);

/** Units of a line in these rows. */
export const countOf = <Row extends { readonly position: number }>(
  rows: readonly Row[],
  position: number,
  read: (row: Row) => number,
): number =>
  sum(
    rows.filter((row) => row.position === position),
    read,
  );
