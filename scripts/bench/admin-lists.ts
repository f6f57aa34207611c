/**
 * `npm run bench -- admin-lists [--products 100000 --orders 100000 --only TEXT --data DIR]`: measures every
 * list of the back office that grows with the number of products or orders, with each filter, order,
 * search and the first, middle and last page. Fails if a median is above 100 ms, for orders 150 ms.
 * `--data` keeps the filled data for the next run.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDatabase } from '#src/platform/database/database.ts';
import { MAX_LISTED, stockFilters, stockSorts } from '#src/shop/admin/inventory/stock-list.ts';
import { productSorts, productStates } from '#src/shop/catalogue/editing/product-state.ts';
import { silentLog } from '../../tests/support/database-server.ts';
import { fillLargeShop, LARGE_IMPORT_ID } from '../../tests/support/fill-large-shop.ts';
import { fillOrders } from '../../tests/support/fill-orders.ts';
import { textAt } from '../../tests/support/read-json.ts';
import { endOrphanedDatabase, startShopProcess } from '../../tests/support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from '../../tests/support/template.ts';
import { reachDatabase } from '../reach-database.ts';

const GOAL_MS = 100;
const CALLS = 15;
/** A call of staff that reads one row. */
const YARDSTICK = '/shop/settings';
const PAGE_LENGTH = 25;
/** The contract of `GET /catalogue/products` refuses further pages. */
const MAX_PRODUCT_PAGES = 400;

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    orders: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
  },
});

/** Searches by how many products they find. */
const searches = {
  'many words': 'case',
  'two words': 'macbook pro',
  'three words': 'zagg rugged dock',
  'late in the alphabet': 'zagg',
  'most products': 'for',
  'part of a word': 'ook',
  'one letter': 'a',
  'one digit': '7',
  'one lot': 'lot 4711',
  sku: 'made-4711-1',
  'start of many skus': 'made-9',
  'start of every sku': 'm',
  'no match': 'typewriter',
  'words without a product': 'zagg typewriter',
  punctuation: '%_',
};

interface List {
  readonly path: string;
  /** Queries that do not name a page; each is measured on the first, middle and last one. */
  readonly queries: readonly Readonly<Record<string, string>>[];
  readonly maxPages?: number;
  /** Highest median in ms; default: `GOAL_MS`. */
  readonly goalMs?: number;
}

const ORDERS_GOAL_MS = 150;
/** All orders, each filter, and searches by how many orders they find. */
const orderQueries: List['queries'] = [
  {},
  { queue: 'to-ship' },
  { status: 'paid' },
  { status: 'expired' },
  { fulfilment: 'unfulfilled' },
  { fulfilment: 'shipped', status: 'paid' },
  { from: '2026-01-01', to: '2026-06-30' },
  { country: 'DE' },
  { country: 'AQ' },
  { min: '500', max: '510' },
  { max: '12' },
  { promotion: 'made3' },
  { promotion: 'NONE' },
  { country: 'GB', status: 'paid', min: '1000', from: '2025-06-01' },
  { q: 'lovelace' },
  { q: 'ada' },
  { q: 'a' },
  { q: 'ada lovelace elm street' },
  { q: 'P77' },
  { q: 'P1234 city' },
  { q: 'made-buyer-777' },
  { q: 'buyers.example' },
  { q: 'made-4711@buyers.example' },
  { q: 'CM-100777' },
  { q: '100777' },
  { q: 'typewriter' },
  { q: '%_' },
  { q: 'ab'.repeat(32) },
  { q: 'müller', queue: 'to-ship' },
];

function listProducts(categoryId: string, brandId: string): List {
  const all = { category: categoryId, brand: brandId };
  const filters = [
    {},
    ...[...productStates, 'changed', 'reduced'].map((state) => ({ state })),
    { category: categoryId },
    { brand: brandId },
    all,
    { ...all, state: 'withdrawn' },
  ];
  const searched = Object.values(searches).flatMap((q) => productSorts.map((sort) => ({ q, sort })));
  const both = ['case', 'zagg', 'lot 4711'].flatMap((q) => [
    { q, state: 'draft' },
    { q, state: 'reduced' },
    { q, category: categoryId, sort: 'name' },
  ]);
  return {
    path: '/catalogue/products',
    maxPages: MAX_PRODUCT_PAGES,
    queries: [...filters.flatMap((filter) => productSorts.map((sort) => ({ ...filter, sort }))), ...searched, ...both],
  };
}

function listInventory(): List {
  const filtered = stockFilters.flatMap((show) => stockSorts.map((sort) => ({ show, sort })));
  const searched = Object.values(searches).flatMap((q) => [
    ...stockSorts.map((sort) => ({ q, sort })),
    ...stockFilters.slice(1).map((show) => ({ q, show })),
  ]);
  return { path: '/inventory', maxPages: MAX_LISTED / PAGE_LENGTH, queries: [...filtered, ...searched] };
}

