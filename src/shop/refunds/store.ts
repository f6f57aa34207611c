/** Refunds and their orders. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { MatchedState } from './matching/match-refunds.ts';
import type { RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';
import { createLineValues, insertRefundLines, insertRefundParts } from './lines/store.ts';
import type { NewLineRefund } from './lines/store.ts';
import type { DecidedAmount } from './decide-debit.ts';
import type { Debit, DebitState, OrderToRefund } from './refundable.ts';
import type { RefundReturn } from './return-value.ts';
import type { RefundMethod } from '#src/shop/shop-settings/refund-method.ts';
import type { RefundEntry } from '#src/shop/orders/timeline/refund-entries.ts';
import { openRefundStates } from '#src/shop/orders/state-groups.ts';

// ---- orders

export interface OrderRow extends OrderToRefund {
  readonly id: string;
  readonly number: bigint;
  readonly user_id: string;
  readonly rate_cents_per_btc: CentsPerBtc;
  readonly created_at: Date;
  readonly expired_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly total_after_cents: Cents;
}

const ORDER = sql`
  select id, number, user_id, payment_status, is_open, paid_at, due_sats, settled_sats, tolerance_sats, required_confirmations,
    rate_cents_per_btc, created_at, expired_at, cancelled_at, total_after_cents
  from orders
`;

export async function findOrder(db: Db, id: string): Promise<OrderRow | null> {
  return (await sql<OrderRow>`${ORDER} where id = ${id}`.execute(db)).rows[0] ?? null;
}

export async function lockOrder(tx: Db, id: string): Promise<OrderRow | null> {
  return (await sql<OrderRow>`${ORDER} where id = ${id} for no key update`.execute(tx)).rows[0] ?? null;
}

/**
 * Locks the orders among the recipients, and the orders whose refunds go to the others. Lowest id
 * first, the lock order for several orders.
 */
export async function lockPaidOrders(tx: Db, recipientIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where id in (
      select unnest(${recipientIds}::uuid[])
      union select order_id from refunds where refund_script_id = any(${recipientIds}::uuid[])
    )
    order by id for no key update
  `.execute(tx);
  return rows.map(({ id }) => id);
}

// ---- refunds

export interface RefundRow {
  readonly id: string;
  readonly orderId: string;
  readonly covers: RefundCovers;
  readonly debitSats: Sats;
  readonly amountSats: Sats;
  readonly feeSats: Sats | null;
  readonly scriptId: string;
  readonly address: string;
  readonly psbt: Uint8Array | null;
  readonly plannedTxid: string | null;
  readonly madeAt: Date;
  readonly withdrawnAt: Date | null;
  readonly state: RefundState;
  readonly txid: string | null;
  readonly vout: number | null;
  /** Recorded after it was sent without a refund made in the shop. */
  readonly isElsewhere: boolean;
  /** Why staff recorded it. */
  readonly reason: string | null;
  /** The order that it pays instead of an address; null: none. */
  readonly creditedOrderId: string | null;
  /** Of a refund of lines: why staff made it, what the units cost, and whether they go on sale again. */
  readonly linesReason: string | null;
  readonly linesCents: Cents | null;
  readonly restocks: boolean;
  readonly coversShipping: boolean;
  /** Why staff refund an amount. */
  readonly amountReason: string | null;
  readonly method: RefundMethod;
  /** What it returns before a fee that the buyer pays. */
  readonly fullSats: Sats;
  /** Dollars of a sale that it returns, and the satoshis for them; null: of no sale. */
  readonly valueCents: Cents | null;
  readonly valueSats: Sats | null;
  /** The part of them that no other refund returned; null: none. */
  readonly countedCents: Cents | null;
  readonly countedSats: Sats | null;
  /** Rate of a refund by value, and when it was found. */
  readonly rate: CentsPerBtc | null;
  readonly rateAt: Date | null;
  /** Its units or its dollars count as refunded. */
  readonly holdsUnits: boolean;
  /** Of the order. */
  readonly requiredConfirmations: number;
  readonly number: bigint;
  readonly userId: string;
  /** Loss recorded on the order. */
  readonly orderLoss: string | null;
}

/** Of a sale, created by a release without values in dollars. What other refunds left of the sale counts. */
const IS_LEGACY_WHOLE = sql`(refund.covers = 'whole' and refund.method is null and orders.paid_at is not null)`;

const REFUND = sql`
  select refund.id, refund.order_id as "orderId", refund.covers, refund.debit_sats as "debitSats",
    refund.amount_sats as "amountSats", refund.fee_sats as "feeSats", refund.refund_script_id as "scriptId",
    script.address, refund.psbt, encode(refund.planned_txid, 'hex') as "plannedTxid", refund.made_at as "madeAt",
    refund.withdrawn_at as "withdrawnAt", refund.state, refund.is_elsewhere as "isElsewhere", refund.reason,
    refund.lines_reason as "linesReason", refund.lines_cents as "linesCents", refund.restocks,
    refund.shipping_net_cents is not null as "coversShipping",
    (refund.holds_units or (refund.covers = 'amount' and refund.counted_cents is not null)) as "holdsUnits",
    refund.amount_reason as "amountReason", coalesce(refund.method, 'kind') as method,
    coalesce(refund.full_sats, refund.debit_sats) as "fullSats",
    coalesce(refund.value_cents, refund.lines_cents, case when ${IS_LEGACY_WHOLE}
      then paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats) end) as "valueCents",
    coalesce(refund.value_sats, case when refund.covers = 'lines' then refund.debit_sats when ${IS_LEGACY_WHOLE}
      then least(refund.debit_sats, coalesce(orders.settled_sats, orders.due_sats)) end) as "valueSats",
    refund.counted_cents as "countedCents", refund.counted_sats as "countedSats", refund.rate_cents_per_btc as rate,
    refund.rate_at as "rateAt",
    case when refund.credited_order_id is null then encode(refund.txid, 'hex') end as txid, refund.vout,
    refund.credited_order_id as "creditedOrderId", orders.required_confirmations as "requiredConfirmations",
    orders.number, orders.user_id as "userId", orders.recorded_loss as "orderLoss"
  from refunds refund join refund_scripts script on script.id = refund.refund_script_id
  join orders on orders.id = refund.order_id
