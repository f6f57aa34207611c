/** Returns and their lines. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { LineValue } from '#src/shop/orders/stored-order.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import type { ReturnCause, ReturnState } from './kinds.ts';

export interface NewReturn {
  readonly id: string;
  readonly reference: string;
  readonly orderId: string;
  readonly cause: ReturnCause;
  readonly state: ReturnState;
  readonly requestedAt: Date;
  readonly reason: string | null;
  readonly refundDueAt: Date | null;
  readonly decidedAt: Date | null;
  readonly lines: readonly NewReturnLine[];
}

interface NewReturnLine {
  readonly position: number;
  readonly quantity: number;
  /** Of the quantity: not shipped, and stopped. */
  readonly cancelled: number;
  /** The variant that the buyer wants instead; omitted: none. */
  readonly wantedVariantId?: string | null;
}

/** Inserts a return with its lines. The caller holds the row lock of the order. */
export async function insertReturn(tx: Db, created: NewReturn): Promise<void> {
  const { id, lines, orderId } = created;
  await sql`
    insert into returns (id, reference, order_id, cause, state, requested_at, reason, refund_due_at, decided_at)
    values (${id}, ${created.reference}, ${orderId}, ${created.cause}, ${created.state}, ${created.requestedAt},
      ${created.reason}, ${created.refundDueAt}, ${created.decidedAt})
  `.execute(tx);
  await sql`
    insert into return_lines (return_id, order_id, position, quantity, cancelled_quantity, wanted_variant_id)
    select ${id}::uuid, ${orderId}::uuid, position, quantity, cancelled, wanted
    from unnest(
      ${lines.map(({ position }) => position)}::integer[],
      ${lines.map(({ quantity }) => quantity)}::integer[],
      ${lines.map(({ cancelled }) => cancelled)}::integer[],
      ${lines.map(({ wantedVariantId = null }) => wantedVariantId)}::uuid[]
    ) as taken (position, quantity, cancelled, wanted)
  `.execute(tx);
}

interface ReturnLineRow {
  readonly position: number;
  readonly name: string;
  readonly values: readonly LineValue[];
  readonly sku: string | null;
  readonly quantity: number;
  readonly cancelled: number;
  readonly received: number;
  readonly restocked: number;
  readonly damaged: number;
  readonly sentBack: number;
  readonly condition: string | null;
  readonly deductionCents: Cents;
  readonly deductionReason: string | null;
  /** The variant that the buyer wants instead; null: none, or it was deleted. */
  readonly wantedVariantId: string | null;
  /** Its values. */
  readonly wantedName: string | null;
  /** Of the units that arrived. */
  readonly serials: readonly { readonly number: string; readonly isSentBack: boolean }[];
  /** Units of the line were shipped with a number. */
  readonly isNumbered: boolean;
  /** Units that were shipped without a number and have not arrived with any return. */
  readonly unnumbered: number;
  /** Units of the line that are stopped or in a return, with any return, and are not refunded. */
  readonly unrefundedStopped: number;
  readonly unrefundedReturning: number;
  /** Units of the line cost nothing, or the whole order is refunded. */
  readonly isSettled: boolean;
}

export interface ReturnRow {
  readonly id: string;
  readonly reference: string;
  readonly orderId: string;
  readonly cause: ReturnCause;
  readonly state: ReturnState;
  readonly requestedAt: Date;
  readonly reason: string | null;
  readonly refundDueAt: Date | null;
  readonly decidedAt: Date | null;
  readonly closedAt: Date | null;
  readonly outcome: string | null;
  readonly ticketId: string | null;
  readonly version: number;
  readonly sentAt: Date | null;
  readonly proof: string | null;
  readonly receivedAt: Date | null;
  readonly inspectedAt: Date | null;
  readonly labelUrl: string | null;
  readonly decision: string | null;
  readonly refundId: string | null;
  /** The order that the credit of its units pays; null: none. */
  readonly exchangeOrderId: string | null;
  /** What that order does not need of the credit has to be refunded. */
  readonly isCreditOwed: boolean;
  /** Units that went back to the buyer can be returned again. */
  readonly isReleased: boolean;
  /** Oldest first. */
  readonly pictures: readonly { readonly id: string; readonly width: number; readonly height: number }[];
  /** That staff uploaded. */
  readonly label: {
    readonly id: string;
    readonly type: 'application/pdf' | 'image/jpeg';
    readonly bytes: number;
  } | null;
  readonly lines: readonly ReturnLineRow[];
}

type StoredLine = Omit<ReturnLineRow, 'deductionCents'> & { readonly deductionCents: string };

