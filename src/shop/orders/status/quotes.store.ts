/** Queries that write the quote of an order again. */
import { sql } from 'kysely';
import type { JSONColumnType } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { snapshotLine } from '../quote-order.ts';
import type { requoteOrder } from './requote-order.ts';
import type { OrderForStatus, OrderedLine } from './store.ts';

type Json = Readonly<Record<string, unknown>>;

interface Tables {
  orders: Omit<OrderForStatus, 'rate_evidence' | 'promo'> & {
    readonly user_paid_at: Date | null;
    readonly rate_evidence: JSONColumnType<Json>;
    readonly promo: JSONColumnType<Json, string | null, string | null> | null;
    readonly tax: JSONColumnType<Json>;
    readonly discount_percent: string;
  };
}

/** What the prices of now change of an order besides its amounts. */
interface PresentColumns {
  readonly discount_percent: string;
  /** JSON. */
  readonly promo: string | null;
  readonly tax: string;
  readonly required_confirmations: number;
}

type PresentLine = ReturnType<typeof snapshotLine>;

const tables = (db: Db) => db.$extendTables<Pick<Tables, keyof Tables>>();

/**
 * Reopens an order with a new quote.
 * @throws a unique violation of `orders_one_open_a_user` if the buyer has another open order.
 */
export async function writeQuote(
  db: Db,
  id: string,
  { order, lines }: ReturnType<typeof requoteOrder>,
  rateEvidence: string,
): Promise<void> {
  const opened = {
    payment_status: 'pending',
    is_open: true,
    expired_at: null,
    user_paid_at: null,
    full_expires_at: null,
  } as const;
  await tables(db)
    .updateTable('orders')
    .set({ ...order, ...opened, rate_evidence: rateEvidence })
    .where('id', '=', id)
    .execute();
  await priceLines(db, id, lines);
}

/** Writes a quote without reopening the order: its payments cover it. */
export async function writePrice(
  db: Db,
  id: string,
  { order, lines }: ReturnType<typeof requoteOrder>,
  rateEvidence: string,
): Promise<void> {
  const orders = tables(db).updateTable('orders').where('id', '=', id);
  await orders.set({ ...order, full_expires_at: null, rate_evidence: rateEvidence }).execute();
  await priceLines(db, id, lines);
}

/** Writes what the prices of now change besides the amounts. Locks the order's lines. */
export async function writePresentPrices(
  db: Db,
  id: string,
  { columns, lines }: { readonly columns: PresentColumns; readonly lines: readonly PresentLine[] },
  former: readonly OrderedLine[],
): Promise<void> {
  await tables(db).updateTable('orders').set(columns).where('id', '=', id).execute();
  const isSame =
    lines.length === former.length &&
    lines.every((line, position) => isSameItem(line, former[position]) && former[position]?.position === position);
  const rows = JSON.stringify(
    lines.map((line, position) => ({
      ...line,
      position,
      price_cents: String(line.price_cents),
      price_sats: String(line.price_sats),
    })),
  );
  await (isSame ? updateLines : replaceLines)(db, id, rows);
  await writePresentCosts(db, id);
}

/** Replaces the costs of the lines by those of now. */
async function writePresentCosts(db: Db, id: string): Promise<void> {
  await sql`delete from order_line_costs where order_id = ${id}`.execute(db);
  await sql`
    insert into order_line_costs (order_id, position, cost_cents)
    select order_id, position, cost_cents from order_lines join variant_costs using (variant_id)
    where order_id = ${id}
  `.execute(db);
}

type Item = Pick<PresentLine, 'is_free' | 'product_id' | 'quantity'> & {
  readonly property_values: readonly { readonly id: string }[];
};

const createItemKey = ({ is_free: isFree, product_id: productId, property_values: values, quantity }: Item): string =>
  [productId, quantity, isFree, ...values.map(({ id }) => id)].join();

const isSameItem = (line: Item, former: Item | undefined): boolean =>
  former !== undefined && createItemKey(line) === createItemKey(former);

const selectLines = (rows: string) => sql`
  json_to_recordset(${rows}::json) as line (position integer, product_id uuid, name text, slug text, main_image text,
    property_values jsonb, variant_id uuid, sku text, quantity integer, price_cents bigint, price_sats bigint,
    is_free boolean)`;

async function updateLines(db: Db, id: string, rows: string): Promise<void> {
  await sql`
    update order_lines present set name = line.name, slug = line.slug, main_image = line.main_image,
      property_values = line.property_values, variant_id = line.variant_id, sku = line.sku,
      price_cents = line.price_cents, price_sats = line.price_sats
    from ${selectLines(rows)} where present.order_id = ${id} and present.position = line.position
  `.execute(db);
}

/** Only for an order of which nothing was shipped or refunded. */
async function replaceLines(db: Db, id: string, rows: string): Promise<void> {
  await sql`delete from order_lines where order_id = ${id}`.execute(db);
  await sql`
    insert into order_lines (order_id, position, product_id, name, slug, main_image, property_values, variant_id, sku,
      quantity, price_cents, price_sats, is_free)
    select ${id}::uuid, position, product_id, name, slug, main_image, property_values, variant_id, sku, quantity,
      price_cents, price_sats, is_free
    from ${selectLines(rows)}
  `.execute(db);
}

async function priceLines(db: Db, id: string, lines: ReturnType<typeof requoteOrder>['lines']): Promise<void> {
  await sql`
    update order_lines line set price_sats = quoted.price_sats
    from unnest(${lines.map(({ position }) => position)}::integer[], ${lines.map((line) => String(line.price_sats))}::bigint[])
      as quoted (position, price_sats)
    where line.order_id = ${id} and line.position = quoted.position
  `.execute(db);
}
