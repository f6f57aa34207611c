/** Steps of returns. Each writes only if nobody else changed the return since the caller saw it. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents } from '#src/shop/money.ts';
import type { ReturnCause, ReturnState } from './kinds.ts';
import { findReturn, IS_CREDIT_OWED } from './store.ts';
import type { ReturnRow } from './store.ts';

/** Columns that a step sets; an omitted one stays as it is. */
export interface ReturnPatch {
  readonly state?: ReturnState;
  readonly decided_at?: Date;
  readonly refund_due_at?: Date;
  readonly closed_at?: Date | null;
  readonly outcome?: string | null;
  readonly sent_at?: Date;
  readonly proof?: string;
  readonly received_at?: Date;
  readonly inspected_at?: Date;
  readonly label_url?: string | null;
  readonly decision?: string;
  readonly refund_id?: string | null;
  readonly exchange_order_id?: string;
  /** Staff are warned of its deadline again. */
  readonly warned_at?: null;
  readonly is_sent_back_released?: boolean;
}

type Tables = Record<'returns', Required<ReturnPatch> & { id: string; version: number }>;

/** Locks an order, as every change of its units does. */
export async function lockOrder(tx: Db, orderId: string): Promise<void> {
  await sql`select from orders where id = ${orderId} for no key update`.execute(tx);
}

/** Locks the order, then the return, the order of all locks. Null if there is no such return. */
export async function lockReturn(tx: Db, id: string): Promise<ReturnRow | null> {
  await sql`
    select from orders where id = (select order_id from returns where id = ${id}) for no key update
  `.execute(tx);
  await sql`select from returns where id = ${id} for update`.execute(tx);
  return findReturn(tx, id);
}

