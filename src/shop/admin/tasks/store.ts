/** Reads the orders that may need staff. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import type { Sats } from '#src/shop/money.ts';
import { sats } from '#src/shop/money.ts';
import type { StoredOrder } from '#src/shop/orders/stored-order.ts';
import type { FulfilmentStatus, OrderLoss, PaymentStatus } from '#src/shop/orders/kinds.ts';
import {
  dustStates,
  lateStates,
  openRefundStates,
  partStates,
  reorgedStates,
  sentRefundStates,
  surplusStates,
  unpaidStatuses,
} from '#src/shop/orders/state-groups.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import type { PaymentState, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import { datedEventKinds } from './staff-task.ts';
import type { DatedEventKind } from './staff-task.ts';

const WRITTEN_OFF: WholeRefundState = 'written_off';

/** Ids of orders that may have a task, newest first. Uses partial indexes. */
export async function listTaskCandidates(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id from orders
      where recorded_state in (${createLiteralList(reorgedStates)})
        -- Excludes dust, so that paying a satoshi to many old orders does not fill the list.
        or (recorded_state in (${createLiteralList(surplusStates)})
          and recorded_received_sats - coalesce(settled_sats, due_sats) - returned_sats >= ${MIN_REFUND_SATS})
        or (payment_status = 'expired' and recorded_state in (${createLiteralList(partStates)}))
        or (payment_status = 'cancelled' and recorded_received_sats > 0
          and recorded_state not in (${createLiteralList<PaymentState>([...dustStates, WRITTEN_OFF])}))
      union
      select id from orders
      where recorded_state = ${sql.lit(WRITTEN_OFF)} and recorded_received_sats > (
        select coalesce(sum(amount_sats), 0) from write_offs
        where order_id = orders.id and kind = 'unclaimed' and reopened_at is null)
      union
      select order_id from refunds where withdrawn_at is not null and state in (${createLiteralList(sentRefundStates)})
      union
      select id from orders
      where recorded_state in (${createLiteralList(lateStates)}) and payment_status in (${createLiteralList(unpaidStatuses)})
      union
      select id from orders
      where payment_status = 'refunded' and recorded_received_sats >= ${MIN_REFUND_SATS} + (
        select coalesce(sum(debit_sats), 0) from refunds where order_id = orders.id and state = 'confirmed')
      union
      select id from orders where recorded_loss is not null and closed_as_loss_of is null
      union
      select id from orders
      where fulfilment_status <> 'unfulfilled' and payment_status in (${createLiteralList<PaymentStatus>(['user_paid', 'expired'])})
      union
      select id from orders where units_returned_at is not null and refund_state is null and payment_status <> 'cancelled'
      union
      select order_id from returns where closed_at is null and cause = 'withdrawal'
      union
      select order_id from refunds where state in (${createLiteralList(openRefundStates)})
      union
      select order_id from payment_outputs output, chain_cursor
      where is_coinbase and is_live and order_id is not null and amount_sats >= ${MIN_REFUND_SATS}
        and output.height > chain_cursor.height - 99
    ) waiting
    order by id desc
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Live dust outputs that pay orders. */
export async function countDust(
  db: Db,
): Promise<{ readonly outputs: number; readonly orders: number; readonly amount_btc: Sats }> {
  const { rows } = await sql<{ outputs: number; orders: number; amount: bigint }>`
    select count(*)::int as outputs, count(distinct order_id)::int as orders, coalesce(sum(amount_sats), 0)::bigint as amount
    from payment_outputs where is_live and amount_sats < 294 and order_id is not null
  `.execute(db);
  const { outputs = 0, orders = 0, amount = 0n } = rows[0] ?? {};
  return { outputs, orders, amount_btc: sats(amount) };
}

