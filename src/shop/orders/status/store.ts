/** Queries that change orders. */
import type { JSONColumnType, RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import { isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { BillingDetails, StoredOrder } from '../stored-order.ts';
import type { FulfilmentStatus, OrderLoss, PaymentStatus } from '../kinds.ts';
import { lateStates, partStates, unpaidStatuses } from '../state-groups.ts';
import type { LineToRequote, CurrentQuote } from './requote-order.ts';
import type { OrderChange } from './reconcile-order.ts';
import type { PromotionSnapshot } from '#src/shop/promotions/promotion-snapshot.ts';
import type { OrderToFulfil } from '../fulfilment/find-fulfilment-problem.ts';
import type { OrderStockState } from './stock-after-refund.ts';

/** The columns that decide on an order's status. */
export interface OrderForStatus extends StoredOrder, CurrentQuote, OrderToFulfil, OrderStockState {
  readonly id: string;
  readonly user_id: string;
  readonly number: bigint;
  readonly rate_evidence: Readonly<Record<string, unknown>>;
  /** End of the window once most of the amount is seen; null if `expires_at` is final. */
  readonly full_expires_at: Date | null;
  readonly refund_made_sats: Sats;
  readonly refund_sent_sats: Sats;
  readonly line_refund_sats: Sats;
  readonly recorded_loss: OrderLoss | null;
  readonly closed_as_loss_of: 'payment' | 'refund' | null;
}

export interface OrderedLine extends LineToRequote {
  readonly order_id: string;
  readonly product_id: string;
  readonly name: string;
  readonly property_values: readonly { readonly id: string; readonly value: string }[];
  readonly variant_id: string | null;
}

interface Tables {
  orders: Omit<OrderForStatus, 'rate_evidence' | 'promo'> & {
    readonly promo: JSONColumnType<PromotionSnapshot> | null;
    readonly user_paid_at: Date | null;
    readonly rate_evidence: JSONColumnType<Readonly<Record<string, unknown>>>;
  };
  order_lines: Omit<OrderedLine, 'property_values'> & {
    readonly property_values: JSONColumnType<OrderedLine['property_values']>;
  };
}

const tables = (db: Db) => db.$extendTables<Pick<Tables, keyof Tables>>();

const ORDER_COLUMNS = [
  'id',
  'number',
  'user_id',
  'payment_status',
  'fulfilment_status',
  'tracking_reference',
  'is_open',
  'total_cents',
  'total_sats',
  'total_after_cents',
  'total_after_sats',
  'shipping_cents',
  'shipping_sats',
  'added_tax_cents',
  'added_tax_sats',
  'deducted_tax_cents',
  'deducted_tax_sats',
  'due_sats',
  'tolerance_sats',
  'rate_cents_per_btc',
  'rate_evidence',
  'required_confirmations',
  'expires_at',
  'full_expires_at',
  'paid_at',
  'expired_at',
  'cancelled_at',
  'recorded_state',
  'recorded_received_sats',
  'credited_sats',
  'credited_until',
  'unpaid_cents',
  'settled_sats',
  'refund_state',
  'returned_sats',
  'units_returned_at',
  'promo',
  'refund_made_sats',
  'refund_sent_sats',
  'line_refund_sats',
  'recorded_loss',
  'closed_as_loss_of',
] as const;

// ---- reading and locking

const lockByIds = compileOnce((db, { ids }: { readonly ids: readonly string[] }) =>
  tables(db)
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** Locks orders in ascending id; the fixed order prevents deadlocks. */
export async function lockOrders(db: Db, ids: readonly string[]): Promise<OrderForStatus[]> {
  return ids.length === 0 ? [] : (await lockByIds(db, { ids })).rows;
}

export async function listOrders(db: Db, ids: readonly string[]): Promise<OrderForStatus[]> {
  return tables(db).selectFrom('orders').select(ORDER_COLUMNS).where('id', 'in', ids).execute();
}

const selectById = compileOnce((db, { id }: { readonly id: string }) =>
  tables(db).selectFrom('orders').select(ORDER_COLUMNS).where('id', '=', id),
);

export async function findOrder(db: Db, id: string): Promise<OrderForStatus | null> {
  return (await selectById(db, { id })).rows[0] ?? null;
}

/** Billing details of an order. */
export async function findBilling(db: Db, id: string): Promise<BillingDetails> {
  const { rows } = await sql<{ billing: BillingDetails }>`select billing from orders where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`order ${id} does not exist`);
  return row.billing;
}

/** The buyer of an order, and whether staff created it; null if it does not exist. */
export async function findManualOrder(
  db: Db,
  id: string,
): Promise<{ readonly userId: string; readonly isManual: boolean } | null> {
  const { rows } = await sql<{ userId: string; isManual: boolean }>`
    select user_id as "userId", created_by is not null as "isManual" from orders where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

interface OwnOrder {
  readonly userId: string;
  readonly id: string;
}
const lockOwn = compileOnce((db, { userId, id }: OwnOrder) =>
  tables(db)
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forNoKeyUpdate(),
);

/** Locks an order of the user; null if it does not exist or belongs to another user. */
export async function lockOwnOrder(db: Db, userId: string, id: string): Promise<OrderForStatus | null> {
  return (await lockOwn(db, { userId, id })).rows[0] ?? null;
}

const compileLines = (quantity: RawBuilder<number>) =>
  compileOnce((db, { orderIds }: { readonly orderIds: readonly string[] }) =>
    tables(db)
      .selectFrom('order_lines')
      .select(['order_id', 'position', 'product_id', 'name', 'property_values', 'variant_id'])
      .select(quantity.as('quantity'))
      .select(['price_cents', 'price_sats', 'is_free'])
      .where(sql<SqlBool>`order_id = any(${orderIds}::uuid[])`)
      .orderBy('order_id')
      .orderBy('position'),
  );
const selectAllLines = compileLines(sql.ref('quantity'));
const selectUnshippedLines = compileLines(sql`quantity - shipped_quantity - refunded_unshipped_quantity`);

/** Order lines, in the order of the cart. */
export async function listOrderLines(db: Db, orderIds: readonly string[]): Promise<OrderedLine[]> {
  return orderIds.length === 0 ? [] : (await selectAllLines(db, { orderIds })).rows;
}

/** Order lines with the units that are neither shipped nor refunded as quantity. Lines without any are left out. */
export async function listUnshippedLines(db: Db, orderIds: readonly string[]): Promise<OrderedLine[]> {
  if (orderIds.length === 0) return [];
  return (await selectUnshippedLines(db, { orderIds })).rows.filter(({ quantity }) => quantity > 0);
}

/** Open orders whose window has closed. */
export async function listDue(db: Db, until: Date): Promise<string[]> {
  const due = tables(db).selectFrom('orders').select('id').where('is_open', '=', true).where('expires_at', '<=', until);
  return (await due.orderBy('expires_at').execute()).map(({ id }) => id);
}

/**
 * Unpaid orders with a late payment, or expired with a partial one, and whether a `late_waits`
 * event exists for the amounts. Uses their partial indexes.
 */
export async function listLate(db: Db): Promise<(OrderForStatus & { readonly is_waiting_recorded: boolean })[]> {
  return tables(db)
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .select(
      sql<boolean>`exists (
        select from order_events event
        where event.order_id = orders.id and event.kind = 'late_waits'
          and event.details ->> 'due_sats' = due_sats::text
          and event.details ->> 'received_sats' = recorded_received_sats::text
      )`.as('is_waiting_recorded'),
    )
    .where((where) =>
      where.or([
        where.and([where('recorded_state', 'in', lateStates), where('payment_status', 'in', unpaidStatuses)]),
        where.and([where('recorded_state', 'in', partStates), where('payment_status', '=', 'expired')]),
      ]),
    )
    .where('refund_state', 'is', null)
    .orderBy('id')
    .execute();
}

// ---- writing

type StatusUpdate = OrderChange & {
  readonly id: string;
  readonly from: PaymentStatus;
  readonly cancelledAt: Date | null;
};
const updateStatus = compileOnce((db, change: StatusUpdate) =>
  tables(db)
    .updateTable('orders')
    .set({
      payment_status: change.paymentStatus,
      is_open: change.isOpen,
      paid_at: change.paidAt,
      expired_at: change.expiredAt,
      cancelled_at: change.cancelledAt,
      recorded_state: change.recordedState,
      recorded_received_sats: change.recordedReceivedSats,
    })
    .where('id', '=', change.id)
    .where('payment_status', '=', change.from)
    .returning('id'),
);

/** Writes a change if the order still has the status it was based on; false otherwise. */
export async function changeOrder(
  db: Db,
  id: string,
  from: PaymentStatus,
  change: OrderChange & { readonly cancelledAt: Date | null },
): Promise<boolean> {
  return (await updateStatus(db, { ...change, id, from })).rows.length > 0;
}

/** Extends the window. Clears the end of the full window if it is earlier. */
export async function extendWindow(db: Db, id: string, until: Date): Promise<void> {
  await sql`
    update orders set expires_at = ${until}, full_expires_at = case when full_expires_at > ${until} then full_expires_at end
    where id = ${id} and expires_at < ${until}
  `.execute(db);
}

/** Sets the final end of an open order's window. */
export async function setWindow(db: Db, id: string, expiresAt: Date): Promise<void> {
  const order = tables(db).updateTable('orders').where('id', '=', id).where('is_open', '=', true);
  await order.set({ expires_at: expiresAt, full_expires_at: null }).execute();
}

/** Stores the accepted amount; undoes a cancellation. */
export async function writeAcceptedAmount(db: Db, id: string, accepted: Sats): Promise<void> {
  const order = tables(db).updateTable('orders').where('id', '=', id);
  await order.set({ settled_sats: accepted, cancelled_at: null }).execute();
}

/** Writes the status of a shipment if the order can be shipped; false otherwise. */
const remaining = sql`
  select tracking_number from shipments where order_id = orders.id and undone_at is null order by number desc limit 1`;

export async function writeShipped(
  db: Db,
  id: string,
  to: 'partly_shipped' | 'shipped',
  trackingReference: string | null,
): Promise<boolean> {
  const updated = tables(db)
    .updateTable('orders')
    .set({ fulfilment_status: to, tracking_reference: trackingReference })
    .where('id', '=', id)
    .where('fulfilment_status', 'in', ['unfulfilled', 'partly_shipped'])
    .where('payment_status', '=', 'paid')
    .where('refund_state', 'is', null)
    .where('units_returned_at', 'is', null);
  return (await updated.returning('id').executeTakeFirst()) !== undefined;
}

/**
 * Writes the status and tracking number that follow from the remaining shipments, and returns the status; null if
 * the order is delivered or refunded.
 */
export async function writeShipmentUndone(db: Db, id: string): Promise<FulfilmentStatus | null> {
  const { rows } = await sql<{ fulfilment_status: FulfilmentStatus }>`
    update orders set
      fulfilment_status = case when exists (${remaining}) then 'partly_shipped' else 'unfulfilled' end,
      tracking_reference = (select tracking_number from (${remaining}) newest)
    where id = ${id} and fulfilment_status in ('partly_shipped', 'shipped')
      and refund_state is null and units_returned_at is null
    returning fulfilment_status
  `.execute(db);
  return rows[0]?.fulfilment_status ?? null;
}

/** Marks a shipped order as delivered; false if it is not shipped, or already is. */
export async function writeDelivered(db: Db, id: string): Promise<boolean> {
  const orders = tables(db).updateTable('orders').where('id', '=', id).returning('id');
  const updated = orders.set({ fulfilment_status: 'delivered' }).where('fulfilment_status', '=', 'shipped');
  return (await updated.executeTakeFirst()) !== undefined;
}

/** Marks the stock of orders as restocked; returns the ids newly marked. */
export async function markRestocked(db: Db, ids: readonly string[], at: Date): Promise<string[]> {
  const orders = tables(db).updateTable('orders').set({ units_returned_at: at }).where('id', 'in', ids);
  const notRestocked = orders
    .where('units_returned_at', 'is', null)
    .where('fulfilment_status', 'in', ['unfulfilled', 'partly_shipped']);
  return (await notRestocked.returning('id').execute()).map(({ id }) => id);
}

/** Marks that an order has its stock again. */
export async function clearRestocked(db: Db, id: string): Promise<void> {
  await tables(db).updateTable('orders').set({ units_returned_at: null }).where('id', '=', id).execute();
}

export interface OrderRefundTotals {
  readonly refundState: WholeRefundState | null;
  readonly returnedSats: Sats;
  readonly writtenOffSats: Sats;
  readonly madeSats: Sats;
  readonly sentSats: Sats;
  readonly lineRefundSats: Sats;
  /** Dollars that refunds take, created or sent. */
  readonly refundCents: Cents;
  /** The confirmed ones of them, and their satoshis. */
  readonly refundedCents: Cents;
  readonly refundedSats: Sats;
}

export async function writeRefundTotals(tx: Db, id: string, totals: OrderRefundTotals): Promise<void> {
  await sql`
    update orders set refund_state = ${totals.refundState}, returned_sats = ${totals.returnedSats},
      written_off_sats = ${totals.writtenOffSats}, refund_made_sats = ${totals.madeSats},
      refund_sent_sats = ${totals.sentSats}, line_refund_sats = ${totals.lineRefundSats},
      refund_cents = ${totals.refundCents}, refunded_cents = ${totals.refundedCents},
      refunded_sats = ${totals.refundedSats}
    where id = ${id}
  `.execute(tx);
}

/** Violation of the constraint that allows one open order per buyer. */
export const isOneOpenViolation = (error: unknown): boolean => isUniqueViolation(error, 'orders_one_open_a_user');
