/** Reads what exchanges of returns need: their lines, and the orders that they created. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents } from '#src/shop/money.ts';
import type { BillingDetails } from '#src/shop/orders/stored-order.ts';

/** A line of an order with its product and variant. */
export interface ExchangeableLine {
  readonly position: number;
  readonly productId: string;
  /** Null: the product had none when it was ordered, or it was deleted. */
  readonly variantId: string | null;
}

export async function listExchangeableLines(db: Db, orderId: string): Promise<readonly ExchangeableLine[]> {
  const { rows } = await sql<ExchangeableLine>`
    select position, product_id as "productId", variant_id as "variantId" from order_lines
    where order_id = ${orderId} order by position
  `.execute(db);
  return rows;
}

/** Billing details of the order of a return, where what is exchanged is delivered. */
export async function readBilling(db: Db, orderId: string): Promise<BillingDetails> {
  const { rows } = await sql<{ billing: BillingDetails }>`select billing from orders where id = ${orderId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`order ${orderId} does not exist`);
  return row.billing;
}

/** The order that an exchange created, with the credit that pays it. */
export interface ExchangedOrder {
  readonly id: string;
  readonly number: bigint;
  readonly isPaid: boolean;
  readonly isOpen: boolean;
  readonly expiresAt: Date;
  readonly totalCents: Cents;
  /** In dollars: those of the units, or what their satoshis were worth when they were credited. */
  readonly creditCents: Cents;
}

/** The order of an exchanged return; null: it was not exchanged. */
export async function findExchangedOrder(db: Db, returnId: string): Promise<ExchangedOrder | null> {
  const { rows } = await sql<ExchangedOrder>`
    select orders.id, orders.number, orders.paid_at is not null as "isPaid", orders.is_open as "isOpen",
      orders.expires_at as "expiresAt", orders.total_after_cents as "totalCents",
      case when refunds.method = 'value' then refunds.value_cents
        else round(refunds.amount_sats::numeric * orders.rate_cents_per_btc / 100000000)::bigint end as "creditCents"
    from returns join orders on orders.id = returns.exchange_order_id join refunds on refunds.id = returns.refund_id
    where returns.id = ${returnId}
  `.execute(db);
  return rows[0] ?? null;
}

/** Where an order comes from. */
export interface ExchangeOrigin {
  readonly returnId: string;
  readonly reference: string;
  readonly orderId: string;
  readonly number: bigint;
}

/** The return whose exchange created an order; null: it was ordered. */
export async function findExchangeOrigin(db: Db, orderId: string): Promise<ExchangeOrigin | null> {
  const { rows } = await sql<ExchangeOrigin>`
    select returns.id as "returnId", reference, orders.id as "orderId", orders.number
    from returns join orders on orders.id = returns.order_id where exchange_order_id = ${orderId}
  `.execute(db);
  return rows[0] ?? null;
}
