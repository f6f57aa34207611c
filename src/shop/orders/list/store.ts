/** Lists orders for staff. Read only. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createWordQuery } from '#src/platform/database/word-query.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { FulfilmentStatus, PaymentStatus } from '../kinds.ts';
import type { OrderSort } from './order-sort.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { foldText } from '#src/shop/fold-text.ts';
import { UNITS_TO_SHIP } from '../status/stopped-units.store.ts';

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
  readonly waived_usd: Cents;
  readonly refunded_usd: Cents;
  readonly refunded_btc: Sats;
  readonly recipient: string;
  readonly country: string;
  readonly can_ship: boolean;
}

/** Orders whose units can be shipped now. The index `orders_queue` has the conditions on the order itself. */
const CAN_SHIP = sql<boolean>`(orders.payment_status = 'paid'
  and orders.fulfilment_status in ('unfulfilled', 'partly_shipped') and orders.refund_state is null
  and exists (select from order_lines where order_id = orders.id and ${UNITS_TO_SHIP} > 0))`;

/** Shortest part of a name or mail address that is searched: shorter ones match most buyers. */
const MIN_PART = 3;
/** Up to this many buyers, their orders are found by index; otherwise the newest orders are read until enough match. */
const MAX_BUYERS = 5_000;

/** Shortest beginning of a serial number that is searched: shorter ones match too many. */
const MIN_SERIAL = 5;
const SERIAL = /^[0-9a-z][0-9a-z./_:+-]{0,39}$/i;
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** What a search looks for. */
export interface OrderSearch {
  readonly q: string;
  /** The folded text. */
  readonly key: string;
  /** Order numbers that the text may mean. */
  readonly numbers: readonly string[];
}

async function matchBuyers(db: Db, key: string): Promise<RawBuilder<boolean>> {
  // Addresses of the team are not to be guessed by a search.
  const found = sql`strpos(folded_username, ${key}) > 0 or (role = 'customer' and strpos(folded_email, ${key}) > 0)`;
  const { rows } = await sql<{ id: string }>`select id from users where ${found} limit ${MAX_BUYERS + 1}`.execute(db);
  return rows.length > MAX_BUYERS
    ? sql`exists (select from users where users.id = orders.user_id and (${found}))`
    : sql`orders.user_id = any(${rows.map(({ id }) => id)}::uuid[])`;
}

/** Conditions of which an order meets one. Each uses its own index. */
async function listMatches(db: Db, { key, numbers, q }: OrderSearch): Promise<RawBuilder<boolean>[]> {
  if (/^[0-9a-f]{64}$/i.test(q)) {
    const txid = Buffer.from(q, 'hex');
    return [
      sql`orders.id in (
        select order_id from payment_outputs where txid = ${txid}
        union select order_id from refunds where txid = ${txid} or planned_txid = ${txid})`,
    ];
  }
  const words = createWordQuery(foldText(q));
  return [
    sql`orders.number = any(${numbers}::bigint[])`,
    sql`orders.id in (
      select order_id from order_addresses where address in (${q}, lower(${q}))
      union select order_id from refund_addresses where address in (${q}, lower(${q}))
      union select order_id from refunds join refund_scripts script on script.id = refunds.refund_script_id
        where script.address in (${q}, lower(${q})))`,
    // By the number of a unit, or by its first characters.
    ...(q.length < MIN_SERIAL || !SERIAL.test(q)
      ? []
      : [
          sql<boolean>`orders.id in (select order_id from serial_numbers where number like ${`${escapeLike(q.toUpperCase())}%`})`,
        ]),
    ...(q.length < MIN_PART ? [] : [await matchBuyers(db, key)]),
    ...(words === null ? [] : [sql<boolean>`orders.search_words @@ to_tsquery('simple', ${words})`]),
  ];
}

/** Conditions on `orders`. */
export function createConditions(filter: Omit<OrderFilter, 'q'>): RawBuilder<boolean>[] {
  const { country, from, fulfilment, max, min, promotion = '', queue, state, status, to } = filter;
  const conditions: RawBuilder<boolean>[] = [];
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
  return conditions;
}

const toCents = (dollars: number): bigint => BigInt(Math.round(dollars * 100));

interface Place {
  /** Null: newest first, the queue longest paid first. */
  readonly sort: OrderSort | null;
  readonly limit: number;
  readonly offset: number;
}

interface Sorting {
  /** What the orders are sorted by. */
  readonly key: RawBuilder<unknown>;
  readonly isAscending: boolean;
}

/** Each key has an index. */
const SORTINGS: Readonly<Record<OrderSort | 'longest-paid', Sorting>> = {
  newest: { key: sql`orders.created_at`, isAscending: false },
  oldest: { key: sql`orders.created_at`, isAscending: true },
  highest: { key: sql`orders.total_after_cents`, isAscending: false },
  lowest: { key: sql`orders.total_after_cents`, isAscending: true },
  'longest-paid': { key: sql`orders.paid_at`, isAscending: true },
};

