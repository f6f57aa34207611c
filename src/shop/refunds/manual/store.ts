/** Tables of manual refund actions: write-offs, records, and restored backups. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Sats } from '#src/shop/money.ts';
import type { TransactionFacts } from './manual-record.ts';
import type { RefundCovers, TotalCovers } from '#src/shop/orders/kinds.ts';
import type { DecidedAmount } from '../decide-debit.ts';
import { createLineValues, insertRefundLines, insertRefundParts } from '../lines/store.ts';
import type { NewLineRefund } from '../lines/store.ts';
import type { RefundReturn } from '../return-value.ts';
import { areDollarsLeft, createReturnValues } from '../store.ts';

// ---- write-offs

export type WriteOffKind = 'unclaimed' | 'paid-twice';

export interface WriteOffRow {
  readonly id: string;
  readonly orderId: string;
  readonly kind: WriteOffKind;
  readonly covers: TotalCovers;
  readonly amountSats: Sats;
  readonly reason: string;
  readonly madeAt: Date;
  readonly reopenedAt: Date | null;
}

const WRITE_OFF = sql`
  select id, order_id as "orderId", kind, covers, amount_sats as "amountSats", reason, made_at as "madeAt",
    reopened_at as "reopenedAt"
  from write_offs
`;

/** Oldest first. */
export async function listWriteOffs(db: Db, orderId: string): Promise<WriteOffRow[]> {
  return (await sql<WriteOffRow>`${WRITE_OFF} where order_id = ${orderId} order by made_at, id`.execute(db)).rows;
}

export async function findWriteOff(db: Db, id: string): Promise<WriteOffRow | null> {
  return (await sql<WriteOffRow>`${WRITE_OFF} where id = ${id}`.execute(db)).rows[0] ?? null;
}

export interface NewWriteOff extends Omit<WriteOffRow, 'reopenedAt'> {
  readonly madeBy: string;
}

/** The caller holds the order's row lock. */
export async function insertWriteOff(tx: Db, made: NewWriteOff): Promise<void> {
  const { id, orderId, kind, covers, amountSats, reason, madeAt, madeBy } = made;
  await sql`
    insert into write_offs (id, order_id, kind, covers, amount_sats, reason, made_by, made_at)
    values (${id}, ${orderId}, ${kind}, ${covers}, ${amountSats}, ${reason}, ${madeBy}, ${madeAt})
  `.execute(tx);
}

/** Sum of unclaimed write-offs that were not reopened. */
export async function sumUnclaimedSats(db: Db, orderId: string): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    select coalesce(sum(amount_sats), 0)::bigint as amount from write_offs
    where order_id = ${orderId} and kind = 'unclaimed' and reopened_at is null
  `.execute(db);
  return rows[0]?.amount ?? 0n;
}

/**
 * Reopens the unclaimed write-offs of an order and returns their sum. The caller holds the order's
 * row lock.
 */
export async function reopenUnclaimed(tx: Db, orderId: string, now: Date): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    update write_offs set reopened_at = greatest(${now}::timestamptz, made_at)
    where order_id = ${orderId} and kind = 'unclaimed' and reopened_at is null returning amount_sats as amount
  `.execute(tx);
  return rows.reduce((sum, { amount }) => sum + amount, 0n);
}

// ---- refunds that were sent elsewhere

/** What the database has about a transaction that staff enter for a refund. */
export async function readTransactionFacts(tx: Db, txid: string, orderId: string): Promise<TransactionFacts> {
  const id = Buffer.from(txid, 'hex');
  const { rows } = await sql<TransactionFacts>`
    select exists (select from payment_outputs where txid = ${id} and order_id is not null) as "isPayment",
      exists (select from refunds where txid = ${id} and order_id = ${orderId}) as "isOfAnotherRefund"
  `.execute(tx);
  return rows[0] ?? { isPayment: false, isOfAnotherRefund: false };
}

export interface SentElsewhere {
  readonly id: string;
  readonly orderId: string;
  readonly covers: RefundCovers;
  readonly debitSats: Sats;
  readonly amountSats: Sats;
  readonly scriptId: string;
  readonly txid: string;
  /** The order that it pays instead of an address; omitted: none. */
  readonly creditedOrderId?: string;
  readonly reason: string;
  /** Null unless it covers lines. */
  readonly lines: NewLineRefund | null;
  /** Null unless it covers an amount. */
  readonly amount: DecidedAmount | null;
  readonly returns: RefundReturn;
  readonly madeBy: string;
  readonly madeAt: Date;
}

/**
 * False without the dollars that the refund takes. The caller holds the order's row lock, and no other refund of the
 * order is open.
 */
export async function insertSentElsewhere(tx: Db, refund: SentElsewhere): Promise<boolean> {
  const { id, orderId, covers, debitSats, amount, amountSats, scriptId, txid, reason, lines, madeBy, madeAt } = refund;
  const { creditedOrderId = null } = refund;
  const { rows } = await sql`
    insert into refunds (id, order_id, covers, debit_sats, amount_sats, refund_script_id, is_elsewhere, reason, state, txid,
      lines_reason, lines_cents, shipping_net_cents, shipping_tax_cents, restocks, amount_reason, method, full_sats,
      value_cents, value_sats, rate_cents_per_btc, rate_at, rate_evidence, made_by, credited_order_id, made_at)
    select ${id}, ${orderId}, ${covers}, ${debitSats}, ${amountSats}, ${scriptId}, true, ${reason}, 'confirmed',
      ${Buffer.from(txid, 'hex')}::bytea, ${createLineValues(lines)}, ${createReturnValues(refund)}, ${madeBy},
      ${creditedOrderId}::uuid, ${madeAt}::timestamptz
    where ${areDollarsLeft(orderId, refund)}
    returning id
  `.execute(tx);
  if (rows.length === 0) return false;
  if (lines !== null) await insertRefundLines(tx, { id, orderId }, lines.units);
  if (amount !== null) await insertRefundParts(tx, { id, orderId }, amount.parts);
  return true;
}

/**
 * Undoes a record: a refund made in the shop is open again, one sent elsewhere is deleted. False if
 * staff did not record it.
 */
export async function undoRecord(tx: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update refunds set txid = null, withdrawn_at = case when is_elsewhere then ${now}::timestamptz end,
      state = case when is_elsewhere then 'withdrawn' else 'made' end
    where id = ${id} and txid is not null and vout is null and credited_order_id is null returning id
  `.execute(tx);
  return rows.length > 0;
}

// ---- restores

/**
 * Records that a backup was restored. Idempotent. False if the schema lacks the column: call again
 * after the migrations.
 */
export async function recordRestore(db: Db, backupAt: Date): Promise<boolean> {
  const { rows } = await sql<{
    isThere: boolean;
  }>`select to_regclass('public.restores') is not null as "isThere"`.execute(db);
  if (rows[0]?.isThere !== true) return false;
  await sql`
    insert into restores (restored_at, backup_at)
    select greatest(now(), (select max(created_at) from orders)), ${backupAt}
    on conflict do nothing
  `.execute(db);
  return true;
}

export interface Restore {
  readonly restoredAt: Date;
  readonly backupAt: Date;
}

/** Null if no backup was ever restored. */
export async function findLastRestore(db: Db): Promise<Restore | null> {
  const { rows } = await sql<Restore>`
    select restored_at as "restoredAt", backup_at as "backupAt" from restores order by restored_at desc limit 1
  `.execute(db);
  return rows[0] ?? null;
}
