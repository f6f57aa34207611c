/** Reads the orders of withdrawals. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { OrderToWithdraw } from './find-problem.ts';

export interface WithdrawalOrder extends OrderToWithdraw {
  readonly id: string;
  readonly number: bigint;
  readonly userId: string;
  readonly buyerName: string;
  /** Of the last parcel; null: not known. */
  readonly deliveredAt: Date | null;
}

const SELECT_ORDERS = sql`
  select orders.id, orders.number, user_id as "userId", payment_status as "paymentStatus", paid_at as "paidAt",
    refund_state as "refundState", nullif(billing ->> 'vatNumber', '') as "vatNumber",
    concat_ws(' ', billing ->> 'firstName', billing ->> 'lastName') as "buyerName",
    case when fulfilment_status = 'delivered' then (
      select max(at) from order_events event where event.order_id = orders.id and kind = 'delivered'
    ) end as "deliveredAt"
  from orders`;

export async function findOrder(db: Db, id: string): Promise<WithdrawalOrder | null> {
  return (await sql<WithdrawalOrder>`${SELECT_ORDERS} where orders.id = ${id}`.execute(db)).rows[0] ?? null;
}

/** Locks the order, in the lock order before refunds and stock. */
export async function lockOrder(tx: Db, id: string): Promise<WithdrawalOrder | null> {
  const { rows } = await sql<WithdrawalOrder>`
    ${SELECT_ORDERS} where orders.id = ${id} for no key update of orders`.execute(tx);
  return rows[0] ?? null;
}

/** The order with one of these numbers whose buyer has the address. @param addressHash SHA-256 of the normalised one */
export async function findOrderId(db: Db, numbers: readonly string[], addressHash: Buffer): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select orders.id from orders join users on users.id = orders.user_id
    where orders.number = any(${numbers}::bigint[]) and sha256(convert_to(users.email_key, 'UTF8')) = ${addressHash}
    order by orders.id limit 1
  `.execute(db);
  return rows[0]?.id ?? null;
}