const ARRIVED_SERIALS = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('number', number, 'isSentBack', is_sent_back) order by number), '[]')
  from return_serials arrived where arrived.return_id = taken.return_id and arrived.position = taken.position
)`;

/**
 * The credit of an exchange, or what is left of it, has to be refunded: the difference was not paid in time, or the
 * credit is more than the price. Refunds of a paid order take it only if they cover the surplus, or all that is left.
 */
export const IS_CREDIT_OWED = sql<boolean>`(exchange_order_id is not null and exists (
  select from orders credited
  cross join lateral (
    select coalesce(sum(debit_sats), 0) as sats,
      coalesce(sum(debit_sats) filter (where covers = 'surplus' or credited.paid_at is null), 0) as surplus_sats
    from refunds where refunds.order_id = credited.id and state <> 'withdrawn'
  ) refunded
  where credited.id = returns.exchange_order_id and not credited.is_open
    and least(
      credited.recorded_received_sats - refunded.sats,
      credited.recorded_received_sats - refunded.surplus_sats - case when credited.paid_at is null then 0
        else coalesce(credited.settled_sats, credited.due_sats) end
    ) >= ${MIN_REFUND_SATS}))`;

/** Values of the variant that the buyer wants, in the order of its properties. */
const WANTED_NAME = sql`(
  select coalesce(nullif(string_agg(chosen.value, ', ' order by wanted.place), ''), min(variant.sku))
  from product_variants variant
  left join unnest(variant.property_value_ids) with ordinality as wanted (id, place) on true
  left join property_values chosen on chosen.id = wanted.id
  where variant.id = taken.wanted_variant_id
)`;

/** Units of the line that arrived without a number and did not go back to the buyer, with any return. */
const ARRIVED_WITHOUT = sql`(
  select coalesce(sum(one.received_quantity
    - case when it.is_sent_back_released then one.sent_back_quantity else 0 end
    - (
      select count(*) from return_serials arrived
      where arrived.return_id = one.return_id and arrived.position = one.position
        and not (it.is_sent_back_released and arrived.is_sent_back)
    )), 0)::integer
  from return_lines one join returns it on it.id = one.return_id
  where one.order_id = taken.order_id and one.position = taken.position
    and it.outcome is distinct from 'void' and (it.outcome is distinct from 'not-refunded' or it.cause = 'withdrawal')
)`;

/**
 * Units of the line cost nothing, or the whole order is refunded. The payment status follows later in a transaction that
 * changes refunds.
 */
const IS_SETTLED = sql`(line.is_free or line.price_cents = 0 or orders.refund_state is not distinct from 'refunded')`;

const PICTURES = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', file.id, 'width', file.width, 'height', file.height)
    order by file.created_at, file.place), '[]')
  from return_files file where file.return_id = returns.id and file.kind = 'picture'
)`;
const LABEL = sql`(
  select jsonb_build_object('id', file.id, 'type', file.type, 'bytes', file.bytes)
  from return_files file where file.return_id = returns.id and file.kind = 'label'
)`;

const SELECT_RETURNS = sql`
  select returns.id, reference, returns.order_id as "orderId", cause, state, requested_at as "requestedAt", reason,
    refund_due_at as "refundDueAt", decided_at as "decidedAt", closed_at as "closedAt", outcome,
    ticket_id as "ticketId", version, sent_at as "sentAt", proof, received_at as "receivedAt",
    inspected_at as "inspectedAt", label_url as "labelUrl", decision, refund_id as "refundId",
    exchange_order_id as "exchangeOrderId", ${IS_CREDIT_OWED} as "isCreditOwed",
    is_sent_back_released as "isReleased", ${PICTURES} as pictures, ${LABEL} as label,
    (
      select coalesce(jsonb_agg(jsonb_build_object('position', taken.position, 'name', line.name,
        'values', line.property_values, 'sku', line.sku, 'quantity', taken.quantity,
        'cancelled', cancelled_quantity, 'received', received_quantity, 'restocked', restocked_quantity,
        'damaged', damaged_quantity, 'sentBack', sent_back_quantity, 'condition', condition,
        'deductionCents', deduction_cents::text, 'deductionReason', deduction_reason,
        'wantedVariantId', wanted_variant_id, 'wantedName', ${WANTED_NAME},
        'serials', ${ARRIVED_SERIALS}, 'isNumbered', numbered.count > 0,
        'unnumbered', greatest(0, line.shipped_quantity - numbered.count - ${ARRIVED_WITHOUT}),
        'unrefundedStopped',
          count_unrefunded(stopped_quantity, refunded_unshipped_quantity, refunded_before_stop),
        'unrefundedReturning',
          count_unrefunded(returning_quantity, refunded_shipped_quantity, refunded_before_return),
        'isSettled', ${IS_SETTLED}
      ) order by taken.position), '[]')
      from return_lines taken
      join order_lines line on line.order_id = taken.order_id and line.position = taken.position
      join orders on orders.id = taken.order_id
      cross join lateral (
        select count(*)::integer as count from serial_numbers serial
        where serial.order_id = taken.order_id and serial.position = taken.position
      ) numbered
      where taken.return_id = returns.id
    ) as lines
  from returns`;

const toReturn = ({ lines, ...row }: Omit<ReturnRow, 'lines'> & { readonly lines: readonly StoredLine[] }) => ({
  ...row,
  lines: lines.map((line) => ({ ...line, deductionCents: cents(BigInt(line.deductionCents)) })),
});

type SelectedRow = Parameters<typeof toReturn>[0];

export async function findReturn(db: Db, id: string): Promise<ReturnRow | null> {
  const { rows } = await sql<SelectedRow>`${SELECT_RETURNS} where returns.id = ${id}`.execute(db);
  return rows[0] ? toReturn(rows[0]) : null;
}

/** In no order. */
export async function listReturns(db: Db, ids: readonly string[]): Promise<readonly ReturnRow[]> {
  const { rows } = await sql<SelectedRow>`${SELECT_RETURNS} where returns.id = any(${ids}::uuid[])`.execute(db);
  return rows.map(toReturn);
}

/** Oldest first. */
export async function listReturnsOfOrder(db: Db, orderId: string): Promise<readonly ReturnRow[]> {
  const { rows } = await sql<SelectedRow>`
    ${SELECT_RETURNS} where returns.order_id = ${orderId} order by requested_at, returns.id
  `.execute(db);
  return rows.map(toReturn);
}
