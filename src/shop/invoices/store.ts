/** Issued invoices and credit notes, and their numbers. */
import { foldText } from '#src/shop/fold-text.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { PaymentStatus, RefundCovers, RefundState } from '#src/shop/orders/kinds.ts';
import type { BillingDetails } from '#src/shop/orders/stored-order.ts';
import type { StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { InvoiceContent, InvoiceTransaction } from './invoice-content.ts';
import { formatCanonicalJson } from './invoice-content.ts';
import type { InvoiceKind } from './invoice-number.ts';

// ---- issuing

export interface OrderRow {
  readonly number: bigint;
  readonly paymentStatus: PaymentStatus;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
  readonly billing: BillingDetails;
  readonly totalCents: Cents;
  readonly isUnshipped: boolean;
  /** Null: staff closed no loss. */
  readonly closedAsLossOf: 'payment' | 'refund' | null;
  /** Amount that staff accepted as full payment; null if they did not. */
  readonly settledSats: Sats | null;
  readonly tax: StoredOrderTax | null;
  readonly dueSats: Sats;
  readonly rate: CentsPerBtc;
  readonly rateAt: string | null;
  readonly lines: readonly {
    readonly position: number;
    readonly name: string;
    readonly sku: string | null;
    readonly options: readonly string[];
    readonly quantity: number;
    readonly price_cents: string;
    readonly is_free: boolean;
    /** Numbers of its units that are shipped. */
    readonly serials: readonly string[];
  }[];
  readonly received: readonly InvoiceTransaction[];
  readonly refunds: readonly (InvoiceTransaction & {
    readonly id: string;
    readonly covers: RefundCovers;
    readonly state: RefundState;
    /** Dollars that it returns, and those of them that count; null: of no sale, or none. */
    readonly value_cents: string | null;
    readonly counted_cents: string | null;
    /** Rate of a refund by value, and when it was found. */
    readonly rate_cents: string | null;
    readonly rate_at: string | null;
    /** Its units count as refunded. */
    readonly holds_units: boolean;
    /** Of a refund of an amount: net and tax by line. */
    readonly parts: readonly {
      readonly position: number | null;
      readonly net_cents: string;
      readonly tax_cents: string;
    }[];
    /** Refunded units of lines; the shipping has no position. */
    readonly units: readonly {
      readonly position: number | null;
      readonly quantity: number;
      readonly net_cents: string;
      readonly tax_cents: string;
    }[];
  })[];
}

/** An order with what its documents print. */
export async function findOrder(tx: Db, id: string): Promise<OrderRow | null> {
  const { rows } = await sql<OrderRow>`
    select number, payment_status as "paymentStatus", created_at as "createdAt", paid_at as "paidAt", billing,
      total_after_cents as "totalCents", fulfilment_status = 'unfulfilled' as "isUnshipped",
      closed_as_loss_of as "closedAsLossOf", settled_sats as "settledSats", tax, due_sats as "dueSats", rate_cents_per_btc as rate,
      rate_evidence ->> 'at' as "rateAt",
      (select coalesce(jsonb_agg(jsonb_build_object('position', position, 'name', name, 'sku', sku,
          'options', (select coalesce(jsonb_agg(one ->> 'value'), '[]') from jsonb_array_elements(property_values) one),
          'quantity', quantity, 'price_cents', price_cents::text, 'is_free', is_free,
          'serials', (select coalesce(jsonb_agg(serial.number order by serial.number), '[]') from serial_numbers serial
            where serial.order_id = orders.id and serial.position = line.position and returned_at is null)
          ) order by position), '[]')
        from order_lines line where order_id = orders.id) as lines,
      (select coalesce(jsonb_agg(jsonb_build_object('txid',
          case when credit_refund_id is null then encode(txid, 'hex') else 'exchange credit' end, 'sats', amount_sats::text)
          order by first_seen, txid, vout), '[]')
        from payment_outputs where order_id = orders.id and is_live) as received,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'covers', covers, 'state', state,
          'txid', case when credited_order_id is null then coalesce(encode(txid, 'hex'), '') else 'exchange credit' end, 'sats', amount_sats::text, 'holds_units', holds_units,
          'value_cents', value_cents::text, 'counted_cents', counted_cents::text,
          'rate_cents', rate_cents_per_btc::text, 'rate_at', rate_at,
          'parts', (
            select coalesce(jsonb_agg(jsonb_build_object('position', position, 'net_cents', net_cents::text,
              'tax_cents', tax_cents::text) order by position nulls last), '[]')
            from refund_parts where refund_id = refunds.id
          ),
          'units', (
            select coalesce(jsonb_agg(jsonb_build_object('position', position, 'quantity', quantity,
              'net_cents', net::text, 'tax_cents', tax::text) order by position nulls last), '[]')
            from (
              select position, sum(quantity) as quantity, sum(net_cents) as net, sum(tax_cents) as tax
              from refund_lines where refund_id = refunds.id group by position
              union all
              select null, 1, shipping_net_cents, shipping_tax_cents where shipping_net_cents is not null
            ) refunded
          )) order by made_at, id), '[]')
        from refunds where order_id = orders.id) as refunds
    from orders where id = ${id}
  `.execute(tx);
  return rows[0] ?? null;
}

/** Locks both series of a year until the transaction ends, so that documents are issued one after the other. */
export async function lockNumbers(tx: Db, year: number): Promise<void> {
  const lock = sql`select from invoice_numbers where year = ${year} order by kind for update`;
  if ((await lock.execute(tx)).rows.length === 2) return;
  await sql`
    insert into invoice_numbers (kind, year) values ('credit_note', ${year}), ('invoice', ${year})
    on conflict do nothing
  `.execute(tx);
  await lock.execute(tx);
}

/** The next number of a series. A rollback gives it back. */
export async function takeNumber(tx: Db, kind: InvoiceKind, year: number): Promise<bigint> {
  const { rows } = await sql<{ number: bigint }>`
    update invoice_numbers set last_number = last_number + 1 where kind = ${kind} and year = ${year}
    returning last_number as number
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error(`there is no series of ${kind} in ${year}`);
  return row.number;
}

export interface NewInvoice {
  readonly id: string;
  readonly year: number;
  readonly number: bigint;
  readonly orderId: string;
  readonly refundId: string | null;
  readonly correctsId: string | null;
  readonly issuedAt: Date;
  readonly content: InvoiceContent;
}

const hashContent = (content: InvoiceContent): Buffer =>
  createHash('sha256').update(formatCanonicalJson(content)).digest();

export async function insertInvoice(tx: Db, invoice: NewInvoice): Promise<void> {
  const { content } = invoice;
  await sql`
    insert into invoices (id, kind, year, number, full_number, order_id, order_number, refund_id, corrects_id,
      issued_at, buyer_name, net_cents, tax_cents, gross_cents, content, content_sha256)
    values (${invoice.id}, ${content.kind}, ${invoice.year}, ${invoice.number}, ${content.number}, ${invoice.orderId},
      ${content.orderNumber}, ${invoice.refundId}, ${invoice.correctsId}, ${invoice.issuedAt}, ${content.buyer.name},
      ${BigInt(content.netCents)}, ${BigInt(content.taxCents)}, ${BigInt(content.grossCents)},
      ${JSON.stringify(content)}, ${hashContent(content)})
  `.execute(tx);
}

// ---- reading

export interface InvoiceRow {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly fullNumber: string;
  readonly orderId: string;
  readonly orderNumber: string;
  readonly refundId: string | null;
  readonly correctsId: string | null;
  readonly issuedAt: Date;
  readonly buyerName: string;
  readonly netCents: Cents;
  readonly taxCents: Cents;
  readonly grossCents: Cents;
  /** Buyer and content were erased after the retention period. */
  readonly isErased: boolean;
}

interface StoredInvoiceRow extends InvoiceRow {
  readonly content: InvoiceContent;
}

const COLUMNS = sql`
  invoices.id, invoices.kind, full_number as "fullNumber", order_id as "orderId", order_number as "orderNumber",
  refund_id as "refundId", corrects_id as "correctsId", issued_at as "issuedAt", buyer_name as "buyerName",
  net_cents as "netCents", tax_cents as "taxCents", gross_cents as "grossCents", erased_at is not null as "isErased"
`;

/** The documents of an order, oldest first. */
export async function listOrderInvoices(db: Db, orderId: string): Promise<StoredInvoiceRow[]> {
  const { rows } = await sql<StoredInvoiceRow>`
    select ${COLUMNS}, content from invoices where order_id = ${orderId} order by issued_at, id
  `.execute(db);
  return rows;
}

/** @param userId only if it is an order of this user; null: of any */
export async function hasOrder(db: Db, orderId: string, userId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from orders where id = ${orderId} and (${userId}::uuid is null or user_id = ${userId}::uuid)
  `.execute(db);
  return rows.length > 0;
}

/** The documents of a user's orders, oldest first, without erased ones. */
export async function listUserInvoices(db: Db, userId: string): Promise<StoredInvoiceRow[]> {
  const { rows } = await sql<StoredInvoiceRow>`
    select ${COLUMNS}, content from invoices
    where order_id in (select id from orders where user_id = ${userId}) and erased_at is null
    order by issued_at, invoices.id
  `.execute(db);
  return rows;
}

/**
 * The content of a document; null if it was erased.
 * @param userId only if it is of an order of this user; null: of any
 * @throws if the stored content is not the issued one.
 */
export async function findContent(db: Db, id: string, userId: string | null): Promise<InvoiceContent | null> {
  const { rows } = await sql<{ content: InvoiceContent; hash: Buffer }>`
    select content, content_sha256 as hash from invoices
    where id = ${id} and erased_at is null and (${userId}::uuid is null
      or exists (select from orders where orders.id = order_id and user_id = ${userId}::uuid))
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  if (!hashContent(row.content).equals(row.hash)) throw new Error(`the content of invoice ${id} was changed`);
  return row.content;
}

export interface InvoiceFilter {
  readonly kind?: InvoiceKind | undefined;
  readonly year?: number | undefined;
  /** Part of a number, an order number or a buyer's name. */
  readonly q: string;
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

function listConditions({ kind, q, year }: InvoiceFilter): RawBuilder<unknown>[] {
  const part = `%${escapeLike(foldText(q))}%`;
  return [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(year === undefined ? [] : [sql`year = ${year}`]),
    ...(q === '' ? [] : [sql`folded_text like ${part}`]),
  ];
}

/** Documents that match, newest first. Of a search or filter at most `MAX_COUNTED` are counted and listed. */
export async function listInvoices(
  db: Db,
  filter: InvoiceFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly InvoiceRow[]; readonly total: number; readonly hasMore: boolean }> {
  const conditions = listConditions(filter);
  const max = conditions.length > 0 ? MAX_COUNTED : Number.MAX_SAFE_INTEGER;
  const selected = sql`
    select id, issued_at from invoices where ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by issued_at desc, id desc`;
  const [found, counted] = await Promise.all([
    sql<InvoiceRow>`
      select ${COLUMNS} from invoices where id in (
        select id from (${selected} limit ${max}) listed order by issued_at desc, id desc limit ${limit} offset ${offset})
      order by issued_at desc, id desc
    `.execute(db),
    sql<{ matching: number }>`
      select count(*)::int as matching from (${selected} limit ${max + 1}) matching
    `.execute(db),
  ]);
  const matching = counted.rows[0]?.matching ?? 0;
  return { rows: found.rows, total: Math.min(matching, max), hasMore: matching > max };
}

/** Years with documents, the latest first. */
export async function listYears(db: Db): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select distinct year from invoice_numbers where last_number > 0 order by year desc
  `.execute(db);
  return rows.map(({ year }) => year);
}

/** From the first time, inclusive, to the second, exclusive. Null: unbounded. */
export interface Period {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Documents read at a time: what is read survives collections of young garbage, so it is little. */
const BATCH_SIZE = 25;

/** What the export of sales needs of a document: a fourth of it. */
export type SoldContent = Omit<InvoiceContent, 'seller' | 'lines'>;

/**
 * Contents of the documents of a period, oldest first, in batches. Each batch is a query of its own:
 * documents never change, and a slow reader holds no transaction.
 */
export async function* streamContents(db: Db, { from, to }: Period): AsyncGenerator<readonly SoldContent[]> {
  let after: { readonly at: Date | string; readonly id: string } = {
    at: '-infinity',
    id: '00000000-0000-0000-0000-000000000000',
  };
  for (;;) {
    const { rows } = await sql<{ id: string; at: string; content: SoldContent }>`
      select id, issued_at::text as at, content - 'seller' - 'lines' as content from invoices
      where (issued_at, id) > (${after.at}::timestamptz, ${after.id}::uuid) and erased_at is null
        and issued_at >= coalesce(${from}::timestamptz, '-infinity')
        and issued_at < coalesce(${to}::timestamptz, 'infinity')
      order by issued_at, id limit ${sql.lit(BATCH_SIZE)}
    `.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ content }) => content);
    if (rows.length < BATCH_SIZE) return;
    after = last;
  }
}
