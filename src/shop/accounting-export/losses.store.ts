/** Reads orders with a loss. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import { centsPerBtc, sats } from '#src/shop/money.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import type { ExportedLoss } from './loss-line.ts';
import { parseRefunds } from './refund-cells.ts';
import type { RefundJson } from './refund-cells.ts';
import { parseWriteOffs, selectRefunds, selectWriteOffs } from './store.ts';
import type { Period, WriteOffJson } from './store.ts';
import { refundLosses } from '#src/shop/orders/state-groups.ts';

interface LossRow extends OrderInLoss {
  readonly number: bigint;
  readonly at: Date;
  readonly rate: CentsPerBtc;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly refundAddress: string | null;
  readonly outputs: readonly {
    readonly amount_sats: string;
    readonly is_coinbase: boolean;
    readonly is_live: boolean;
    readonly height: number | null;
    readonly conflict_height: number | null;
    readonly first_seen: string;
  }[];
  readonly written: readonly WriteOffJson[];
  readonly refunded: readonly RefundJson[];
}

function toExportedLoss({
  number,
  at,
  rate,
  evidence,
  refundAddress,
  outputs,
  refunded,
  written,
  ...order
}: LossRow): ExportedLoss {
  return {
    number,
    order,
    at,
    quote: { rate: centsPerBtc(rate), evidence },
    refundAddress,
    outputs: outputs.map((output, index) => ({
      txid: '',
      vout: index,
      amountSats: sats(BigInt(output.amount_sats)),
      isCoinbase: output.is_coinbase,
      isLive: output.is_live,
      height: output.height,
      firstSeen: new Date(output.first_seen),
      leftBecause: null,
      leftAt: null,
      conflictHeight: output.conflict_height,
    })),
    writeOffs: parseWriteOffs(written),
    refunds: parseRefunds(refunded),
  };
}

/**
 * Orders that were closed as a loss or refunded beyond their confirmed payments, by that time, with
 * their refunds and write-offs unless a line of a live output contains them. Consistent within a
 * repeatable-read transaction.
 */
export async function listLosses(tx: Db, { from, to }: Period): Promise<readonly ExportedLoss[]> {
  const { rows } = await sql<LossRow>`
    select number, at, payment_status, due_sats, tolerance_sats, settled_sats, required_confirmations, refund_state, refund_made_sats,
      refund_sent_sats, line_refund_sats, closed_as_loss_of, paid_at, fulfilment_status, returned_sats, rate_cents_per_btc as rate,
      rate_evidence as evidence, address.address as "refundAddress",
      (select coalesce(jsonb_agg(jsonb_build_object('amount_sats', amount_sats::text, 'is_coinbase', is_coinbase,
          'is_live', is_live, 'height', height, 'conflict_height', conflict_height, 'first_seen', first_seen)), '[]')
        from payment_outputs where order_id = lost.id) as outputs,
      case when exists (select from payment_outputs where order_id = lost.id and is_live) then '[]'
        else ${selectWriteOffs(sql`lost.id`)} end as written,
      case when exists (select from payment_outputs where order_id = lost.id and is_live) then '[]'
        else ${selectRefunds(sql`lost.id`)} end as refunded
    from (
      select *, coalesce(closed_as_loss_at, recorded_loss_at) as at from orders
      where (recorded_loss is not null or closed_as_loss_at is not null)
        and (closed_as_loss_at is not null or recorded_loss in (${createLiteralList(refundLosses)}))
    ) lost
    left join refund_addresses address on address.order_id = lost.id
    where at >= coalesce(${from}::timestamptz, '-infinity') and at < coalesce(${to}::timestamptz, 'infinity')
    order by at, number
  `.execute(tx);
  return rows.map(toExportedLoss);
}
