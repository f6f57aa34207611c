/** Reads payments of all orders. Read only. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import { centsPerBtc, sats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc } from '#src/shop/money.ts';
import type { StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { ExportedOutput } from './output-line.ts';
import { parseRefunds } from './refund-cells.ts';
import type { RefundJson } from './refund-cells.ts';
import type { ExportedWriteOff } from './write-off-cells.ts';
import { sentRefundStates } from '#src/shop/orders/state-groups.ts';

/** From the first time, inclusive, to the second, exclusive. Null: unbounded. */
export interface Period {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Other calls run between batches. */
const BATCH_SIZE = 100;

/** A write-off as JSON of the database. */
export interface WriteOffJson {
  readonly kind: ExportedWriteOff['kind'];
  readonly amount_sats: string;
  readonly made_at: string;
  readonly reopened_at: string | null;
}

export const parseWriteOffs = (written: readonly WriteOffJson[]): ExportedWriteOff[] =>
  written.map(({ kind, amount_sats: amount, made_at: at, reopened_at: reopenedAt }) => ({
    kind,
    amountSats: sats(BigInt(amount)),
    at: new Date(at),
    reopenedAt: reopenedAt === null ? null : new Date(reopenedAt),
  }));

/** Write-offs of an order as JSON. */
export const selectWriteOffs = (orderId: RawBuilder<string>): RawBuilder<readonly WriteOffJson[]> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('kind', write_off.kind, 'amount_sats', write_off.amount_sats::text,
    'made_at', write_off.made_at, 'reopened_at', write_off.reopened_at) order by write_off.made_at, write_off.id), '[]')
  from write_offs write_off where write_off.order_id = ${orderId})`;

/** Sent refunds of an order as JSON. */
export const selectRefunds = (orderId: RawBuilder<string>): RawBuilder<readonly RefundJson[]> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('txid',
    case when back.credited_order_id is null then encode(back.txid, 'hex') else 'exchange credit' end, 'amount_sats', back.amount_sats::text,
    'debit_sats', back.debit_sats::text, 'full_sats', coalesce(back.full_sats, back.debit_sats)::text,
    'value_cents', coalesce(back.counted_cents, 0)::text, 'rate', back.rate_cents_per_btc::text)
    order by back.made_at, back.id), '[]')
  from refunds back
  where back.order_id = ${orderId} and back.state in (${createLiteralList(sentRefundStates)}))`;

interface ExportRow extends Omit<ExportedOutput, 'isLive' | 'quotes' | 'refunds' | 'writeOffs' | 'charged'> {
  /** First line of an order that was paid and not cancelled. */
  readonly isCharged: boolean;
  readonly totalCents: Cents;
  readonly country: string;
  readonly tax: StoredOrderTax | null;
  readonly rate: CentsPerBtc;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly until: Date;
  readonly earlier: readonly {
    readonly rate_cents_per_btc: string;
    readonly rate_evidence: Readonly<Record<string, unknown>>;
    readonly expires_at: string;
  }[];
  readonly written: readonly WriteOffJson[];
  readonly refunded: readonly RefundJson[];
}

function toExportedOutput(exported: ExportRow): ExportedOutput {
  const { rate, evidence, until, earlier, refunded, written, isCharged, totalCents, country, tax, ...row } = exported;
  const quotes = earlier.map((quote) => ({
    rate: centsPerBtc(BigInt(quote.rate_cents_per_btc)),
    evidence: quote.rate_evidence,
    until: new Date(quote.expires_at),
  }));
  const [first, ...others] = [...quotes, { rate, evidence, until }];
  return {
    ...row,
    isLive: true,
    quotes: [first, ...others],
    refunds: parseRefunds(refunded),
    writeOffs: parseWriteOffs(written),
    charged: isCharged ? { totalCents, country, tax } : null,
  };
}

/** The newest block of the ledger. Read it in the same transaction as the outputs. */
export async function readTip(tx: Db): Promise<{ readonly height: number } | null> {
  const { rows } = await sql<{ height: number }>`select height from chain_cursor`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Streams live outputs in batches, oldest first, with the quotes of their order and, on its first
 * line, its refunds. Consistent within a repeatable-read transaction.
 */
export async function* streamLiveOutputs(tx: Db, { from, to }: Period): AsyncGenerator<readonly ExportedOutput[]> {
  await sql`
    declare live_outputs no scroll cursor for
    select orders.number, orders.payment_status as status, output.first_seen as "firstSeen",
      case when output.credit_refund_id is null then encode(output.txid, 'hex') else 'exchange credit' end as txid,
      output.vout, output.amount_sats as "amountSats",
      case when output.credit_refund_id is null then output.height end as height,
      case when output.credit_refund_id is null then encode(output.block_hash, 'hex') end as "blockHash", orders.rate_cents_per_btc as rate,
      orders.rate_evidence as evidence, orders.expires_at as until, refund.address as "refundAddress",
      (select coalesce(jsonb_agg(event.details -> 'before' order by event.id), '[]') from order_events event
        where event.order_id = orders.id and event.kind = 'requoted') as earlier,
      case when output.is_first then ${selectRefunds(sql`orders.id`)} else '[]' end as refunded,
      case when output.is_first then ${selectWriteOffs(sql`orders.id`)} else '[]' end as written,
      case when output.is_first and orders.payment_status = 'paid' and output.order_sats < orders.due_sats
        then orders.due_sats - output.order_sats end as "shortSats",
      paid_to.address, orders.settled_sats is not null as "isAcceptedByStaff",
      case when output.is_first and orders.payment_status <> 'cancelled'
        then orders.total_after_cents - paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats)
        else 0 end as "waivedCents",
      output.is_first and orders.paid_at is not null and orders.payment_status <> 'cancelled' as "isCharged",
      orders.total_after_cents as "totalCents", coalesce(orders.billing ->> 'country', '') as country,
      case when output.is_first then orders.tax end as tax
    from (
      select *, row_number() over (partition by order_id order by first_seen, txid, vout) = 1 as is_first,
        (sum(amount_sats) over (partition by order_id))::bigint as order_sats
      from payment_outputs where is_live
    ) output
    join orders on orders.id = output.order_id
    join order_addresses paid_to on paid_to.order_id = orders.id
    left join refund_addresses refund on refund.order_id = orders.id
    where output.first_seen >= coalesce(${from}::timestamptz, '-infinity')
      and output.first_seen < coalesce(${to}::timestamptz, 'infinity')
    order by output.first_seen, output.txid, output.vout
  `.execute(tx);
  for (;;) {
    const { rows } = await sql<ExportRow>`fetch ${sql.lit(BATCH_SIZE)} from live_outputs`.execute(tx);
    if (rows.length === 0) break;
    yield rows.map(toExportedOutput);
  }
  await sql`close live_outputs`.execute(tx);
}
