/** Refund addresses, refund payments in the ledger, and coins to pay refunds with. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { FoundOutput } from './ledger-store.ts';
import { COINBASE_MATURITY } from './payment-state.ts';

/**
 * Watches a script and returns its id; idempotent. Takes the weakest row lock, so that chain sync
 * never waits for it.
 */
export async function watchScript(tx: Db, address: string, script: Uint8Array): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into refund_scripts (id, script, address) values (${uuidv7()}, ${Buffer.from(script)}, ${address})
    on conflict (script) do update set issued_in = refund_scripts.issued_in
    returning id
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the script was not inserted');
  return row.id;
}

/** Recipients that are refund addresses, with the refund amounts sent there. */
async function listRefundsTo(
  tx: Db,
  recipientIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<bigint>>> {
  const { rows } = await sql<{ id: string; amounts: bigint[] }>`
    select id, array(select amount_sats from refunds where refund_script_id = script.id) as amounts
    from refund_scripts script where id = any(${recipientIds}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, amounts }) => [id, new Set(amounts)]));
}

/** An output with the columns that identify its recipient. */
export type WithRecipient<Output> = Output & {
  readonly order_id: string | null;
  readonly refund_script_id: string | null;
};

/**
 * Selects the found outputs to record. A buyer's address may have other income: only amounts of
 * refunds are recorded.
 */
export async function selectRelevantOutputs<Output extends FoundOutput>(
  tx: Db,
  outputs: readonly Output[],
): Promise<WithRecipient<Output>[]> {
  const refunds = await listRefundsTo(tx, [...new Set(outputs.map(({ recipientId }) => recipientId))]);
  return outputs.flatMap((output) => {
    const { recipientId, amountSats } = output;
    const amounts = refunds.get(recipientId);
    if (amounts === undefined) return { ...output, order_id: recipientId, refund_script_id: null };
    return amounts.has(amountSats) ? { ...output, order_id: null, refund_script_id: recipientId } : [];
  });
}

export interface LedgerRefundOutput {
  readonly scriptId: string;
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: Sats;
  readonly isLive: boolean;
  readonly height: number | null;
  readonly firstSeen: Date;
  /** The raw transaction; empty if it is not stored. */
  readonly rawTx: Uint8Array;
}

/** Outputs in the ledger that paid these scripts, oldest first. */
export async function readRefundOutputs(tx: Db, scriptIds: readonly string[]): Promise<LedgerRefundOutput[]> {
  const { rows } = await sql<Omit<LedgerRefundOutput, 'amountSats'> & { amountSats: bigint }>`
    select refund_script_id as "scriptId", encode(txid, 'hex') as txid, vout, amount_sats as "amountSats",
      is_live as "isLive", height, first_seen as "firstSeen", (
        select raw_tx from payment_outputs holder where holder.txid = output.txid order by octet_length(raw_tx) desc limit 1
      ) as "rawTx"
    from payment_outputs output where refund_script_id = any(${scriptIds}::uuid[])
    order by first_seen, txid, vout
  `.execute(tx);
  return rows.map((row) => ({ ...row, amountSats: sats(row.amountSats) }));
}

export interface LedgerCoin {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: bigint;
  readonly rawTx: Uint8Array;
  /** Derivation index of its address in the account. */
  readonly index: number;
}

/**
 * Confirmed mature coins of the account: first the order's own, largest first, then the newest of
 * other orders, which are least likely to be spent, largest first.
 * @param most of each.
 */
export async function readCoins(db: Db, account: string, orderId: string, most: number): Promise<LedgerCoin[]> {
  const { rows } = await sql<LedgerCoin>`
    with coins as not materialized (
      select output.txid, output.vout, output.amount_sats as "amountSats", output.height,
        issued.derivation_index as index, output.order_id = ${orderId} as is_own
      from payment_outputs output join order_addresses issued using (order_id)
      where issued.account = ${account} and output.is_live and output.height is not null
        and output.credit_refund_id is null
        and (not output.is_coinbase or output.height <= (select height from chain_cursor) + 1 - ${COINBASE_MATURITY}::integer)
    )
    select encode(newest.txid, 'hex') as txid, newest.vout, newest."amountSats", holder.raw_tx as "rawTx", index from (
      (select * from coins where is_own order by "amountSats" desc, txid, vout limit ${most})
      union all
      (select * from coins where not is_own order by height desc, "amountSats" desc, txid, vout limit ${most})
    ) newest
    cross join lateral (
      select raw_tx from payment_outputs where txid = newest.txid order by octet_length(raw_tx) desc limit 1
    ) holder
    order by is_own desc, "amountSats" desc, newest.txid, newest.vout
  `.execute(db);
  return rows;
}