`;

export async function findRefund(db: Db, id: string): Promise<RefundRow | null> {
  return (await sql<RefundRow>`${REFUND} where refund.id = ${id}`.execute(db)).rows[0] ?? null;
}

/** Oldest first. */
export async function listRefunds(db: Db, orderId: string): Promise<RefundRow[]> {
  return (await sql<RefundRow>`${REFUND} where refund.order_id = ${orderId} order by made_at, id`.execute(db)).rows;
}

type TimelineFields = Pick<RefundRow, 'id' | 'linesCents' | 'coversShipping'>;

/** Oldest first, without withdrawn ones. */
export async function listTimelineEntries(
  db: Db,
  orderId: string,
): Promise<readonly (Omit<RefundEntry, 'lines'> & TimelineFields)[]> {
  const { rows } = await sql<Omit<RefundEntry, 'lines'> & TimelineFields>`
    select id, lines_cents as "linesCents", shipping_net_cents is not null as "coversShipping", covers,
      amount_sats as "amountSats", state, case when credited_order_id is null then encode(txid, 'hex') end as txid,
      credited_order_id is not null as "isCredit", made_at as at, coalesce(method, 'kind') as method,
      coalesce(value_cents, lines_cents) as "valueCents", rate_cents_per_btc as rate, rate_at as "rateAt"
    from refunds where order_id = ${orderId} and state <> 'withdrawn' order by made_at, id
  `.execute(db);
  return rows;
}

/** All refunds that were ever made to these scripts. Credits went to none. */
export async function listRefundsToScripts(db: Db, scriptIds: readonly string[]): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    ${REFUND} where refund.refund_script_id = any(${scriptIds}::uuid[]) and refund.credited_order_id is null
  `.execute(db);
  return rows;
}

