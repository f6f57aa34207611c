/** An order joined with its ledger. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import type { OrderLedger } from '../stored-order.ts';
import type { OrderRow } from '../store.ts';

interface LedgerColumns {
  readonly address: string;
  readonly tip: number | null;
  readonly dayFeePerKvb: bigint | null;
}

interface OrderWithLedger {
  readonly order: OrderRow;
  readonly ledger: OrderLedger;
}

/** A user's order and its ledger, read in one statement and so in one snapshot. */
export async function findWithLedger(db: Db, userId: string, id: string): Promise<OrderWithLedger | null> {
  const { rows } = await sql<OrderRow & LedgerColumns & (LedgerOutput | { txid: null })>`
    select orders.*, issued.address, (select height from chain_cursor) as tip, encode(txid, 'hex') as txid, vout,
      amount_sats as "amountSats", is_coinbase as "isCoinbase", is_live as "isLive", height, first_seen as "firstSeen",
      arrived_after as "arrivedAfter", confirmed_at as "confirmedAt", fee_per_kvb as "feePerKvb",
      (select day_per_kvb from recent_day_fee) as "dayFeePerKvb",
      left_because as "leftBecause", left_at as "leftAt", conflict_height as "conflictHeight",
      credit_refund_id is not null as "isCredit"
    from orders join order_addresses issued on issued.order_id = orders.id
    left join payment_outputs output on output.order_id = orders.id
    where orders.id = ${id} and orders.user_id = ${userId}
  `.execute(db);
  const [order] = rows;
  if (!order) return null;
  const { address, dayFeePerKvb } = order;
  const tip = order.tip === null ? null : { height: order.tip };
  return { order, ledger: { address, tip, dayFeePerKvb, outputs: rows.filter((row) => row.txid !== null) } };
}
