/**
 * `npm run bench -- search [--products 100000]`: measures product searches and filter counts on a shop
 * with generated products, one distinct query after the other, compared with a bare node:http server.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { endOrphanedDatabase, findFreePort } from '../../tests/support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from '../../tests/support/template.ts';

const ROUNDS = 150;
const GIVE_UP_MS = 300_000;
const LIST_BUDGET_MS = 20;
const FILTERS_BUDGET_MS = 50;
const HELLO = `require('node:http').createServer((_, reply) => reply.end('hello')).listen(process.env.PORT, '127.0.0.1')`;

const { values } = parseArgs({ options: { products: { type: 'string', default: '100000' } } });
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const pickAt = <T>(list: readonly T[], round: number): T | undefined => list[round % list.length];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));
const words = ['pro', 'case', 'iphone', 'for mac', 'air', 'stand', 'ipad', 'usb-c', 'grade', 'book', 'watch', 'slim'];
const phrases = [
  'iphone 17 pro',
  'macbook air',
  'leather sleeve for ipad',
  'screen protector',
  'magsafe charger',
  'studio keyboard',
  'travel backpack',
  'airpods open box',
];
/** A phrase without one letter, a different letter in each round. */
const createMisspelledQuery = (round: number): string => {
  const phrase = pickAt(phrases, round) ?? '';
  const place = 1 + (Math.floor(round / phrases.length) % (phrase.length - 1));
  return `${phrase.slice(0, place)}${phrase.slice(place + 1)}`;
};
const createReversedQuery = (round: number): string =>
  `${1000 + ((round * 41) % 9000)} ${(pickAt(phrases, round) ?? '').split(' ').toReversed().join(' ')}`;
const hostile: Readonly<Record<string, (round: number) => string>> = {
  'one long word': (round) => `${pickAt(pairs, round)}`.repeat(100).slice(0, 200),
  'eight common words': (round) => `pro case air stand studio travel classic ${pickAt(pairs, round)}`,
  'a hundred words': (round) => `${pickAt(letters, round)} `.repeat(100),
  'glued words': (round) => `iphonecaseforairprotravelstudio${pickAt(pairs, round)}`,
};
const questions: Readonly<Record<string, (round: number) => string>> = {
  selective: (round) => `lot ${1000 + ((round * 37) % 9000)}`,
  // Prefixes of different length make each query distinct.
  broad: (round) => `${pickAt(words, round)}`.slice(0, 3 + (Math.floor(round / words.length) % 4)),
  'one or two letters': (round) => pickAt(round < letters.length ? letters : pairs, round * 11) ?? '',
};

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ms: number;
}

async function start(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Started> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const env = { ...process.env, ...environment, PORT: String(port) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  while (performance.now() - startedAt < GIVE_UP_MS && child.exitCode === null) {
    const response = await fetch(`${url}/`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return { child, url, ms: performance.now() - startedAt };
    await sleep(5);
  }
  child.kill('SIGKILL');
  throw new Error('the server does not respond');
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve));
}

async function seed(environment: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now();
  const args = ['scripts/run.mjs', 'db', 'seed', '--products', values.products];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitForExit(child);
  if (child.exitCode !== 0) throw new Error('the products could not be generated');
  return performance.now() - startedAt;
}

/** Resident memory in MB. Null without /proc. */
function readResidentMb({ pid }: ChildProcess): number | null {
  if (process.platform !== 'linux') return null;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

async function measure(what: string, addresses: readonly string[], budgetMs?: number): Promise<void> {
  const times: number[] = [];
  for (const address of addresses) {
    const startedAt = performance.now();
    const response = await fetch(address);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${address} returned ${response.status}`);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const formatPercentile = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  const budget = budgetMs === undefined ? '' : `  (budget ${budgetMs} ms)`;
  console.log(
    `${what.padEnd(44)} p50 ${formatPercentile(0.5).padStart(6)} ms  p99 ${formatPercentile(0.99).padStart(6)} ms${budget}`,
  );
}

const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
const listUrls = (url: string, question: (round: number) => string): string[] =>
  rounds.map((round) => `${url}/api/products?limit=24&q=${encodeURIComponent(question(round))}`);

const dataDir = makeTemporaryDirectory();
const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' };
try {
  await fillFromTemplate(dataDir);
  const seedMs = await seed(environment);
  const shop = await start(['scripts/run.mjs', 'start'], environment);
  const hello = await start(['-e', HELLO], {});
  const memory = readResidentMb(shop.child);
  console.log(`${values.products} products generated in ${(seedMs / 1000).toFixed(1)} s`);
  console.log(`first page ${(shop.ms / 1000).toFixed(1)} s after the start, ${memory?.toFixed(0) ?? '?'} MB resident`);
  const warmUp = rounds.slice(0, 20);
  for (const round of warmUp) await (await fetch(`${shop.url}/api/products?limit=24&q=x${round}`)).arrayBuffer();

  await measure(
    'a bare hello',
    rounds.map(() => hello.url),
  );
  for (const [kind, question] of Object.entries(questions)) {
    await measure(`products, ${kind}`, listUrls(shop.url, question), LIST_BUDGET_MS);
  }
  await measure('products, misspelled', listUrls(shop.url, createMisspelledQuery), LIST_BUDGET_MS);
  await measure('products, words in another order', listUrls(shop.url, createReversedQuery), LIST_BUDGET_MS);
  for (const [kind, question] of Object.entries(hostile)) {
    await measure(`products, ${kind}`, listUrls(shop.url, question), LIST_BUDGET_MS);
  }
  await measure(
    'suggestions where nothing was found',
    rounds.map(
      (round) =>
        `${shop.url}/api/search/suggestions?q=${encodeURIComponent(`${createMisspelledQuery(round)} ${round}`)}`,
    ),
    LIST_BUDGET_MS,
  );
  const mixed = Object.values(questions).flatMap((question) => listUrls(shop.url, (round) => question(round + ROUNDS)));
  await measure('products, a third of each', mixed, LIST_BUDGET_MS);
  const sorts = ['price_asc', 'price_desc', 'newest', 'best_sold'];
  const sorted = rounds.map(
    (round) => `${shop.url}/api/products?limit=24&sort=${pickAt(sorts, round)}&q=${pickAt(pairs, round)}`,
  );
  await measure('products, sorted', sorted, LIST_BUDGET_MS);
  const listFilterUrls = (query: (round: number) => string): string[] =>
    rounds.map((round) => `${shop.url}/api/filters?${query(round)}`);
  const counted = listFilterUrls(
    (round) => `q=${encodeURIComponent(questions['broad']?.(round) ?? '')}&price_min=${round}`,
  );
  await measure('filters of a broad search with a price', counted, FILTERS_BUDGET_MS);
  await measure(
    'filters of everything with a price',
    listFilterUrls((round) => `price_max=${500 + round}`),
    FILTERS_BUDGET_MS,
  );
  await measure(
    'filters of one or two letters',
    listFilterUrls((round) => `q=${pickAt(pairs, round * 7)}`),
    FILTERS_BUDGET_MS,
  );
  await measure(
    'page of the catalogue',
    rounds.slice(0, 40).map((round) => `${shop.url}/catalog?price_min=${100 + round}`),
  );
  console.log(`at the end ${readResidentMb(shop.child)?.toFixed(0) ?? '?'} MB resident`);
  for (const { child } of [shop, hello]) child.kill('SIGTERM');
  await waitForExit(shop.child);
} finally {
  endOrphanedDatabase(dataDir);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
