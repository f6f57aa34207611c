/** Units of refunds, and the lines of orders with what refunds took of them. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { cents, divideTotal } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { computePaidCents } from '#src/shop/orders/paid-amount.ts';
import { readChargedTax } from '#src/shop/orders/charged-tax.ts';
import type { RefundState } from '#src/shop/orders/kinds.ts';
import type { LineValue } from '#src/shop/orders/stored-order.ts';
import type { AmountPart, RefundableLine, RefundableOrder, RefundedUnits } from './line-refund.ts';

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
  for (const { isShipped, netCents, position, quantity, restocked = null, taxCents, ...one } of units) {
    await sql`
      insert into refund_lines (refund_id, order_id, position, is_shipped, quantity, net_cents, tax_cents,
        deducted_net_cents, deducted_tax_cents, restocked_quantity)
      values (${id}, ${orderId}, ${position}, ${isShipped}, ${quantity}, ${netCents}, ${taxCents},
        ${one.deductedNetCents}, ${one.deductedTaxCents}, ${restocked})
    `.execute(tx);
  }
}

export async function insertRefundParts(
  tx: Db,
  { id, orderId }: { readonly id: string; readonly orderId: string },
  parts: readonly AmountPart[],
): Promise<void> {
  for (const { netCents, position, taxCents } of parts) {
    await sql`
      insert into refund_parts (refund_id, order_id, position, net_cents, tax_cents)
      values (${id}, ${orderId}, ${position}, ${netCents}, ${taxCents})
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
  readonly dueSats: Sats;
  readonly settledSats: Sats | null;
  readonly refundedSats: Sats;
  readonly shippingNetCents: Cents;
  readonly shippingTaxCents: Cents;
  readonly deductedCents: Cents;
};

/** Amounts scaled to what the buyer paid, when staff waived a part of the total. */
function scaleToPaid<Line extends { readonly netCents: Cents; readonly taxCents: Cents }>(
  lines: readonly Line[],
  paidCents: Cents,
): readonly Line[] {
  const parts = divideTotal(
    paidCents,
    lines.flatMap(({ netCents, taxCents }) => [netCents, taxCents]),
  );
  return lines.map((line, at) => ({
    ...line,
    netCents: cents(parts[2 * at] ?? 0n),
    taxCents: cents(parts[2 * at + 1] ?? 0n),
  }));
}

export interface NamedLine extends RefundableLine {
  readonly name: string;
  readonly sku: string | null;
  readonly values: readonly LineValue[];
}

/** Refunds that no other refund can take something from: their units, or their dollars. */
const COUNTED = sql`(holds_units or (covers = 'amount' and counted_cents is not null))`;

/** The lines of an order, in the order of the cart, with what the buyer paid for them and what refunds took of it. */
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
      select refunded.position, sum(net_cents + deducted_net_cents) as net, sum(tax_cents + deducted_tax_cents) as tax
      from refund_lines refunded join refunds on refunds.id = refunded.refund_id
      where refunded.order_id = ${orderId} and refunds.holds_units group by 1
    ) taken on taken.position = line.position
    where line.order_id = ${orderId} order by line.position
  `.execute(db);
  const { rows } = await sql<OrderRow>`
    select orders.tax, total_after_cents as "totalCents", due_sats as "dueSats", settled_sats as "settledSats",
      shipping_refunded as "isRefunded", taken.sats as "refundedSats", taken.net as "shippingNetCents",
      taken.tax as "shippingTaxCents", (
        select coalesce(sum(deducted_net_cents + deducted_tax_cents), 0)::bigint
        from refund_lines refunded join refunds on refunds.id = refunded.refund_id
        where refunded.order_id = orders.id and refunds.holds_units
      ) as "deductedCents"
    from orders cross join lateral (
      select coalesce(sum(debit_sats), 0)::bigint as sats, coalesce(sum(shipping_net_cents), 0)::bigint as net,
        coalesce(sum(shipping_tax_cents), 0)::bigint as tax
      from refunds where order_id = orders.id and ${COUNTED}
    ) taken
    where id = ${orderId}
  `.execute(db);
  const { rows: amounts } = await sql<AmountPart>`
    select part.position, part.net_cents as "netCents", part.tax_cents as "taxCents"
    from refund_parts part join refunds on refunds.id = part.refund_id
    where part.order_id = ${orderId} and refunds.counted_cents is not null
    order by refunds.made_at, refunds.id, part.position
  `.execute(db);
  const [order] = rows;
  if (!order) throw new Error(`there is no order ${orderId}`);
  const charged = readChargedTax({ ...order, lines });
  const paidLines = scaleToPaid(charged.lines, computePaidCents(order));
  const findCharged = (position: number | null) => {
    const found = paidLines.find((line) => line.position === position);
    if (!found) throw new Error(`order ${orderId} has no amount for line ${String(position)}`);
    return { netCents: found.netCents, taxCents: found.taxCents };
  };
  return {
    lines: lines.map((line) => ({ ...line, ...findCharged(line.position) })),
    shipping: {
      ...findCharged(null),
      isRefunded: order.isRefunded,
      refundedNetCents: order.shippingNetCents,
      refundedTaxCents: order.shippingTaxCents,
    },
    amounts,
    deductedCents: order.deductedCents,
    refundedSats: order.refundedSats,
  };
}

/** A refund of lines with its units. */
export interface LineRefundRow {
  readonly id: string;
  readonly orderId: string;
  readonly state: RefundState;
  readonly holdsUnits: boolean;
  readonly coversShipping: boolean;
  readonly units: readonly {
    readonly position: number;
    readonly isShipped: boolean;
    readonly quantity: number;
    /** How many of them go on sale again. */
    readonly restocked: number;
  }[];
}

const LINE_REFUND = sql`
  select id, order_id as "orderId", state, holds_units as "holdsUnits",
    shipping_net_cents is not null as "coversShipping",
    (select coalesce(jsonb_agg(jsonb_build_object('position', position, 'isShipped', is_shipped, 'quantity', quantity,
        'restocked', coalesce(restocked_quantity, case when restocks then quantity else 0 end))
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
