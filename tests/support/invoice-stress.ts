/**
 * Stress test of invoice numbers: two processes issue the invoices of orders that are paid in parallel,
 * and each of them is killed in the middle.
 */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { textAt } from './read-json.ts';
import { startSecondProcess } from './second-process.ts';
import type { SpawnedShop } from './spawned-shop.ts';
import { createStockBuyer, runWithShopDatabase, setStock } from './stock-stress.ts';
import { BILLING } from './stress-buyer.ts';
import { waitUntil } from './wait-until.ts';

export interface InvoiceStressReport {
  readonly orders: number;
  readonly kills: number;
  /** Numbers of invoices when a process was killed. */
  readonly killedAt: readonly number[];
  readonly findings: readonly string[];
}

async function countInvoices(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from invoices`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function hasNoInvoiceRequests(db: Db): Promise<boolean> {
  const { rows } = await sql`select from invoice_requests`.execute(db);
  return rows.length === 0;
}

/** Each paid order has one invoice, numbers have no gap, and the counter is the last number. */
export async function findInvoiceDifferences(db: Db): Promise<string[]> {
  const { rows: orders } = await sql<{ number: bigint; count: number }>`
    select orders.number, count(invoices.id)::int as count
    from orders left join invoices on invoices.order_id = orders.id and invoices.kind = 'invoice'
    where paid_at is not null group by orders.number having count(invoices.id) <> 1
  `.execute(db);
  const { rows: series } = await sql<{ kind: string; year: number; last: bigint; count: bigint; highest: bigint }>`
    select numbers.kind, numbers.year, last_number as last, count(invoices.id) as count,
      coalesce(max(number), 0)::bigint as highest
    from invoice_numbers numbers left join invoices using (kind, year)
    group by numbers.kind, numbers.year, last_number
  `.execute(db);
  return [
    ...orders.map(({ number, count }) => `order ${number} has ${count} invoices`),
    ...series
      .filter(({ last, count, highest }) => last !== count || last !== highest)
      .map(({ kind, year, last, count, highest }) => `${kind} ${year}: ${count} of ${highest}, the counter is ${last}`),
  ];
}

async function placeOrders(shop: SpawnedShop, count: number): Promise<string[]> {
  const productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  await setStock(shop, productId, count);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const token = await createStockBuyer(shop, `invoiced-${index}`, productId);
    const { body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
    ids.push(textAt(body, 'order', 'id'));
  }
  return ids;
}

/** The shop must not mine by itself. @param orders number of orders that are paid at the same time */
export async function stressInvoices(
  shop: SpawnedShop,
  orders: number,
  progress: (line: string) => void,
): Promise<InvoiceStressReport> {
  const ids = await placeOrders(shop, orders);
  progress(`${orders} orders are placed`);
  const second = await startSecondProcess(shop);
  const killedAt: number[] = [];
  const whenIssued = async (least: number): Promise<void> => {
    await waitUntil(() => runWithShopDatabase(shop, async (db) => (await countInvoices(db)) >= least));
  };
  const recordKill = async (name: string): Promise<void> => {
    const count = await runWithShopDatabase(shop, countInvoices);
    killedAt.push(count);
    progress(`the ${name} process is killed after ${count} invoices`);
  };
  const responses = await Promise.all(ids.map((order_id) => shop.api('POST', '/dev/pay', { body: { order_id } })));
  const failed = responses.filter(({ status }) => status !== 200);
  if (failed.length > 0) throw new Error(`${failed.length} payments failed: ${JSON.stringify(failed[0]?.body)}`);
  const mined = shop.api('POST', '/dev/mine', { body: { blocks: 2 } }).catch(() => null);
  await whenIssued(1);
  await second.kill9();
  await recordKill('second');
  await shop.kill9();
  await recordKill('first');
  await mined;
  const third = await startSecondProcess(shop);
  try {
    await shop.restart();
    await whenIssued(orders);
    await waitUntil(() => runWithShopDatabase(shop, hasNoInvoiceRequests));
    const findings = await runWithShopDatabase(shop, findInvoiceDifferences);
    return { orders, kills: killedAt.length, killedAt, findings };
  } finally {
    await third.stop();
  }
}