/** False if the return has another version. */
export async function writeStep(tx: Db, { id, version }: ReturnRow, patch: ReturnPatch): Promise<boolean> {
  const written = await tx
    .$extendTables<Tables>()
    .updateTable('returns')
    .set({ ...patch, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

/** Counts units that arrived, or fewer of them. False if they are more than expected, or fewer than none. */
export async function addReceived(tx: Db, id: string, position: number, units: number): Promise<boolean> {
  const { rows } = await sql`
    update return_lines set received_quantity = received_quantity + ${units}::integer
    where return_id = ${id} and position = ${position}
      and received_quantity + ${units}::integer between 0 and quantity - cancelled_quantity
    returning position
  `.execute(tx);
  return rows.length > 0;
}

export interface InspectedLine {
  readonly position: number;
  readonly restocked: number;
  readonly damaged: number;
  readonly sentBack: number;
  readonly condition: string | null;
  readonly deductionCents: Cents;
  readonly deductionReason: string | null;
}

/** False unless the conditions are those of all units of the line that arrived. */
export async function writeInspected(tx: Db, id: string, line: InspectedLine): Promise<boolean> {
  const { rows } = await sql`
    update return_lines set restocked_quantity = ${line.restocked}, damaged_quantity = ${line.damaged},
      sent_back_quantity = ${line.sentBack}, condition = ${line.condition}, deduction_cents = ${line.deductionCents},
      deduction_reason = ${line.deductionReason}
    where return_id = ${id} and position = ${line.position}
      and received_quantity = ${line.restocked + line.damaged + line.sentBack}::integer
    returning position
  `.execute(tx);
  return rows.length > 0;
}

/** The closed return of a refund. */
export async function findReturnOfRefund(tx: Db, refundId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from returns where refund_id = ${refundId}`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Withdrawals of an order that were closed without a refund of their own; none while the whole order is refunded. */
export async function listClosedWithdrawals(tx: Db, orderId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select returns.id from returns join orders on orders.id = returns.order_id and orders.refund_state is null
    where order_id = ${orderId} and cause = 'withdrawal' and outcome in ('not-refunded', 'too-little')
    order by returns.id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Links a ticket, once. Returns the ticket of the return. */
export async function linkTicket(tx: Db, id: string, ticketId: string): Promise<string | null> {
  const { rows } = await sql<{ ticketId: string | null }>`
    update returns set ticket_id = coalesce(ticket_id, ${ticketId}::uuid) where id = ${id}
    returning ticket_id as "ticketId"
  `.execute(tx);
  return rows[0]?.ticketId ?? null;
}

/** The return of a buyer that a ticket is about. */
export async function findReturnOfTicket(
  db: Db,
  userId: string,
  ticketId: string,
): Promise<{ readonly id: string; readonly reference: string } | null> {
  const { rows } = await sql<{ id: string; reference: string }>`
    select returns.id, reference from returns join orders on orders.id = returns.order_id
    where ticket_id = ${ticketId} and orders.user_id = ${userId}
  `.execute(db);
  return rows[0] ?? null;
}

export interface OrderOfReturn {
  readonly id: string;
  readonly number: bigint;
  readonly userId: string;
  readonly username: string;
  readonly country: string;
}

export async function findOrderOfReturn(db: Db, id: string): Promise<OrderOfReturn | null> {
  const { rows } = await sql<OrderOfReturn>`
    select orders.id, orders.number, orders.user_id as "userId", users.username, billing ->> 'country' as country
    from returns join orders on orders.id = returns.order_id join users on users.id = orders.user_id
    where returns.id = ${id}
  `.execute(db);
  return rows[0] ?? null;
}

/** What decides whether the buyer can change pictures; null: there is no such return of theirs. */
export async function findPositionOfBuyer(
  db: Db,
  id: string,
  userId: string,
): Promise<{ readonly cause: ReturnCause; readonly state: ReturnState } | null> {
  const { rows } = await sql<{ cause: ReturnCause; state: ReturnState }>`
    select cause, state from returns join orders on orders.id = returns.order_id
    where returns.id = ${id} and orders.user_id = ${userId}
  `.execute(db);
  return rows[0] ?? null;
}

export async function countReturnsOfOrder(tx: Db, orderId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from returns where order_id = ${orderId}
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

/** State of the refund of a return. */
export async function findRefundState(db: Db, refundId: string): Promise<string | null> {
  const { rows } = await sql<{ state: string }>`select state from refunds where id = ${refundId}`.execute(db);
  return rows[0]?.state ?? null;
}

/** When the last parcel of an order was shipped; null: never. */
export async function findLastShippedAt(db: Db, orderId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(shipped_at) as at from shipments where order_id = ${orderId} and undone_at is null
  `.execute(db);
  return rows[0]?.at ?? null;
}

// ---- personal data

/** A proof of sending that was erased. */
const ERASED_PROOF = '-';

/** Erases what buyers wrote. References and amounts stay, as the books need them. */
export async function eraseTextsOfOrders(tx: Db, orderIds: readonly string[]): Promise<void> {
  await sql`
    update returns set reason = null, proof = case when sent_at is null then null else ${ERASED_PROOF} end
    where order_id = any(${orderIds}::uuid[])
  `.execute(tx);
}

/** Erases what buyers wrote in returns that ended before this moment. */
export async function eraseTextsBefore(db: Db, before: Date): Promise<void> {
  await sql`
    update returns set reason = null, proof = case when sent_at is null then null else ${ERASED_PROOF} end
    where closed_at < ${before} and (reason is not null or proof <> ${ERASED_PROOF})
  `.execute(db);
}

/** How many returns ended before this moment and have texts or files of buyers, at most a limit. */
export async function countTextsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from returns
      where closed_at < ${before} and (reason is not null or proof <> ${ERASED_PROOF}
        or exists (select from return_files file where file.return_id = returns.id))
      limit ${limit}
    ) ended
  `.execute(db);
  return rows[0]?.total ?? 0;
}

// ---- deadlines

/** Marks returns whose refund is due by then and was not withheld. Each is marked once. */
export async function markWarned(tx: Db, now: Date, dueBefore: Date): Promise<number> {
  const { rows } = await sql`
    update returns set warned_at = ${now}
    where warned_at is null and refund_due_at <= ${dueBefore}
      and ((closed_at is null and ${IS_OWED}) or ${IS_CREDIT_OWED})
    returning id
  `.execute(tx);
  return rows.length;
}

/** Goods or a proof of sending arrived, or nothing has to be sent: the refund can't be withheld. */
export const IS_OWED = sql`(sent_at is not null or received_at is not null or not exists (
  select from return_lines line where line.return_id = returns.id and line.quantity > line.cancelled_quantity))`;

/** Returns whose next step is one of staff. Bounded by the index of open returns. */
export async function countWaiting(db: Db, dueBefore: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from returns where ${IS_CREDIT_OWED}
      or (closed_at is null
        and (state in ('requested', 'received', 'inspected') or (refund_due_at <= ${dueBefore} and ${IS_OWED})))
  `.execute(db);
  return rows[0]?.count ?? 0;
}
