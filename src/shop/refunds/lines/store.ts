/** Units of refunds, and the lines of orders with what refunds took of them. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { readChargedTax } from '#src/shop/orders/charged-tax.ts';
import type { RefundState } from '#src/shop/orders/kinds.ts';
import type { LineValue } from '#src/shop/orders/stored-order.ts';
import type { RefundableLine, RefundableOrder, RefundedUnits } from './line-refund.ts';

/** Units and shipping of a new refund. */
export interface NewLineRefund {
  readonly units: readonly RefundedUnits[];
  readonly shipping: { readonly netCents: Cents; readonly taxCents: Cents } | null;
  readonly totalCents: Cents;
  readonly reason: string;
  readonly restocks: boolean;
}

/** Values of the columns `lines_reason` to `restocks`. */
export const createLineValues = (lines: NewLineRefund | null): RawBuilder<unknown> => sql`
  ${lines?.reason ?? null}::text, ${lines?.totalCents ?? null}::bigint, ${lines?.shipping?.netCents ?? null}::bigint,
  ${lines?.shipping?.taxCents ?? null}::bigint, ${lines?.restocks ?? false}::boolean`;

export async function insertRefundLines(
  tx: Db,
  { id, orderId }: { readonly id: string; readonly orderId: string },
  units: readonly RefundedUnits[],
): Promise<void> {
  for (const { isShipped, netCents, position, quantity, taxCents } of units) {
    await sql`
      insert into refund_lines (refund_id, order_id, position, is_shipped, quantity, net_cents, tax_cents)
      values (${id}, ${orderId}, ${position}, ${isShipped}, ${quantity}, ${netCents}, ${taxCents})
    `.execute(tx);
  }
}

interface LineRow extends Omit<RefundableLine, 'netCents' | 'taxCents'> {
  readonly name: string;
  readonly sku: string | null;
  readonly values: readonly LineValue[];
  readonly priceCents: Cents;
  readonly isFree: boolean;
}

type OrderRow = Pick<RefundableOrder['shipping'], 'isRefunded'> & {
  readonly tax: Parameters<typeof readChargedTax>[0]['tax'];
  readonly totalCents: Cents;
  readonly refundedSats: Sats;
};

export interface NamedLine extends RefundableLine {
  readonly name: string;
  readonly sku: string | null;
  readonly values: readonly LineValue[];
}

/** The lines of an order, in the order of the cart, with what refunds took of them. */
export async function readRefundableOrder(
  db: Db,
  orderId: string,
): Promise<RefundableOrder & { readonly lines: readonly NamedLine[] }> {
  const { rows: lines } = await sql<LineRow>`
    select line.position, name, sku, property_values as values, line.quantity, price_cents as "priceCents",
      is_free as "isFree", shipped_quantity as "shippedQuantity", refunded_unshipped_quantity as "refundedUnshipped",
      refunded_shipped_quantity as "refundedShipped", coalesce(taken.net, 0)::bigint as "refundedNetCents",
      coalesce(taken.tax, 0)::bigint as "refundedTaxCents"
    from order_lines line left join (
      select refunded.position, sum(net_cents) as net, sum(tax_cents) as tax
      from refund_lines refunded join refunds on refunds.id = refunded.refund_id
      where refunded.order_id = ${orderId} and refunds.holds_units group by 1
    ) taken on taken.position = line.position
    where line.order_id = ${orderId} order by line.position
  `.execute(db);
  const { rows } = await sql<OrderRow>`
    select tax, total_after_cents as "totalCents", shipping_refunded as "isRefunded",
      (select coalesce(sum(debit_sats), 0)::bigint from refunds where order_id = orders.id and holds_units)
        as "refundedSats"
    from orders where id = ${orderId}
  `.execute(db);
  const [order] = rows;
  if (!order) throw new Error(`there is no order ${orderId}`);
  const charged = readChargedTax({ ...order, lines });
  const findCharged = (position: number | null) => {
    const found = charged.lines.find((line) => line.position === position);
    if (!found) throw new Error(`order ${orderId} has no amount for line ${String(position)}`);
    return { netCents: found.netCents, taxCents: found.taxCents };
  };
  return {
    lines: lines.map((line) => ({ ...line, ...findCharged(line.position) })),
    shipping: { ...findCharged(null), isRefunded: order.isRefunded },
    refundedSats: order.refundedSats,
  };
}

