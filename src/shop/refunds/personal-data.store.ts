import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import type { Sats } from '#src/shop/money.ts';
import { openRefundStates } from '#src/shop/orders/state-groups.ts';

export interface RefundSummaryRow {
  readonly orderId: string;
  /** Confirmed refunds and unclaimed amounts that were written off. */
  readonly refundedSats: Sats;
  /** A refund is made or sent, and not confirmed. */
  readonly hasOpenRefund: boolean;
}

export async function summariseOrders(tx: Db, orderIds: readonly string[]): Promise<readonly RefundSummaryRow[]> {
  const { rows } = await sql<RefundSummaryRow>`
    select orders.id as "orderId",
      (select coalesce(sum(debit_sats), 0)::bigint from refunds
        where refunds.order_id = orders.id and refunds.state = 'confirmed')
        + (select coalesce(sum(amount_sats), 0)::bigint from write_offs
          where write_offs.order_id = orders.id and kind = 'unclaimed' and reopened_at is null) as "refundedSats",
      exists (select from refunds
        where refunds.order_id = orders.id and refunds.state in (${createLiteralList(openRefundStates)})) as "hasOpenRefund"
    from unnest(${orderIds}::uuid[]) as orders (id)
  `.execute(tx);
  return rows;
}