/** An order with all data of its task except the ledger. */
export interface OrderTaskRow extends StoredOrder {
  readonly id: string;
  readonly number: bigint;
  readonly user_id: string;
  readonly username: string;
  readonly created_at: Date;
  readonly fulfilment_status: FulfilmentStatus;
  readonly units_returned_at: Date | null;
  readonly recorded_loss: OrderLoss | null;
  readonly recorded_loss_at: Date | null;
  readonly closed_as_loss_of: 'payment' | 'refund' | null;
  readonly lastEvents: ReadonlyMap<DatedEventKind, Date>;
  readonly openRefund: { readonly state: 'made' | 'sent'; readonly madeAt: Date } | null;
  /** Confirmed refunds, and what the shop keeps of them for deductions. */
  readonly refundedSats: Sats;
  /** The first withdrawal of which units are not refunded; null: none. */
  readonly withdrewAt: Date | null;
}

type PlainRow = Omit<OrderTaskRow, 'lastEvents' | 'openRefund' | 'refundedSats'> & {
  readonly openState: 'made' | 'sent' | null;
  readonly openSince: Date | null;
  readonly refunded: bigint;
  readonly turns: Readonly<Partial<Record<DatedEventKind, string>>>;
};

/** What the shop keeps for deductions of refunded units, as `computeDeductedSats` says. */
const DEDUCTED_SATS = sql`coalesce((
  select (agreed - trunc(agreed * (paid - deducted) / paid))::bigint
  from (
    select coalesce(settled_sats, due_sats)::numeric as agreed,
      paid_cents(total_after_cents, settled_sats, due_sats)::numeric as paid,
      sum(deducted_net_cents + deducted_tax_cents)::numeric as deducted
    from refund_lines line join refunds on refunds.id = line.refund_id
    where line.order_id = orders.id and refunds.holds_units
    having sum(deducted_net_cents + deducted_tax_cents) > 0
  ) kept where paid > 0
), 0)`;

export async function listOrdersForTasks(db: Db, ids: readonly string[]): Promise<OrderTaskRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<PlainRow>`
    select orders.id, orders.number, orders.user_id, users.username, orders.created_at, payment_status, is_open,
      total_after_cents, due_sats, tolerance_sats, required_confirmations, expires_at, paid_at, expired_at, cancelled_at,
      recorded_state, recorded_received_sats, credited_sats, credited_until, unpaid_cents, settled_sats, refund_state,
      returned_sats, fulfilment_status, units_returned_at, refund_made_sats, refund_sent_sats, line_refund_sats,
      recorded_loss,
      recorded_loss_at, closed_as_loss_of, open.state as "openState", open.made_at as "openSince",
      (select coalesce(sum(debit_sats), 0)::bigint from refunds
        where refunds.order_id = orders.id and refunds.state = 'confirmed') + ${DEDUCTED_SATS} as refunded,
      (select min(requested_at) from returns
        where returns.order_id = orders.id and closed_at is null and cause = 'withdrawal'
          and exists (select from order_lines where order_id = orders.id and (
            count_unrefunded(stopped_quantity, refunded_unshipped_quantity, refunded_before_stop) > 0
            or count_unrefunded(returning_quantity, refunded_shipped_quantity, refunded_before_return) > 0))
      ) as "withdrewAt",
      (select coalesce(jsonb_object_agg(last.kind, last.at), '{}') from (
        select kind, max(at) as at from order_events event
        where event.order_id = orders.id and kind = any(${datedEventKinds}::text[]) group by kind) last) as turns
    from orders
    join users on users.id = orders.user_id
    left join lateral (
      select state, made_at from refunds where order_id = orders.id and state in (${createLiteralList(openRefundStates)})
      order by id limit 1
    ) open on true
    where orders.id = any(${ids}::uuid[])
  `.execute(db);
  return rows.map(({ openState, openSince, refunded, turns, ...row }) => ({
    ...row,
    lastEvents: new Map(
      datedEventKinds.flatMap((kind) => (turns[kind] === undefined ? [] : [[kind, new Date(turns[kind])] as const])),
    ),
    openRefund: openState && openSince && { state: openState, madeAt: openSince },
    refundedSats: sats(refunded),
  }));
}
