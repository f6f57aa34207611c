/**
 * `npm run bench -- orders [--orders N --rounds N]`: measures orders per second through the HTTP API
 * at several concurrencies, relative to a bare node:http server with as many clients, and checks that
 * no order is lost. The median of each concurrency must meet the goal. The shop runs as in production,
 * with rate limits and fsync.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';
import { runWithShopDatabase } from '../../tests/support/stock-stress.ts';
import { measureLoad } from './support/measure-load.ts';
import { placeOrders, prepareBuyers } from './support/place-orders.ts';
import type { Placed } from './support/place-orders.ts';
import { startHello } from './support/start-hello.ts';
import type { Hello } from './support/start-hello.ts';

const CONCURRENCIES = [1, 8, 16, 64, 256];
const GOAL_PERCENT = 0.5;
const HELLO_SECONDS = 1;

/** Counts the acknowledged orders that are in the database with their line, address and quote. */
async function countStored(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ stored: number }>`
    select count(*)::integer as stored from orders
    join order_addresses issued on issued.order_id = orders.id
    where orders.id = any(${ids}::uuid[]) and due_sats > 0
      and exists (select from order_lines line where line.order_id = orders.id)
      and exists (select from order_events event where event.order_id = orders.id and kind = 'created')
  `.execute(db);
  return rows[0]?.stored ?? 0;
}

/** Requests per second of the hello server with this many clients. */
const measureHello = async (hello: Hello, connections: number): Promise<number> =>
  (await measureLoad({ ...hello, getPath: () => '/', connections }, HELLO_SECONDS)).perSecond;

const computeMedian = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

const { values } = parseArgs({
  options: { orders: { type: 'string', default: '768' }, rounds: { type: 'string', default: '3' } },
});
const [orders, rounds] = [Number(values.orders), Number(values.rounds)];
if (![orders, rounds].every((count) => Number.isInteger(count) && count > 0)) {
  console.error('--orders and --rounds must be whole numbers above 0.');
  process.exit(1);
}

const shop = await startSpawnedShop({ settings: { LOG_LEVEL: 'error', RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
const hello = await startHello();
try {
  const port = Number(new URL(shop.url).port);
  await runWithShopDatabase(shop, async (db) => {
    const place = async (connections: number, count: number) =>
      placeOrders(port, await prepareBuyers(db, count), connections);
    // Warm-up.
    await place(16, 512);
    const ratios: number[] = [];
    let lost = 0;
    for (const connections of CONCURRENCIES) {
      const results: { readonly percent: number; readonly hellos: number; readonly placed: Placed }[] = [];
      let missing = 0;
      for (let round = 0; round < rounds; round += 1) {
        const before = await measureHello(hello, connections);
        const placed = await place(connections, connections === 1 ? Math.ceil(orders / 4) : orders);
        const hellos = (before + (await measureHello(hello, connections))) / 2;
        missing += placed.ids.length - (await countStored(db, placed.ids));
        results.push({ percent: (placed.perSecond / hellos) * 100, hellos, placed });
      }
      lost += missing;
      const percent = computeMedian(results.map((result) => result.percent));
      ratios.push(percent);
      const placed = results.map((result) => result.placed);
      console.log(
        `${String(connections).padStart(3)} clients: ${computeMedian(placed.map(({ perSecond }) => perSecond))
          .toFixed(0)
          .padStart(5)} orders/s, ` +
          `${percent.toFixed(2)} % of hello (${results.map((result) => result.percent.toFixed(2)).join(', ')}; ` +
          `${computeMedian(results.map(({ hellos }) => hellos)).toFixed(0)}/s); ` +
          `median ${computeMedian(placed.map(({ medianMs }) => medianMs)).toFixed(0)} ms, ` +
          `slowest ${Math.max(...placed.map(({ slowestMs }) => slowestMs)).toFixed(0)} ms; ${missing} lost`,
      );
    }
    const { rows } = await sql<{
      n: number;
    }>`select count(distinct address)::integer as n from order_addresses`.execute(db);
    const isGoalMet = lost === 0 && ratios.every((percent) => percent >= GOAL_PERCENT);
    console.log(
      `${rows[0]?.n} distinct addresses; goal: ${GOAL_PERCENT} % of hello, none lost: ${isGoalMet ? 'met' : 'MISSED'}`,
    );
    process.exitCode = isGoalMet ? 0 : 1;
  });
} finally {
  hello.child.kill('SIGTERM');
  await shop.stop();
}
