/** Reads the list of orders for staff. Read only. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { FulfilmentStatus, PaymentStatus } from '#src/shop/orders/kinds.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { createSearchQuery } from './search-query.ts';

export interface OrderFilter {
  readonly queue?: 'to-ship' | undefined;
  readonly status?: PaymentStatus | undefined;
  readonly state?: PaymentState | undefined;
  readonly fulfilment?: FulfilmentStatus | undefined;
  /** When the order was placed: from the first moment, inclusive, to the last, exclusive. */
  readonly from: Date | null;
  readonly to: Date | null;
  readonly country?: string | undefined;
  /** Dollars. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly promotion?: string | undefined;
  readonly q?: string | undefined;
}

export interface ListedRow {
  readonly id: string;
  readonly number: bigint;
  readonly username: string;
  readonly created_at: Date;
  readonly payment_status: PaymentStatus;
  readonly state: PaymentState;
  readonly fulfilment_status: FulfilmentStatus;
  readonly total_usd: Cents;
  readonly due_btc: Sats;
  readonly received_btc: Sats;
  readonly recipient: string;
  readonly country: string;
  readonly can_ship: boolean;
}

/** Orders whose units can be shipped now. The index `orders_queue` has this condition. */
export const CAN_SHIP = sql<boolean>`(orders.payment_status = 'paid'
  and orders.fulfilment_status in ('unfulfilled', 'partly_shipped') and orders.refund_state is null)`;

/** Shortest part of a name or mail address that is searched: shorter ones match most buyers. */
const MIN_PART = 3;

/** Each kind of match uses its index. */
function createMatch(q: string, numbers: readonly string[]): RawBuilder<boolean> {
  if (/^[0-9a-f]{64}$/i.test(q)) {
    const txid = Buffer.from(q, 'hex');
    return sql`orders.id in (
      select order_id from payment_outputs where txid = ${txid}
      union select order_id from refunds where txid = ${txid} or planned_txid = ${txid})`;
  }
  const part = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const words = createSearchQuery(q);
  return sql`orders.id in (
    select id from orders where number = any(${numbers}::bigint[])
    union select order_id from order_addresses where address in (${q}, lower(${q}))
    union select order_id from refund_addresses where address in (${q}, lower(${q}))
    union select order_id from refunds join refund_scripts script on script.id = refunds.refund_script_id
      where script.address in (${q}, lower(${q}))
    ${
      q.length < MIN_PART
        ? sql``
        : sql`union select found.id from orders found join users on users.id = found.user_id
      where username ilike ${part} or email ilike ${part}`
    }
    ${words === null ? sql`` : sql`union select id from orders where search @@ to_tsquery('simple', ${words})`})`;
}

function createConditions(filter: OrderFilter, numbers: readonly string[]): RawBuilder<boolean>[] {
  const { country, from, fulfilment, max, min, promotion = '', q = '', queue, state, status, to } = filter;
  const conditions: RawBuilder<boolean>[] = [sql`true`];
  if (queue !== undefined) conditions.push(CAN_SHIP);
  if (status !== undefined) conditions.push(sql`orders.payment_status = ${status}`);
  if (state !== undefined) conditions.push(sql`coalesce(orders.recorded_state, 'awaiting') = ${state}`);
  if (fulfilment !== undefined) conditions.push(sql`orders.fulfilment_status = ${fulfilment}`);
  if (from !== null) conditions.push(sql`orders.created_at >= ${from}`);
  if (to !== null) conditions.push(sql`orders.created_at < ${to}`);
  if (country !== undefined) conditions.push(sql`orders.billing ->> 'country' = ${country}`);
  if (min !== undefined) conditions.push(sql`orders.total_after_cents >= ${toCents(min)}`);
  if (max !== undefined) conditions.push(sql`orders.total_after_cents <= ${toCents(max)}`);
  if (promotion.trim() !== '')
    conditions.push(sql`orders.promo is not null and upper(orders.promo ->> 'code') = upper(${promotion.trim()})`);
  if (q.trim() !== '') conditions.push(createMatch(q.trim(), numbers));
  return conditions;
}

const toCents = (dollars: number): bigint => BigInt(Math.round(dollars * 100));

/** Newest first, the queue longest paid first, with the total number. */
export async function listOrders(
  db: Db,
  { numbers, ...filter }: OrderFilter & { readonly numbers: readonly string[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: ListedRow[]; readonly total: number }> {
  const all = sql.join(createConditions(filter, numbers), sql` and `);
  const order =
    filter.queue === undefined ? sql`orders.created_at desc, orders.id desc` : sql`orders.paid_at, orders.id`;
  // A search is done once for the page and its total; without one, counting has faster indexes.
  const pageTotal = (filter.q ?? '').trim() === '' ? sql`null::int` : sql`count(*) over ()::int`;
  // The page is chosen before its orders are read.
  const { rows } = await sql<ListedRow & { readonly total: number | null }>`
    with page as materialized (
      select orders.id, ${pageTotal} as total from orders
      where ${all} order by ${order} limit ${limit} offset ${offset}
    )
    select orders.id, orders.number, users.username, orders.created_at, orders.payment_status,
      coalesce(orders.recorded_state, 'awaiting') as state, orders.fulfilment_status,
      orders.total_after_cents as total_usd, coalesce(orders.settled_sats, orders.due_sats) as due_btc,
      orders.recorded_received_sats as received_btc,
      concat_ws(' ', orders.billing ->> 'firstName', orders.billing ->> 'lastName') as recipient,
      orders.billing ->> 'country' as country, ${CAN_SHIP} as can_ship, page.total
    from page join orders on orders.id = page.id join users on users.id = orders.user_id
    order by ${order}
  `.execute(db);
  const total = rows[0]?.total ?? (await countOrders(db, all));
  return { rows, total };
}

async function countOrders(db: Db, conditions: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from orders where ${conditions}
  `.execute(db);
  return rows[0]?.total ?? 0;
}
