/**
 * `npm run bench -- orders [--orders N --rounds N]`: orders placed per second through the HTTP API, at several
 * concurrencies, as a ratio of what a bare node:http server that says hello gives to as many callers, just before and just
 * after; and that none is lost. Every concurrency has to meet the goal, each by the median of its rounds. The shop is as it
 * is in production: its limits are on, the disk is waited for.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { freePort } from '../../tests/support/shop-process.ts';
import { startTestShop } from '../../tests/support/shop.ts';
import { withShopDatabase } from '../../tests/support/stock-stress.ts';
import { measureLoad } from '../measure-load.ts';
import { placeOrders, prepareBuyers } from '../place-orders.ts';
import type { Placed } from '../place-orders.ts';

const HELLO = `require('node:http').createServer((_, reply) => reply.end('hello')).listen(process.env.PORT, '127.0.0.1')`;
const CONCURRENCIES = [1, 8, 16, 64, 256];
const GOAL_PERCENT = 0.5;
const HELLO_SECONDS = 1;

interface Hello {
  readonly child: ChildProcess;
  readonly port: number;
  readonly pid: number;
}

async function startHello(): Promise<Hello> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, ['-e', HELLO], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer && child.pid !== undefined) return { child, port, pid: child.pid };
    await sleep(50);
  }
  throw new Error('nobody says hello');
}

/** Of the orders that were answered, those that are in the database with their line, address and quote. */
async function countKept(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    select count(*)::integer as kept from orders
    join order_addresses issued on issued.order_id = orders.id
    where orders.id = any(${ids}::uuid[]) and due_sats > 0
      and exists (select from order_lines line where line.order_id = orders.id)
      and exists (select from order_events event where event.order_id = orders.id and kind = 'created')
  `.execute(db);
  return rows[0]?.kept ?? 0;
}

/** A second, of so many callers. */
const hellosOf = async (hello: Hello, connections: number): Promise<number> =>
  (await measureLoad({ ...hello, pathOf: () => '/', connections }, HELLO_SECONDS)).perSecond;

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

const { values } = parseArgs({
  options: { orders: { type: 'string', default: '768' }, rounds: { type: 'string', default: '3' } },
});
const [orders, rounds] = [Number(values.orders), Number(values.rounds)];
if (![orders, rounds].every((count) => Number.isInteger(count) && count > 0)) {
  console.error('--orders and --rounds take a whole number above 0.');
  process.exit(1);
}

const shop = await startTestShop({ settings: { LOG_LEVEL: 'error', RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
const hello = await startHello();
try {
  const port = Number(new URL(shop.url).port);
  await withShopDatabase(shop, async (db) => {
    const place = async (connections: number, count: number) =>
      placeOrders(port, await prepareBuyers(db, count), connections);
    // What runs first is slow for another reason.
    await place(16, 512);
    const ratios: number[] = [];
    let lost = 0;
    for (const connections of CONCURRENCIES) {
      const seen: { readonly percent: number; readonly hellos: number; readonly placed: Placed }[] = [];
      let missing = 0;
      for (let roundBtc = 0; roundBtc < rounds; roundBtc += 1) {
        const before = await hellosOf(hello, connections);
        const placed = await place(connections, connections === 1 ? Math.ceil(orders / 4) : orders);
        const hellos = (before + (await hellosOf(hello, connections))) / 2;
        missing += placed.ids.length - (await countKept(db, placed.ids));
        seen.push({ percent: (placed.perSecond / hellos) * 100, hellos, placed });
      }
      lost += missing;
      const percent = median(seen.map((one) => one.percent));
      ratios.push(percent);
      const placed = seen.map((one) => one.placed);
      console.log(
        `${String(connections).padStart(3)} at once: ${median(placed.map((one) => one.perSecond))
          .toFixed(0)
          .padStart(5)} orders/s, ` +
          `${percent.toFixed(2)} % of hello (${seen.map((one) => one.percent.toFixed(2)).join(', ')}; ` +
          `${median(seen.map((one) => one.hellos)).toFixed(0)}/s); an order in ${median(placed.map((one) => one.medianMs)).toFixed(0)} ms, ` +
          `the slowest in ${Math.max(...placed.map((one) => one.slowestMs)).toFixed(0)} ms; ${missing} lost`,
      );
    }
    const { rows } = await sql<{
      n: number;
    }>`select count(distinct address)::integer as n from order_addresses`.execute(db);
    const isWell = lost === 0 && ratios.every((percent) => percent >= GOAL_PERCENT);
    console.log(
      `${rows[0]?.n} addresses, no two alike; goal: ${GOAL_PERCENT} % of hello, none lost: ${isWell ? 'met' : 'MISSED'}`,
    );
    process.exitCode = isWell ? 0 : 1;
  });
} finally {
  hello.child.kill('SIGTERM');
  await shop.stop();
}