/**
 * Orders that match, in the order of the place. Without a filter all are counted; otherwise
 * at most `MAX_COUNTED`, and further ones are not listed.
 */
export async function listOrders(
  db: Db,
  filter: Omit<OrderFilter, 'q'>,
  search: OrderSearch | null,
  place: Place,
): Promise<{ readonly rows: ListedRow[]; readonly total: number; readonly hasMore: boolean }> {
  const conditions = createConditions(filter);
  const sorting = SORTINGS[place.sort ?? (filter.queue === undefined ? 'newest' : 'longest-paid')];
  if (search === null && conditions.length === 0) {
    const page = sql`page as materialized (${selectFirst([], sorting, place)})`;
    const [rows, total] = await Promise.all([
      listPage(db, page, sorting),
      count(db, sql`select count(*)::int as total from orders`),
    ]);
    return { rows, total, hasMore: false };
  }
  const matches = search === null ? [sql<boolean>`true`] : await listMatches(db, search);
  const firstOfEach = matches.map(
    (match) => sql`(${selectFirst([match, ...conditions], sorting, { limit: MAX_COUNTED + 1, offset: 0 })})`,
  );
  const found = sql`
    found as materialized (select id, key from (${sql.join(firstOfEach, sql` union `)}) matching)`;
  const page = sql`${found},
    page as materialized (
      select id, key from (select id, key from found order by ${orderOf(sorting)} limit ${MAX_COUNTED}) listed
      order by ${orderOf(sorting)} limit ${place.limit} offset ${place.offset})`;
  const rows = await listPage(db, page, sorting, sql`(select count(*)::int from found)`);
  const matching = rows[0]?.matching ?? (await count(db, sql`with ${found} select count(*)::int as total from found`));
  return { rows, total: Math.min(matching, MAX_COUNTED), hasMore: matching > MAX_COUNTED };
}

/** The newest orders. */
export const listNewest = (db: Db, limit: number): Promise<readonly ListedRow[]> =>
  listPage(db, sql`page as materialized (${selectFirst([], SORTINGS.newest, { limit, offset: 0 })})`, SORTINGS.newest);

const orderOf = ({ isAscending }: Sorting) => (isAscending ? sql`key, id` : sql`key desc, id desc`);

/** Ids of the first orders that meet the conditions, with what they are sorted by. */
function selectFirst(
  conditions: readonly RawBuilder<boolean>[],
  sorting: Sorting,
  { limit, offset }: Omit<Place, 'sort'>,
) {
  return sql`
    select orders.id, ${sorting.key} as key from orders
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
    order by ${orderOf(sorting)} limit ${limit} offset ${offset}`;
}

/** @param page a common table expression that chooses the orders before they are read */
async function listPage(
  db: Db,
  page: RawBuilder<unknown>,
  { isAscending }: Sorting,
  matching = sql`null::int`,
): Promise<(ListedRow & { readonly matching: number | null })[]> {
  const { rows } = await sql<ListedRow & { readonly matching: number | null }>`
    with ${page}
    select orders.id, orders.number, users.username, orders.created_at, orders.payment_status,
      coalesce(orders.recorded_state, 'awaiting') as state, orders.fulfilment_status,
      orders.total_after_cents as total_usd, coalesce(orders.settled_sats, orders.due_sats) as due_btc,
      orders.recorded_received_sats as received_btc,
      case orders.payment_status
        when 'cancelled' then 0
        else orders.total_after_cents - paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats)
      end as waived_usd,
      orders.refunded_cents as refunded_usd, orders.refunded_sats as refunded_btc,
      concat_ws(' ', orders.billing ->> 'firstName', orders.billing ->> 'lastName') as recipient,
      orders.billing ->> 'country' as country, ${CAN_SHIP} as can_ship, ${matching} as matching
    from page join orders on orders.id = page.id join users on users.id = orders.user_id
    order by page.key ${isAscending ? sql`` : sql`desc`}, orders.id ${isAscending ? sql`` : sql`desc`}
  `.execute(db);
  return rows;
}

async function count(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`${query}`.execute(db);
  return rows[0]?.total ?? 0;
}

export interface CustomerOrder {
  readonly id: string;
  readonly number: bigint;
  readonly created_at: Date;
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly total_usd: Cents;
  readonly waived_usd: Cents;
  readonly refunded_usd: Cents;
}

/** Orders of a customer, newest first. */
export async function listOrdersOf(db: Db, userId: string, limit: number): Promise<CustomerOrder[]> {
  const { rows } = await sql<CustomerOrder>`
    select id, number, created_at, payment_status, fulfilment_status, total_after_cents as total_usd,
      case payment_status
        when 'cancelled' then 0 else total_after_cents - paid_cents(total_after_cents, settled_sats, due_sats)
      end as waived_usd,
      refunded_cents as refunded_usd
    from orders where user_id = ${userId} order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Orders whose units can be shipped now. @param limit higher numbers are not counted */
export async function countToShip(db: Db, limit: number | null): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (select from orders where ${CAN_SHIP} limit ${limit}::bigint) waiting
  `.execute(db);
  return rows[0]?.total ?? 0;
}
