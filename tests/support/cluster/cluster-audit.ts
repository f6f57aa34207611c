/** Compares what the shop has acknowledged to buyers with the database of the cluster. */
import { sql } from 'kysely';
import { findInvoiceDifferences } from '../invoice-stress.ts';
import { BUYER_PREFIX } from './cluster-buyers.ts';
import type { ClusterBuyers } from './cluster-buyers.ts';
import type { ClusterShop } from './cluster-shop.ts';

/** Acknowledged before this was called, and not in the database. */
export async function findLost({ db }: ClusterShop, buyers: ClusterBuyers): Promise<string[]> {
  const [orders, messages] = [[...buyers.orders], [...buyers.messages]];
  const paid = orders.filter(({ paidAtMs }) => paidAtMs !== null);
  const { rows: found } = await sql<{ id: string; isPaid: boolean }>`
    select id, payment_status = 'paid' as "isPaid" from orders where id = any(${orders.map(({ id }) => id)})
  `.execute(db);
  const { rows: written } = await sql<{ id: string; message: string }>`
    select id, message from ticket_messages where id = any(${messages.map(({ id }) => id)})
  `.execute(db);
  const byId = new Map(found.map((row) => [row.id, row]));
  const texts = new Map(written.map((row) => [row.id, row.message]));
  return [
    ...orders.filter(({ id }) => !byId.has(id)).map(({ id }) => `the acknowledged order ${id} is missing`),
    ...paid.filter(({ id }) => byId.get(id)?.isPaid === false).map(({ id }) => `the paid order ${id} is not paid`),
    ...messages.filter(({ id, text }) => texts.get(id) !== text).map(({ text }) => `the message ${text} is missing`),
  ];
}

/** All differences after the buyers have stopped: lost, duplicated, or not in the books. */
export async function findDifferences(shop: ClusterShop, buyers: ClusterBuyers): Promise<string[]> {
  return [
    ...(await findLost(shop, buyers)),
    ...(await findUnrequested(shop, buyers)),
    ...(await findPaymentDifferences(shop, buyers)),
    ...(await findInvoiceDifferences(shop.db)),
    ...(await findStockDifferences(shop)),
  ];
}

/** Orders and messages of the buyers that no response contained, such as a second one of the same request. */
async function findUnrequested({ db }: ClusterShop, buyers: ClusterBuyers): Promise<string[]> {
  const ids = new Set([...buyers.orders, ...buyers.messages].map(({ id }) => id));
  const { rows } = await sql<{ id: string; what: string }>`
    select orders.id, 'order' as what from orders join users on users.id = user_id
      where username like ${`${BUYER_PREFIX}%`}
    union all
    select message.id, 'message' from ticket_messages message join users on users.id = sender_id
      where username like ${`${BUYER_PREFIX}%`} and message.message ~ '^\\d+-\\d+$'
  `.execute(db);
  return rows.filter(({ id }) => !ids.has(id)).map(({ id, what }) => `nobody received the ${what} ${id}`);
}

/** Each order has its payment once, and one event that it was paid. */
async function findPaymentDifferences({ db }: ClusterShop, buyers: ClusterBuyers): Promise<string[]> {
  interface Row {
    readonly id: string;
    readonly outputs: number;
    readonly sats: bigint;
    readonly txid: string;
    readonly events: number;
  }
  const { rows } = await sql<Row>`
    select orders.id, count(*)::int as outputs, sum(amount_sats)::bigint as sats, min(encode(txid, 'hex')) as txid,
      (select count(*)::int from order_events where order_id = orders.id and kind = 'paid') as events
    from orders join payment_outputs on order_id = orders.id and is_live
    where orders.id = any(${buyers.orders.map(({ id }) => id)}) group by orders.id
  `.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return buyers.orders.flatMap(({ id, sats, txid }) => {
    const row = byId.get(id);
    const isRight =
      row?.outputs === 1 && row.sats === BigInt(sats) && row.events === 1 && isTransaction(row.txid, txid ?? '');
    const found = row === undefined ? 'none' : `${row.outputs} of ${row.sats} sats, ${row.events} events`;
    return isRight ? [] : [`order ${id}: expected one payment of ${sats} sats, found ${found}`];
  });
}

/** Whether bytes are those of a transaction id, in either order. */
const isTransaction = (hex: string, txid: string): boolean =>
  hex === txid || (hex.match(/../g) ?? []).toReversed().join('') === txid;

/** Units that left the stock are those that were sold, and nothing is reserved any more. */
async function findStockDifferences({ db }: ClusterShop): Promise<string[]> {
  interface Row {
    readonly id: string;
    readonly gone: number;
    readonly sold: number;
  }
  const { rows } = await sql<Row>`
    select stock.variant_id as id, ${STOCK}::int - available as gone,
      (select coalesce(sum(quantity), 0)::int from order_lines line join orders on orders.id = line.order_id
        join users on users.id = orders.user_id
        where line.variant_id = stock.variant_id and username like ${`${BUYER_PREFIX}%`}) as sold
    from variant_stock stock
    where stock.variant_id in (select line.variant_id from order_lines line join orders on orders.id = line.order_id
      join users on users.id = orders.user_id where username like ${`${BUYER_PREFIX}%`})
  `.execute(db);
  return rows
    .filter(({ gone, sold }) => gone !== sold)
    .map(({ id, gone, sold }) => `variant ${id}: ${gone} units left the stock, ${sold} were sold`);
}

/** Stock of each variant at the start. */
export const STOCK = 1_000_000;