/** A refund of lines with its units. */
export interface LineRefundRow {
  readonly id: string;
  readonly orderId: string;
  readonly state: RefundState;
  readonly holdsUnits: boolean;
  readonly restocks: boolean;
  readonly coversShipping: boolean;
  readonly units: readonly { readonly position: number; readonly isShipped: boolean; readonly quantity: number }[];
}

const LINE_REFUND = sql`
  select id, order_id as "orderId", state, holds_units as "holdsUnits", restocks,
    shipping_net_cents is not null as "coversShipping",
    (select coalesce(jsonb_agg(jsonb_build_object('position', position, 'isShipped', is_shipped, 'quantity', quantity)
        order by position, is_shipped), '[]')
      from refund_lines where refund_id = refunds.id) as units
  from refunds
`;

/** Refunds of lines whose units are not held as their state requires, oldest first. */
export async function listUnmatched(tx: Db, orderId: string): Promise<readonly LineRefundRow[]> {
  const { rows } = await sql<LineRefundRow>`
    ${LINE_REFUND} where order_id = ${orderId} and covers = 'lines' and holds_units = (state = 'withdrawn')
    order by made_at, id
  `.execute(tx);
  return rows;
}

export async function writeHolding(tx: Db, id: string, holdsUnits: boolean): Promise<void> {
  await sql`update refunds set holds_units = ${holdsUnits} where id = ${id}`.execute(tx);
}

/** Claims refunds of lines that were confirmed and whose stock is not decided. Each is returned once. */
export async function claimConfirmed(
  tx: Db,
  orderIds: readonly string[],
  now: Date,
): Promise<readonly LineRefundRow[]> {
  const { rows } = await sql<LineRefundRow>`
    with claimed as (
      update refunds set units_settled_at = ${now}::timestamptz
      where order_id = any(${orderIds}::uuid[]) and covers = 'lines' and holds_units and state = 'confirmed'
        and units_settled_at is null
      returning id as claimed_id
    )
    ${LINE_REFUND} join claimed on claimed_id = id order by order_id, made_at, id
  `.execute(tx);
  return rows;
}

/** Claims refunds of lines that were withdrawn after their stock was decided. Each is returned once. */
export async function claimWithdrawn(tx: Db, orderIds: readonly string[]): Promise<readonly LineRefundRow[]> {
  const { rows } = await sql<LineRefundRow>`
    with claimed as (
      update refunds set units_settled_at = null
      where order_id = any(${orderIds}::uuid[]) and covers = 'lines' and state = 'withdrawn'
        and units_settled_at is not null
      returning id as claimed_id
    )
    ${LINE_REFUND} join claimed on claimed_id = id order by order_id, made_at, id
  `.execute(tx);
  return rows;
}

/** What a refund of lines covers, for mails and pages. */
export interface CoveredLine {
  readonly refundId: string;
  readonly position: number;
  readonly name: string;
  readonly values: readonly LineValue[];
  readonly quantity: number;
}

/** Units of refunds by line, in the order of the cart. */
export async function listCoveredLines(db: Db, refundIds: readonly string[]): Promise<readonly CoveredLine[]> {
  if (refundIds.length === 0) return [];
  const { rows } = await sql<CoveredLine>`
    select refunded.refund_id as "refundId", refunded.position, line.name, line.property_values as values,
      sum(refunded.quantity)::integer as quantity
    from refund_lines refunded
    join order_lines line on line.order_id = refunded.order_id and line.position = refunded.position
    where refunded.refund_id = any(${refundIds}::uuid[])
    group by refunded.refund_id, refunded.position, line.name, line.property_values
    order by refunded.refund_id, refunded.position
  `.execute(db);
  return rows;
}
