/**
 * `npm run bench -- back-office [--products 100000 --orders 100000 --only TEXT --data DIR]`: measures every list,
 * search, chart, page and export of the back office. Prints each figure beside its goal and ends with PASS, or with
 * the rows that miss a goal.
 *
 * `--data` keeps the filled data for the next run. `--only` measures what contains this text. Requires Linux.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { silentLog } from '../../tests/support/database-server.ts';
import { fillBackOffice } from '../../tests/support/fill-back-office.ts';
import { fillLargeShop } from '../../tests/support/fill-large-shop.ts';
import { fillOrders } from '../../tests/support/fill-orders.ts';
import { textAt } from '../../tests/support/read-json.ts';
import { endOrphanedDatabase, startShopProcess } from '../../tests/support/shop-process.ts';
import type { ShopProcess } from '../../tests/support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from '../../tests/support/template.ts';
import { listMeasured, pickPages } from './support/back-office-calls.ts';
import {
  download,
  listStatements,
  measureAddedMb,
  measureCallsDuring,
  measureHeldMb,
  measureStopMs,
  MEASURED_SHOP,
} from './support/measure-export.ts';
import { reachDatabase } from '../operate/reach-database.ts';

const GOAL_MS = 150;
const GOAL_MB = 60;
/** When the last statement of an export must have ended after its client left. */
const GOAL_STOP_MS = 500;
/** Calls of a page, and of one whose median is near its goal or above it. */
const [CALLS, MORE_CALLS] = [7, 21];
const NEAR_GOAL = 0.7;
/** A call of staff that reads one row. */
const YARDSTICK = '/shop/settings';
/** Rounds of ordinary calls before the memory of an export is compared with theirs. */
const ORDINARY_ROUNDS = 4;

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    orders: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
  },
});

async function runWithDatabase(dataDir: string, run: (db: Db) => Promise<void>): Promise<void> {
  const access = await reachDatabase({ databaseUrl: null, dataDir, isDataDirExplicit: true });
  // Filling takes statements of minutes.
  const options = { poolSize: 1, statementTimeoutMs: 0 };
  const database = openDatabase({ connection: access.connection, log: silentLog, ...options });
  try {
    await run(database.db);
  } finally {
    await database.close();
    await access.stop();
  }
}

async function fill(dataDir: string): Promise<void> {
  const startedAt = performance.now();
  await fillFromTemplate(dataDir);
  await runWithDatabase(dataDir, async (db) => {
    await fillLargeShop(db, Number(values.products));
    await fillOrders(db, Number(values.orders));
    await fillBackOffice(db);
  });
  console.log(
    `${values.products} products and ${values.orders} orders filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
}

class Caller {
  readonly #url: string;
  readonly headers: Readonly<Record<string, string>>;

  private constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.headers = headers;
  }

  /** Signs in an owner, as a browser does. */
  static async logIn(url: string): Promise<Caller> {
    const login = await fetch(`${url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username: 'owner', password: 'crypto-market' }),
    });
    const cookies = login.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    const token = textAt(await login.json(), 'tokens', 'accessToken');
    return new Caller(url, { authorization: `Bearer ${token}`, cookie: cookies.join('; ') });
  }

  resolve(path: string): string {
    return path.startsWith('/admin') ? `${this.#url}${path}` : `${this.#url}/api${path}`;
  }

  /** The text of a page, or the decoded body of a call. */
  async call(path: string): Promise<unknown> {
    const response = await fetch(this.resolve(path), { headers: this.headers, redirect: 'manual' });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return path.startsWith('/admin') ? response.text() : response.json();
  }

  async time(path: string): Promise<number> {
    const startedAt = performance.now();
    await this.call(path);
    return performance.now() - startedAt;
  }
}

const computeQuantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Infinity;
const computeMedian = (times: readonly number[]): number => computeQuantile(times, 0.5);

const describeLoad = (): string => `load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`;

/** Rows that miss a goal, each with its figures. */
const missed: string[] = [];

function printRow(title: string, figures: string, isMissed: boolean): void {
  console.log(`${title.padEnd(44)} ${figures}${isMissed ? '  MISSED' : ''}`);
  if (isMissed) missed.push(`${title} ${figures}`);
}

/** Alternates with the yardstick, so that both see the same load of the machine. */
async function measure(caller: Caller, path: string, goalMs: number, yardsticks: number[]): Promise<number> {
  const times: number[] = [];
  for (const calls of [CALLS, MORE_CALLS]) {
    while (times.length < calls) {
      times.push(await caller.time(path));
      yardsticks.push(await caller.time(YARDSTICK));
    }
    if (computeMedian(times) < goalMs * NEAR_GOAL) break;
  }
  return computeMedian(times);
}

function readTotal(body: unknown): number {
  return typeof body === 'object' && body !== null && 'total' in body ? Number(body.total) : 0;
}

