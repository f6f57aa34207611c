/** Statements of withdrawal, which never change, and what became of each. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { IS_CREDIT_OWED } from '../store.ts';
import type { Proof, WithdrawalResult } from './kinds.ts';

/** Units of an order line that the buyer withdraws from. */
interface WithdrawnUnits {
  readonly position: number;
  readonly quantity: number;
}

export interface Statement {
  readonly id: string;
  readonly reference: string;
  readonly statedAt: Date;
  readonly proof: Proof;
  /** Null: found by number and address. */
  readonly orderId: string | null;
  readonly orderNumber: string;
  readonly orderEmail: string | null;
  readonly name: string;
  readonly acknowledgementEmail: string | null;
  /** Null: everything that can be withdrawn. */
  readonly units: readonly WithdrawnUnits[] | null;
  readonly reason: string | null;
  readonly timeZone: string;
  /** The text that the buyer confirmed. */
  readonly statement: string;
}

export interface StatementRow extends Statement {
  readonly result: WithdrawalResult | null;
  readonly handledAt: Date | null;
  readonly returnId: string | null;
}

/** False if the reference or the id is taken. */
export async function insertStatement(tx: Db, stated: Statement): Promise<boolean> {
  const { rows } = await sql`
    insert into withdrawals (id, reference, stated_at, proof, order_id, order_number, order_email, name,
      acknowledgement_email, units, reason, time_zone, statement)
    select ${stated.id}::uuid, ${stated.reference}::text, ${stated.statedAt}::timestamptz, ${stated.proof}::text,
      ${stated.orderId}::uuid, ${stated.orderNumber}::text, ${stated.orderEmail}::text, ${stated.name}::text,
      ${stated.acknowledgementEmail}::text, ${stated.units === null ? null : JSON.stringify(stated.units)}::jsonb,
      ${stated.reason}::text, ${stated.timeZone}::text, ${stated.statement}::text
    where not exists (select from returns where reference = ${stated.reference})
    on conflict do nothing
    returning id
  `.execute(tx);
  return rows.length > 0;
}

const SELECT_STATEMENTS = sql`
  select id, reference, stated_at as "statedAt", proof, order_id as "orderId", order_number as "orderNumber",
    order_email as "orderEmail", name, acknowledgement_email as "acknowledgementEmail", units, reason,
    time_zone as "timeZone", statement, result, handled_at as "handledAt", return_id as "returnId"
  from withdrawals`;

export async function findStatement(db: Db, id: string): Promise<StatementRow | null> {
  const { rows } = await sql<StatementRow>`${SELECT_STATEMENTS} where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Locks a statement, so that it is handled once. */
export async function lockStatement(tx: Db, id: string): Promise<StatementRow | null> {
  const { rows } = await sql<StatementRow>`${SELECT_STATEMENTS} where id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

/** Statements about an order, oldest first. */
export async function listStatementsOfOrder(db: Db, orderId: string): Promise<readonly StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    ${SELECT_STATEMENTS} where order_id = ${orderId} order by stated_at, id
  `.execute(db);
  return rows;
}

/** Records what became of a statement, once. */
export async function writeResult(
  tx: Db,
  id: string,
  handled: {
    readonly result: WithdrawalResult;
    readonly orderId: string | null;
    readonly returnId: string | null;
    readonly at: Date;
  },
): Promise<void> {
  await sql`
    update withdrawals set result = ${handled.result}, handled_at = ${handled.at}, order_id = ${handled.orderId},
      return_id = ${handled.returnId}
    where id = ${id} and handled_at is null
  `.execute(tx);
}

// ---- personal data

/** The orders among these with a return that is not closed, of which something is not refunded. */
export async function listWithOpenReturn(tx: Db, orderIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct order_id as id from returns
    where order_id = any(${orderIds}::uuid[]) and closed_at is null and exists (
      select from order_lines line where line.order_id = returns.order_id and (
        count_unrefunded(stopped_quantity, refunded_unshipped_quantity, refunded_before_stop) > 0
        or count_unrefunded(returning_quantity, refunded_shipped_quantity, refunded_before_return) > 0))
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** The orders among these that an exchange created and of whose credit something has to be refunded. */
export async function listWithOwedCredit(tx: Db, orderIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select exchange_order_id as id from returns
    where exchange_order_id = any(${orderIds}::uuid[]) and ${IS_CREDIT_OWED}
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Removes names, addresses and texts. The moment, the reference and the units stay. */
export async function eraseStatements(tx: Db, orderIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update withdrawals set erased_at = ${at}, name = '', order_email = null, acknowledgement_email = null, reason = null,
      statement = ''
    where order_id = any(${orderIds}::uuid[]) and erased_at is null
  `.execute(tx);
  await sql`update returns set reason = null where order_id = any(${orderIds}::uuid[])`.execute(tx);
}

export async function deleteNotFound(db: Db, before: Date): Promise<void> {
  await sql`delete from withdrawals where result = 'not-found' and stated_at < ${before}`.execute(db);
}

/** @param addresses in NFKC and lower case */
export async function deleteNotFoundOf(tx: Db, addresses: readonly string[]): Promise<void> {
  await sql`
    delete from withdrawals where order_id is null and (
      lower(normalize(order_email, nfkc)) = any(${addresses}::text[])
      or lower(normalize(acknowledgement_email, nfkc)) = any(${addresses}::text[]))
  `.execute(tx);
}