const otherLists: readonly List[] = [
  { path: '/support/orders', queries: orderQueries, goalMs: ORDERS_GOAL_MS },
  { path: '/catalogue/structure', queries: [{}] },
  { path: '/pictures', queries: [{}] },
  { path: '/support/promotions', queries: [{}, { q: 'MADE-4' }, { q: 'NONE' }, { state: 'active' }] },
  { path: '/imports', queries: [{}] },
  { path: `/imports/${LARGE_IMPORT_ID}/changes`, queries: [{}] },
  { path: '/content/home', queries: [{}] },
  { path: '/support/setup', queries: [{}] },
];

async function fill(dataDir: string): Promise<void> {
  const startedAt = performance.now();
  await fillFromTemplate(dataDir);
  const access = await reachDatabase({ databaseUrl: null, dataDir, isDataDirExplicit: true });
  const database = openDatabase({ connection: access.connection, log: silentLog, poolSize: 1 });
  try {
    await fillLargeShop(database.db, Number(values.products));
    await fillOrders(database.db, Number(values.orders));
  } finally {
    await database.close();
    await access.stop();
  }
  console.log(`${values.products} products filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

type Call = (path: string) => Promise<unknown>;

async function logIn(url: string): Promise<Call> {
  const login = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'staff', password: 'crypto-market' }),
  });
  const headers = { authorization: `Bearer ${textAt(await login.json(), 'tokens', 'accessToken')}` };
  return async (path) => {
    const response = await fetch(`${url}/api${path}`, { headers });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

const computeMedian = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Infinity;

async function measureCall(call: Call, path: string): Promise<number> {
  const startedAt = performance.now();
  await call(path);
  return performance.now() - startedAt;
}

/** Alternates with the yardstick, so that both see the same load of the machine. */
async function measure(call: Call, path: string, yardsticks: number[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < CALLS; round += 1) {
    times.push(await measureCall(call, path));
    yardsticks.push(await measureCall(call, YARDSTICK));
  }
  return computeMedian(times);
}

function readTotal(body: unknown): number {
  return typeof body === 'object' && body !== null && 'total' in body ? Number(body.total) : 0;
}

/** First, middle and last page. */
function pickPages(total: number, maxPages = Infinity): readonly number[] {
  const last = Math.max(1, Math.min(Math.ceil(total / PAGE_LENGTH), maxPages));
  return [...new Set([1, Math.ceil(last / 2), last])];
}

async function measureAll(call: Call): Promise<boolean> {
  const structure = await call('/catalogue/structure');
  const lists = [
    listProducts(textAt(structure, 'categories', 0, 'id'), textAt(structure, 'brands', 0, 'id')),
    listInventory(),
    ...otherLists,
  ];
  let isWithinGoal = true;
  for (const { path, queries, maxPages, goalMs = GOAL_MS } of lists) {
    console.log(`\n${path}`);
    for (const query of queries) {
      const parameters = new URLSearchParams(query);
      const title = parameters.toString().replaceAll(/[0-9a-f-]{36}/g, 'ID');
      if (!`${path}?${title}`.includes(values.only)) continue;
      const total = readTotal(await call(`${path}?${parameters.toString()}`));
      const medians: number[] = [];
      const yardsticks: number[] = [];
      for (const page of pickPages(total, maxPages)) {
        if (page > 1) parameters.set('page', String(page));
        medians.push(await measure(call, `${path}?${parameters.toString()}`, yardsticks));
      }
      const slowest = Math.max(...medians);
      const ratio = slowest / computeMedian(yardsticks);
      const shown = medians.map((median) => median.toFixed(1).padStart(7)).join('');
      if (slowest > goalMs) isWithinGoal = false;
      const verdict = slowest > goalMs ? '  ABOVE THE GOAL' : '';
      console.log(
        `${title.padEnd(44)} ${String(total).padStart(7)} ${shown.padEnd(21)} ${ratio.toFixed(0).padStart(4)}×${verdict}`,
      );
    }
  }
  return isWithinGoal;
}

const dataDir = values.data ?? makeTemporaryDirectory();
try {
  if (values.data === undefined || !existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    await fill(dataDir);
  }
  const shop = await startShopProcess(dataDir);
  try {
    const call = await logIn(shop.url);
    console.log(
      `median of ${CALLS} calls in ms on the first, middle and last page, and the slowest as a multiple of a trivial call; goal ${GOAL_MS} ms`,
    );
    const isWithinGoal = await measureAll(call);
    console.log(isWithinGoal ? '\nPASS' : '\nFAIL');
    process.exitCode = isWithinGoal ? 0 : 1;
  } finally {
    await shop.stop();
  }
} finally {
  endOrphanedDatabase(dataDir);
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