/** Which of the recipients are refund scripts. */
export async function filterRefundScripts(db: Db, recipientIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from refund_scripts where id = any(${recipientIds}::uuid[])
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Scripts of refunds that are not confirmed. */
export async function listAwaitedScripts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct refund_script_id as id from refunds where state in (${createLiteralList(openRefundStates)})
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** PSBTs of open refunds. */
export async function listPendingPlans(db: Db): Promise<Uint8Array[]> {
  const { rows } = await sql<{ psbt: Uint8Array }>`
    select psbt from refunds where state in (${createLiteralList(openRefundStates)}) and psbt is not null
  `.execute(db);
  return rows.map(({ psbt }) => psbt);
}

const PLANNING = 20_091_032;

/** Serializes the reservation of coins until the transaction ends. */
export async function lockPlanning(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PLANNING}::bigint)`.execute(tx);
}

export interface NewRefund {
  readonly id: string;
  readonly orderId: string;
  readonly covers: RefundCovers;
  readonly debitSats: Sats;
  readonly amountSats: Sats;
  readonly scriptId: string;
  /** Null when any wallet pays it. */
  readonly plan: { readonly psbt: Uint8Array; readonly txid: string; readonly feeSats: bigint } | null;
  /** Null unless it covers lines. */
  readonly lines: NewLineRefund | null;
  /** Null unless it covers an amount. */
  readonly amount: DecidedAmount | null;
  readonly returns: RefundReturn;
  readonly madeBy: string;
  readonly madeAt: Date;
}

/** Values of the columns `amount_reason` to `rate_evidence`. */
export const createReturnValues = ({
  amount,
  returns: { fullSats, method, rate, value },
}: Pick<NewRefund, 'amount' | 'returns'>): RawBuilder<unknown> => sql`
  ${amount?.reason ?? null}::text, ${method}::text, ${fullSats}::bigint, ${value?.cents ?? null}::bigint,
  ${value?.sats ?? null}::bigint, ${rate?.centsPerBtc ?? null}::bigint, ${rate?.at ?? null}::timestamptz,
  ${rate === null ? null : JSON.stringify(rate.evidence)}::jsonb`;

/** Whether the dollars of a new refund are left, in a condition of its insertion. */
export const areDollarsLeft = (
  orderId: string,
  { covers, returns: { value } }: Pick<NewRefund, 'covers' | 'returns'>,
) => sql`
  (${covers !== 'amount' || value === null}::boolean
    or (select refund_cents + ${value?.cents ?? null}::bigint <= total_after_cents from orders where id = ${orderId}))`;

/** False while another refund of the order is open, or without the dollars that it takes. The caller holds the order's row lock. */
export async function insertRefund(tx: Db, refund: NewRefund): Promise<boolean> {
  const { id, orderId, covers, debitSats, amount, amountSats, scriptId, plan, lines, madeBy, madeAt } = refund;
  const [psbt, txid] = plan ? [Buffer.from(plan.psbt), Buffer.from(plan.txid, 'hex')] : [null, null];
  const { rows } = await sql`
    insert into refunds (id, order_id, covers, debit_sats, amount_sats, refund_script_id, psbt, planned_txid, fee_sats,
      lines_reason, lines_cents, shipping_net_cents, shipping_tax_cents, restocks, amount_reason, method, full_sats,
      value_cents, value_sats, rate_cents_per_btc, rate_at, rate_evidence, made_by, made_at)
    select ${id}, ${orderId}, ${covers}, ${debitSats}, ${amountSats}, ${scriptId}, ${psbt}::bytea, ${txid}::bytea,
      ${plan?.feeSats ?? null}::bigint, ${createLineValues(lines)}, ${createReturnValues(refund)}, ${madeBy},
      ${madeAt}::timestamptz
    where not exists (select from refunds where order_id = ${orderId} and state in (${createLiteralList(openRefundStates)}))
      and ${areDollarsLeft(orderId, refund)}
    returning id
  `.execute(tx);
  if (rows.length > 0 && lines !== null) await insertRefundLines(tx, { id, orderId }, lines.units);
  if (rows.length > 0 && amount !== null) await insertRefundParts(tx, { id, orderId }, amount.parts);
  return rows.length > 0;
}

/** False if the refund is not open. */
export async function withdrawRefund(tx: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update refunds set state = 'withdrawn', withdrawn_at = ${now} where id = ${id} and state = 'made' returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Records that a transaction paid the refund. False if the refund is not open. */
export async function recordRefund(tx: Db, id: string, txid: string): Promise<boolean> {
  const { rows } = await sql`
    update refunds set state = 'confirmed', txid = ${Buffer.from(txid, 'hex')}
    where id = ${id} and state = 'made' returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Writes matched states. An output may move between refunds, so all are cleared first. */
export async function writeStates(tx: Db, changes: ReadonlyMap<string, MatchedState>): Promise<void> {
  await sql`
    update refunds set txid = null, vout = null, state = case when withdrawn_at is null then 'made' else 'withdrawn' end
    where id = any(${[...changes.keys()]}::uuid[])
  `.execute(tx);
  for (const [id, { state, txid, vout }] of changes) {
    if (txid === null) continue;
    await sql`
      update refunds set state = ${state}, txid = ${Buffer.from(txid, 'hex')}, vout = ${vout} where id = ${id}
    `.execute(tx);
  }
}

export async function readTip(db: Db): Promise<{ readonly height: number } | null> {
  const { rows } = await sql<{ height: number }>`select height from chain_cursor`.execute(db);
  return rows[0] ?? null;
}

// ---- dollars

/** Writes which part of each refund counts, in dollars and satoshis. */
export async function writeCounted(
  tx: Db,
  counted: readonly { readonly id: string; readonly cents: Cents | null; readonly sats: Sats | null }[],
): Promise<void> {
  await sql`
    update refunds set counted_cents = counted.cents, counted_sats = counted.sats,
      value_cents = coalesce(value_cents, counted.cents), value_sats = coalesce(value_sats, counted.sats)
    from unnest(${counted.map(({ id }) => id)}::uuid[], ${counted.map(({ cents }) => cents)}::bigint[],
      ${counted.map(({ sats }) => sats)}::bigint[]) as counted (id, cents, sats)
    where refunds.id = counted.id
      and (counted_cents is distinct from counted.cents or counted_sats is distinct from counted.sats)
  `.execute(tx);
}

/** Debits of an order: its refunds, then its unclaimed write-offs, oldest first of each. */
export async function listDebits(db: Db, orderId: string): Promise<Debit[]> {
  const { rows } = await sql<Debit & { readonly state: DebitState }>`
    select covers, state, debit_sats as "debitSats", holds_units as "holdsUnits" from (
      select covers, state, debit_sats, (holds_units or (covers = 'amount' and counted_cents is not null)) as holds_units,
        made_at, id
      from refunds where order_id = ${orderId}
      union all
      select covers, case when reopened_at is null then 'written_off' else 'reopened' end, amount_sats, false, made_at, id
      from write_offs where order_id = ${orderId} and kind = 'unclaimed'
    ) debit order by made_at, id
  `.execute(db);
  return rows;
}
