/**
 * `npm run bench:orders [-- --orders N]`: orders placed per second through the HTTP API, at several concurrencies, as a
 * ratio of the requests per second of a bare node:http server that says hello in the same run; and that none is lost.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { freePort } from '../tests/support/shop-process.ts';
import { startTestShop } from '../tests/support/shop.ts';
import { besideShop } from '../tests/support/stock-storm.ts';
import { measureLoad } from './measure-load.ts';
import { placeOrders, prepareBuyers } from './place-orders.ts';

const HELLO = `require('node:http').createServer((_, reply) => reply.end('hello')).listen(process.env.PORT, '127.0.0.1')`;
const CONCURRENCIES = [1, 16, 64, 256];
const GOAL_PERCENT = 0.5;
const HELLO_SECONDS = 2;

async function startHello(): Promise<{ readonly child: ChildProcess; readonly port: number; readonly pid: number }> {
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

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

const { values } = parseArgs({ options: { orders: { type: 'string', default: '1024' } } });
const orders = Number(values.orders);
if (!Number.isInteger(orders) || orders < 1) {
  console.error('--orders takes a whole number above 0.');
  process.exit(1);
}

const shop = await startTestShop({ settings: { LOG_LEVEL: 'error' } });
const hello = await startHello();
try {
  const port = Number(new URL(shop.url).port);
  await besideShop(shop, async (db) => {
    const place = async (connections: number, count: number) =>
      placeOrders(port, await prepareBuyers(db, count), connections);
    // What runs first is slow for another reason.
    await place(16, 256);
    const ratios: number[] = [];
    let lost = 0;
    for (const connections of CONCURRENCIES) {
      const before = await measureLoad({ ...hello, pathOf: () => '/' }, HELLO_SECONDS);
      const placed = await place(connections, connections === 1 ? Math.ceil(orders / 4) : orders);
      const after = await measureLoad({ ...hello, pathOf: () => '/' }, HELLO_SECONDS);
      const bare = (before.perSecond + after.perSecond) / 2;
      const missing = placed.ids.length - (await countKept(db, placed.ids));
      lost += missing;
      const percent = (placed.perSecond / bare) * 100;
      if (connections > 1) ratios.push(percent);
      console.log(
        `${String(connections).padStart(3)} at once: ${placed.perSecond.toFixed(0).padStart(5)} orders/s, ` +
          `${percent.toFixed(2)} % of hello (${bare.toFixed(0)}/s); an order in ${placed.medianMs.toFixed(0)} ms, ` +
          `the slowest in ${placed.slowestMs.toFixed(0)} ms; ${missing} of ${placed.ids.length} lost`,
      );
    }
    const { rows } = await sql<{
      n: number;
    }>`select count(distinct address)::integer as n from order_addresses`.execute(db);
    const isWell = lost === 0 && median(ratios) >= GOAL_PERCENT;
    console.log(
      `${rows[0]?.n} addresses, no two alike; goal: ${GOAL_PERCENT} % of hello, none lost: ${isWell ? 'met' : 'MISSED'}`,
    );
    process.exitCode = isWell ? 0 : 1;
  });
} finally {
  hello.child.kill('SIGTERM');
  await shop.stop();
}
