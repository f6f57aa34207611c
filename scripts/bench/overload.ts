/**
 * `npm run bench -- overload`: sends four times the capacity of the shop, each request from another
 * visitor, and prints the latency of accepted checkouts, compared with a bare node:http server at the
 * same rate. `-- --off` runs the shop with RATE_LIMITS=off, for comparison.
 */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../tests/support/shop-process.ts';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';
import { runWithShopDatabase } from '../../tests/support/stock-stress.ts';
import { BILLING } from '../../tests/support/stress-buyer.ts';
import { placeOrders, prepareBuyers } from './support/place-orders.ts';
import { measureCapacity, sendAtRate } from './support/send-load.ts';
import type { Sent } from './support/send-load.ts';

const HELLO = `require('node:http').createServer((_, reply) => reply.end('hello')).listen(process.env.PORT, '127.0.0.1')`;
const TIMES = 4;
const SECONDS = 6;
const CAPACITY_SECONDS = 4;
const CONNECTIONS = 500;
const GOAL_MS = 1_000;
/** In the mix, one request in this many is a checkout; the others are searches. */
const MIX = 10;

const { values } = parseArgs({ options: { off: { type: 'boolean', default: false } } });
const body = JSON.stringify(BILLING);
let visitors = 0;
/** A different client address for each request. */
const createAddressHeader = (): string => {
  visitors += 1;
  return `x-forwarded-for: 10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
};
const formatSearchRequest = (): string =>
  `GET /search-results?query=nothing-${visitors} HTTP/1.1\r\nhost: x\r\n${createAddressHeader()}\r\naccept-encoding: br\r\n\r\n`;
const formatCheckoutRequest = (takeToken: string): string =>
  `POST /api/cart/checkout HTTP/1.1\r\nhost: x\r\n${createAddressHeader()}\r\nauthorization: Bearer ${takeToken}\r\n` +
  `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const getPercentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

function print(what: string, sent: readonly Sent[]): number {
  const accepted = sent.filter(({ status }) => status === 200 || status === 201);
  const shed = sent.filter(({ status }) => status === 503);
  const other = sent.length - accepted.length - shed.length;
  const times = accepted.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const refusals = shed.map(({ ms }) => ms).toSorted((a, b) => a - b);
  console.log(
    `${what.padEnd(34)} ${String(sent.length).padStart(5)} sent, ${String(accepted.length).padStart(5)} accepted ` +
      `(${(accepted.length / SECONDS).toFixed(0)}/s), p50 ${getPercentile(times, 0.5).toFixed(0)}, p99 ${getPercentile(times, 0.99).toFixed(0)} ms; ` +
      `${shed.length} shed, p99 ${getPercentile(refusals, 0.99).toFixed(0)} ms; ${other} other`,
  );
  return getPercentile(times, 0.99);
}

async function startHello(): Promise<{ readonly port: number; readonly stop: () => void }> {
  const port = await findFreePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, ['-e', HELLO], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (let tries = 0; tries < 400; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return { port, stop: () => void child.kill('SIGTERM') };
    await sleep(50);
  }
  throw new Error('the hello server does not respond');
}

const RATE_LIMITS = values.off ? 'off' : 'on';
const shop = await startSpawnedShop({ settings: { LOG_LEVEL: 'error', RATE_LIMITS, TRUST_PROXY: '1' } });
const hello = await startHello();
try {
  await runWithShopDatabase(shop, async (db) => {
    const port = Number(new URL(shop.url).port);
    let tokens: string[] = [];
    const takeToken = (): string => tokens.pop() ?? '';
    const load = { port, connections: CONNECTIONS };
    const formatMixedRequest = (index: number): string =>
      index % MIX === 0 ? formatCheckoutRequest(takeToken()) : formatSearchRequest();
    const measureHello = async (rate: number): Promise<void> => {
      const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
      print(
        `hello at ${rate.toFixed(0)}/s`,
        await sendAtRate({ ...load, port: hello.port, createRequest: () => request }, rate, 2),
      );
    };
    // Warm-up.
    await placeOrders(port, await prepareBuyers(db, 256), 16);
    await measureCapacity({ port, connections: 16, createRequest: formatSearchRequest }, 3);

    tokens = await prepareBuyers(db, 3_000);
    const mix = await measureCapacity({ port, connections: 16, createRequest: formatMixedRequest }, CAPACITY_SECONDS);
    const checkouts = await measureCapacity(
      { port, connections: 16, createRequest: () => formatCheckoutRequest(takeToken()) },
      CAPACITY_SECONDS,
    );
    console.log(
      `RATE_LIMITS=${RATE_LIMITS}; capacity: ${mix.toFixed(0)}/s for searches with one checkout in ${MIX}, ` +
        `${checkouts.toFixed(0)}/s for checkouts alone`,
    );
    await measureHello(mix * TIMES);
    tokens = await prepareBuyers(db, Math.ceil((mix * TIMES * SECONDS) / MIX) + 10);
    const sentMix = await sendAtRate({ ...load, createRequest: formatMixedRequest }, mix * TIMES, SECONDS);
    const first = print(
      `${TIMES} times the mix: checkouts`,
      sentMix.filter(({ index }) => index % MIX === 0),
    );
    print(
      `${TIMES} times the mix: searches`,
      sentMix.filter(({ index }) => index % MIX !== 0),
    );
    tokens = await prepareBuyers(db, Math.ceil(checkouts * TIMES * SECONDS) + 10);
    const sent = await sendAtRate(
      { ...load, createRequest: () => formatCheckoutRequest(takeToken()) },
      checkouts * TIMES,
      SECONDS,
    );
    const second = print(`${TIMES} times the checkouts`, sent);
    await measureHello(checkouts * TIMES);
    const isGoalMet = first < GOAL_MS && second < GOAL_MS;
    console.log(`goal: p99 of accepted checkouts below ${GOAL_MS} ms: ${isGoalMet ? 'met' : 'MISSED'}`);
    process.exitCode = isGoalMet ? 0 : 1;
  });
} finally {
  hello.stop();
  await shop.stop();
}
