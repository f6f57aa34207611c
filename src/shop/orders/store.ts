/** Orders, order lines and order events. */
import { sql } from 'kysely';
import type { Generated, GeneratedAlways, Insertable, JSONColumnType, Selectable, SqlBool } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import { isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { PromotionSnapshot } from '#src/shop/promotions/promotion-snapshot.ts';
import type { PaymentState, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { OrderLoss, PaymentStatus, FulfilmentStatus } from './kinds.ts';
import type { OrderEventKind } from './order-events.ts';
import type { BillingDetails, LineValue } from './stored-order.ts';

interface OrdersTable {
  id: string;
  number: Generated<bigint>;
  user_id: string;
  /** Who created the order for its buyer; null if the buyer placed it. */
  created_by: Generated<string | null>;
  payment_status: PaymentStatus;
  fulfilment_status: Generated<FulfilmentStatus>;
  is_open: boolean;
  billing: JSONColumnType<BillingDetails, string, never>;
  total_cents: Cents;
  total_sats: Sats;
  total_after_cents: Cents;
  total_after_sats: Sats;
  // PostgreSQL returns numeric as text, exact.
  discount_percent: Generated<string>;
  shipping_cents: Generated<Cents>;
  shipping_sats: Generated<Sats>;
  added_tax_cents: Generated<Cents>;
  added_tax_sats: Generated<Sats>;
  deducted_tax_cents: Generated<Cents>;
  deducted_tax_sats: Generated<Sats>;
  /** What remains between the total of the lines, the charges and the total. */
  discount_cents: GeneratedAlways<Cents>;
  discount_sats: GeneratedAlways<Sats>;
  tax: JSONColumnType<StoredOrderTax, string | null, never> | null;
  promo: JSONColumnType<PromotionSnapshot, string | null, never> | null;
  due_sats: Sats;
  tolerance_sats: Generated<Sats>;
  rate_cents_per_btc: CentsPerBtc;
  rate_evidence: JSONColumnType<Readonly<Record<string, unknown>>>;
  required_confirmations: number;
  created_at: Date;
  expires_at: Date;
  full_expires_at: Date | null;
  user_paid_at: Date | null;
  paid_at: Date | null;
  expired_at: Date | null;
  cancelled_at: Date | null;
  recorded_state: PaymentState | null;
  recorded_received_sats: Generated<Sats>;
  credited_sats: Generated<Sats>;
  credited_until: Date | null;
  unpaid_cents: Cents | null;
  settled_sats: Sats | null;
  refund_state: WholeRefundState | null;
  returned_sats: Generated<Sats>;
  written_off_sats: Generated<Sats>;
  refund_made_sats: Generated<Sats>;
  refund_sent_sats: Generated<Sats>;
  line_refund_sats: Generated<Sats>;
  refunded_cents: Generated<Cents>;
  refunded_sats: Generated<Sats>;
  recorded_loss: OrderLoss | null;
  recorded_loss_at: Date | null;
  closed_as_loss_at: Date | null;
  closed_as_loss_of: 'payment' | 'refund' | null;
  /** Of the texts that it was placed under. */
  terms_digest: Generated<Buffer | null>;
}

interface OrderLinesTable {
  order_id: string;
  position: number;
  product_id: string;
  name: string;
  slug: string;
  main_image: string;
  property_values: JSONColumnType<readonly LineValue[], string, never>;
  variant_id: string | null;
  sku: string | null;
  quantity: number;
  price_cents: Cents;
  price_sats: Sats;
  is_free: boolean;
}

interface OrderEventsTable {
  id: string;
  order_id: string;
  kind: OrderEventKind;
  at: Date;
  details: JSONColumnType<Readonly<Record<string, unknown>>, string, never>;
}

export type OrderRow = Selectable<OrdersTable>;
export type OrderLineRow = Selectable<OrderLinesTable>;
export type NewOrder = Insertable<OrdersTable>;
export type NewOrderLine = Omit<OrderLineRow, 'order_id' | 'position'>;
type NewEvent = Insertable<OrderEventsTable>;

const tables = (db: Db) =>
  db.$extendTables<{
    orders: OrdersTable;
    order_lines: OrderLinesTable;
    order_events: OrderEventsTable;
  }>();

// ---- placing orders

/**
 * Inserts an order with its lines, their costs and first event in one statement; returns the row.
 * @throws a unique violation of `orders_one_open_a_user` if the buyer has another open order.
 */
export async function insertOrder(
  db: Db,
  order: NewOrder,
  lines: readonly NewOrderLine[],
  created: NewEvent,
): Promise<OrderRow> {
  const numbered = lines.map((line, position) => ({
    ...line,
    position,
    price_cents: String(line.price_cents),
    price_sats: String(line.price_sats),
  }));
  const { rows } = await sql<OrderRow>`
    with made as (${tables(db).insertInto('orders').values(order).returningAll()}),
    filled as (
      insert into order_lines (order_id, position, product_id, name, slug, main_image, property_values, variant_id, sku,
        quantity, price_cents, price_sats, is_free)
      select ${order.id}::uuid, position, product_id, name, slug, main_image, property_values, variant_id, sku, quantity,
        price_cents, price_sats, is_free
      from json_to_recordset(${JSON.stringify(numbered)}::json) as line (position integer, product_id uuid, name text,
        slug text, main_image text, property_values jsonb, variant_id uuid, sku text, quantity integer,
        price_cents bigint, price_sats bigint, is_free boolean)
      returning position, variant_id
    ),
    costed as (
      insert into order_line_costs (order_id, position, cost_cents)
      select ${order.id}::uuid, position, cost_cents from filled join variant_costs using (variant_id)
    ),
    event as (${tables(db).insertInto('order_events').values(created)})
    select * from made
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an order was not inserted');
  return row;
}

/** Violation of the constraint that allows one open order per buyer. */
export const isOneOpenViolation = (error: unknown): boolean => isUniqueViolation(error, 'orders_one_open_a_user');

// ---- reading

export async function findOrders(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  return tables(db).selectFrom('orders').selectAll().where('id', 'in', ids).execute();
}

const selectOwnOrder = compileOnce((db, { userId, id }: { readonly userId: string; readonly id: string }) =>
  tables(db).selectFrom('orders').selectAll().where('id', '=', id).where('user_id', '=', userId),
);

export async function findOwnOrder(db: Db, userId: string, id: string): Promise<OrderRow | null> {
  return (await selectOwnOrder(db, { userId, id })).rows[0] ?? null;
}

export async function findOpenOrder(db: Db, userId: string): Promise<OrderRow | null> {
  const query = tables(db).selectFrom('orders').selectAll().where('user_id', '=', userId).where('is_open', '=', true);
  return (await query.executeTakeFirst()) ?? null;
}

/** The buyer's newest order paid or expired since the given times. */
export async function findLatestClosedOrder(
  db: Db,
  userId: string,
  paidSince: Date,
  expiredSince: Date,
): Promise<OrderRow | null> {
  const query = tables(db)
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([
        // Includes reorganized payments, so that the buyer sees them.
        where.and([where('payment_status', 'in', ['paid', 'user_paid']), where('paid_at', '>=', paidSince)]),
        where.and([where('payment_status', '=', 'expired'), where('expired_at', '>=', expiredSince)]),
        // Double-spent: can be paid again or cancelled.
        where.and([where('payment_status', '=', 'user_paid'), where('recorded_loss_at', '>=', expiredSince)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  return (await query.executeTakeFirst()) ?? null;
}

export async function listUserOrders(db: Db, userId: string, limit: number): Promise<OrderRow[]> {
  return tables(db)
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Billing details of the newest order that still has them. */
export async function findLastBilling(db: Db, userId: string): Promise<BillingDetails | null> {
  const newest = tables(db)
    .selectFrom('orders')
    .select('billing')
    .where('user_id', '=', userId)
    .where(sql<boolean>`personal_data_erased_at is null`);
  const order = await newest.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return order?.billing ?? null;
}

/** Ids of all orders that expect a payment. */
export async function listOpenIds(db: Db): Promise<string[]> {
  return (await tables(db).selectFrom('orders').select('id').where('is_open', '=', true).execute()).map(({ id }) => id);
}

/** Ids of all orders of a user, oldest first. */
export async function listUserOrderIds(db: Db, userId: string): Promise<string[]> {
  const own = tables(db).selectFrom('orders').select('id').where('user_id', '=', userId);
  return (await own.orderBy('created_at').orderBy('id').execute()).map(({ id }) => id);
}

/** Whether the user has a paid order of the product. */
export async function hasPaidFor(db: Db, userId: string, productId: string): Promise<boolean> {
  const paid = sql`select from orders join order_lines line on line.order_id = orders.id
    where orders.user_id = ${userId} and orders.payment_status = 'paid' and line.product_id = ${productId} limit 1`;
  return (await paid.execute(db)).rows.length > 0;
}

const selectOrderLines = compileOnce((db, { orderIds }: { readonly orderIds: readonly string[] }) =>
  tables(db)
    .selectFrom('order_lines')
    .selectAll()
    .where(sql<SqlBool>`order_id = any(${orderIds}::uuid[])`)
    .orderBy('order_id')
    .orderBy('position'),
);

/** Order lines, in the order of the cart. */
export async function listOrderLines(db: Db, orderIds: readonly string[]): Promise<Map<string, OrderLineRow[]>> {
  const lines = new Map<string, OrderLineRow[]>(orderIds.map((id) => [id, []]));
  if (orderIds.length === 0) return lines;
  const { rows } = await selectOrderLines(db, { orderIds });
  for (const row of rows) lines.get(row.order_id)?.push(row);
  return lines;
}

// ---- order events

/** Marks a pending order as paid according to the buyer; false if it changes nothing. */
export async function markUserPaid(db: Db, userId: string, id: string, now: Date): Promise<boolean> {
  const changed = await tables(db)
    .updateTable('orders')
    .set({ payment_status: 'user_paid', user_paid_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('payment_status', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

export const createEvent = (orderId: string, kind: OrderEventKind, at: Date, details: object): NewEvent => ({
  id: uuidv7(),
  order_id: orderId,
  kind,
  at,
  details: JSON.stringify(details),
});

const insertEvent = compileOnce((db, { id, order_id, kind, at, details }: NewEvent) =>
  tables(db)
    .insertInto('order_events')
    .values({ id, order_id, kind, at, details })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Appends an order event; false for a repeated event of a kind that happens once. */
export async function appendEvent(db: Db, event: NewEvent): Promise<boolean> {
  return (await insertEvent(db, event)).rows.length > 0;
}