async function measureLists(caller: Caller): Promise<void> {
  const structure = await caller.call('/catalogue/structure');
  const lists = listMeasured(textAt(structure, 'categories', 0, 'id'), textAt(structure, 'brands', 0, 'id'));
  console.log(
    `\nlists: how many match; median of at least ${CALLS} calls in ms on the first, middle and last page; goal; the ` +
      'slowest as a multiple of a trivial call',
  );
  for (const { path, queries, maxPages, goalMs = GOAL_MS } of lists) {
    let isHeaded = false;
    for (const query of queries) {
      const parameters = new URLSearchParams(query);
      const title = `${path}?${parameters.toString().replaceAll(/[0-9a-f-]{36}/g, 'ID')}`;
      if (!title.includes(values.only)) continue;
      if (!isHeaded) console.log(`\n${path}, ${describeLoad()}`);
      isHeaded = true;
      // The bench goes on after a call that fails.
      await measureList(caller, { title: title.slice(0, 44), path, parameters, maxPages, goalMs }).catch(
        (error: unknown) => printRow(title.slice(0, 44), String(error), true),
      );
    }
  }
}

interface ListToMeasure {
  readonly title: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly maxPages: number | undefined;
  readonly goalMs: number;
}

async function measureList(caller: Caller, list: ListToMeasure): Promise<void> {
  const { title, path, parameters, maxPages, goalMs } = list;
  const total = readTotal(await caller.call(`${path}?${parameters.toString()}`));
  const medians: number[] = [];
  const yardsticks: number[] = [];
  for (const page of pickPages(total, maxPages)) {
    if (page > 1) parameters.set('page', String(page));
    medians.push(await measure(caller, `${path}?${parameters.toString()}`, goalMs, yardsticks));
  }
  const slowest = Math.max(...medians);
  const ratio = slowest / computeMedian(yardsticks);
  const shown = medians.map((median) => median.toFixed(1).padStart(7)).join('');
  printRow(
    title,
    `${String(total).padStart(7)} ${shown.padEnd(21)} < ${goalMs}  ${ratio.toFixed(0).padStart(3)}×`,
    slowest > goalMs,
  );
}

/** Exports of everything; that of payments refuses more than ten million characters, so it gets fewer days. */
const exports = [
  '/exports/invoices',
  '/exports/audit',
  '/exports/audit?q=parcel',
  '/exports/products',
  '/exports/sales?period=12m&by=day',
  '/exports/sales?period=12m&group=product',
  `/exports/books?from=${new Date(Date.now() - 120 * 86_400_000).toISOString().slice(0, 10)}`,
];

const ordinaryPaths = ['/orders', '/tickets', '/customers', '/products', '/inventory', '/invoices', '/audit', ''].map(
  (path) => `/admin${path}`,
);

async function makeOrdinaryCalls(caller: Caller): Promise<void> {
  for (let round = 0; round < ORDINARY_ROUNDS; round += 1) for (const path of ordinaryPaths) await caller.call(path);
}

async function measureExports(shop: ShopProcess, caller: Caller, db: Db): Promise<void> {
  console.log(
    `\nexports, ${describeLoad()}\n` +
      'memory: highest resident memory during the export above that during ordinary calls, for a fast and a slow\n' +
      'reader, both after an equal export; and live memory in the middle of the file above that before\n' +
      'other calls meanwhile: median and 95th percentile of a trivial call\n' +
      'stop: when the last statement ends after the client has left\n',
  );
  for (const path of exports.filter((one) => one.includes(values.only))) {
    const exporter = { shop, url: caller.resolve(path), headers: caller.headers };
    // The equal exports before memory is measured.
    const statements = await listStatements(exporter, db);
    const { megabytes, seconds } = await download(exporter, 'fast');
    const added: number[] = [];
    for (const reader of ['fast', 'slow'] as const) {
      added.push(await measureAddedMb(exporter, reader, () => makeOrdinaryCalls(caller)));
    }
    added.push(await measureHeldMb(exporter, megabytes));
    const during = await measureCallsDuring(exporter, () => caller.call(YARDSTICK));
    const [median, late] = [computeMedian(during), computeQuantile(during, 0.95)];
    const stopMs = await measureStopMs(exporter, statements, db);
    printRow(
      path.slice(0, 44),
      `${megabytes.toFixed(1).padStart(5)} MB in ${seconds.toFixed(1).padStart(4)} s; ` +
        `memory ${added.map((mb) => mb.toFixed(0).padStart(4)).join('')} < ${GOAL_MB} MB; ` +
        `other calls ${median.toFixed(0).padStart(3)}, ${late.toFixed(0).padStart(3)} < ${GOAL_MS} ms; ` +
        `stop ${stopMs.toFixed(0).padStart(4)} < ${GOAL_STOP_MS} ms`,
      Math.max(...added) >= GOAL_MB || late > GOAL_MS || stopMs > GOAL_STOP_MS,
    );
  }
}

const dataDir = values.data ?? makeTemporaryDirectory();
try {
  if (values.data === undefined || !existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    await fill(dataDir).catch((error: unknown) => {
      // The next run must not take it for filled.
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    });
  }
  const shop = await startShopProcess(dataDir, MEASURED_SHOP);
  try {
    // Lists first: they bring the shop to the state in which a shop is that staff use.
    await measureLists(await Caller.logIn(shop.url));
    // Exports require a recent password.
    const caller = await Caller.logIn(shop.url);
    await runWithDatabase(dataDir, (db) => measureExports(shop, caller, db));
    console.log(
      missed.length === 0
        ? `\nPASS (${describeLoad()})`
        : `\nFAIL (${describeLoad()}): ${missed.length} rows miss their goal\n${missed.join('\n')}`,
    );
    process.exitCode = missed.length === 0 ? 0 : 1;
  } finally {
    await shop.stop();
  }
} finally {
  endOrphanedDatabase(dataDir);
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
