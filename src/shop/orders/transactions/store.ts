/** Reads the orders and refunds of a transaction. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import type { OrderPaid } from './payment-verdict.ts';

export interface PaymentRow extends LedgerOutput, OrderPaid {
  readonly order_id: string;
  readonly number: bigint;
  readonly username: string;
  readonly tip: number | null;
}

/** Outputs of the transaction that pay orders. */
export async function listPayments(db: Db, txid: string): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow & { readonly amountSats: bigint }>`
    select output.order_id, orders.number, users.username, (select height from chain_cursor) as tip,
      encode(output.txid, 'hex') as txid, output.vout, output.amount_sats as "amountSats",
      output.is_coinbase as "isCoinbase", output.is_live as "isLive", output.height, output.first_seen as "firstSeen",
      output.left_because as "leftBecause", output.left_at as "leftAt",
      orders.payment_status, orders.refund_state, orders.required_confirmations, orders.expires_at, orders.paid_at
    from payment_outputs output
    join orders on orders.id = output.order_id
    join users on users.id = orders.user_id
    where output.txid = ${Buffer.from(txid, 'hex')}
    order by output.vout limit 100
  `.execute(db);
  return rows.map((row) => ({ ...row, amountSats: sats(row.amountSats) }));
}

export interface RefundRow {
  readonly order_id: string;
  readonly number: bigint;
  readonly amount_btc: bigint;
  readonly state: 'made' | 'sent' | 'confirmed' | 'withdrawn';
}

/** Refunds that the transaction pays, or was planned to pay. */
export async function listRefunds(db: Db, txid: string): Promise<RefundRow[]> {
  const bytes = Buffer.from(txid, 'hex');
  const { rows } = await sql<RefundRow>`
    select refund.order_id, orders.number, refund.amount_sats as amount_btc, refund.state
    from refunds refund join orders on orders.id = refund.order_id
    where refund.txid = ${bytes} or refund.planned_txid = ${bytes}
    order by refund.id limit 100
  `.execute(db);
  return rows;
}

/** Orders by the script of their address, in hex. */
export async function findOrdersByScript(
  db: Db,
  scripts: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly number: bigint }>> {
  const { rows } = await sql<{ script: string; id: string; number: bigint }>`
    select encode(issued.script, 'hex') as script, orders.id, orders.number
    from order_addresses issued join orders on orders.id = issued.order_id
    where issued.script = any(${scripts.map((script) => Buffer.from(script, 'hex'))}::bytea[])
  `.execute(db);
  return new Map(rows.map(({ script, ...order }) => [script, order]));
}
