/**
 * `npm run bench -- back-office [--products 100000 --orders 100000 --only TEXT --data DIR]`: measures every list,
 * search, chart and export of the back office. Fails if a median is above 150 ms, for products 100 ms, if an
 * export takes 60 MB of memory or more, or holds up other calls, or goes on without its client.
 *
 * `--data` keeps the filled data for the next run.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
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
import { listMeasured, pickPages } from '../back-office-calls.ts';
import { countStatementsAfterDisconnect, measureCallsDuring, measureExport } from '../measure-export.ts';
import { reachDatabase } from '../reach-database.ts';

const GOAL_MS = 150;
const GOAL_MB = 60;
const CALLS = 15;
/** A call of staff that reads one row. */
const YARDSTICK = '/shop/settings';
/** Highest number of looks that find a statement, out of ten: loops of the shop have short ones. */
const MAX_BUSY = 3;

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
  const database = openDatabase({ connection: access.connection, log: silentLog, poolSize: 1 });
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

const computeMedian = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Infinity;

/** Alternates with the yardstick, so that both see the same load of the machine. */
async function measure(caller: Caller, path: string, yardsticks: number[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < CALLS; round += 1) {
    times.push(await caller.time(path));
    yardsticks.push(await caller.time(YARDSTICK));
  }
  return computeMedian(times);
}

function readTotal(body: unknown): number {
  return typeof body === 'object' && body !== null && 'total' in body ? Number(body.total) : 0;
}

/** Returns how many rows miss their goal. */
async function measureLists(caller: Caller): Promise<number> {
  const structure = await caller.call('/catalogue/structure');
  const lists = listMeasured(textAt(structure, 'categories', 0, 'id'), textAt(structure, 'brands', 0, 'id'));
  let missed = 0;
  console.log(
    `\nmedian of ${CALLS} calls in ms on the first, middle and last page, and the slowest as a multiple of a trivial call`,
  );
  for (const { path, queries, maxPages, goalMs = GOAL_MS } of lists) {
    const heading = `\n${path}, goal ${goalMs} ms`;
    let isHeaded = false;
    for (const query of queries) {
      const parameters = new URLSearchParams(query);
      const title = parameters.toString().replaceAll(/[0-9a-f-]{36}/g, 'ID');
      if (!`${path}?${title}`.includes(values.only)) continue;
      if (!isHeaded) console.log(heading);
      isHeaded = true;
      const total = readTotal(await caller.call(`${path}?${parameters.toString()}`));
      const medians: number[] = [];
      const yardsticks: number[] = [];
      for (const page of pickPages(total, maxPages)) {
        if (page > 1) parameters.set('page', String(page));
        medians.push(await measure(caller, `${path}?${parameters.toString()}`, yardsticks));
      }
      const slowest = Math.max(...medians);
      const ratio = slowest / computeMedian(yardsticks);
      const shown = medians.map((median) => median.toFixed(1).padStart(7)).join('');
      if (slowest > goalMs) missed += 1;
      const verdict = slowest > goalMs ? '  ABOVE THE GOAL' : '';
      console.log(
        `${title.slice(0, 44).padEnd(44)} ${String(total).padStart(7)} ${shown.padEnd(21)} ${ratio.toFixed(0).padStart(4)}×${verdict}`,
      );
    }
  }
  return missed;
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

/** Returns how many exports miss a goal. */
async function measureExports(shop: ShopProcess, caller: Caller, db: Db): Promise<number> {
  let missed = 0;
  console.log(
    `\nexports: memory above that before for a fast and a slow reader, goal ${GOAL_MB} MB; other calls meanwhile; ` +
      'looks out of 10 that find a statement after the client left',
  );
  for (const path of exports.filter((one) => one.includes(values.only))) {
    const exporter = { pid: shop.pid, url: caller.resolve(path), headers: caller.headers };
    // Loads the code.
    await measureExport({ ...exporter, url: exporter.url.replace(/\?.*|$/, '?from=2001-01-01&to=2001-01-02') }, 'fast');
    const fast = await measureExport(exporter, 'fast');
    const slow = await measureExport(exporter, 'slow');
    const during = await measureCallsDuring(exporter, () => caller.call(YARDSTICK));
    const busy = await countStatementsAfterDisconnect(exporter, db);
    const isMissed =
      Math.max(fast.addedMb, slow.addedMb) >= GOAL_MB || computeMedian(during) > GOAL_MS || busy > MAX_BUSY;
    if (isMissed) missed += 1;
    console.log(
      `${path.padEnd(44)} ${fast.megabytes.toFixed(1)} MB in ${fast.seconds.toFixed(1)} s: ` +
        `+${fast.addedMb.toFixed(0)} and +${slow.addedMb.toFixed(0)} MB; calls ${computeMedian(during).toFixed(1)} ms, ` +
        `slowest ${Math.max(...during).toFixed(0)} ms; ${busy}${isMissed ? '  MISSED' : ''}`,
    );
  }
  return missed;
}

const dataDir = values.data ?? makeTemporaryDirectory();
try {
  if (values.data === undefined || !existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    await fill(dataDir);
  }
  const shop = await startShopProcess(dataDir);
  try {
    const caller = await Caller.logIn(shop.url);
    let missed = 0;
    // First, since lists raise the memory that exports are compared with.
    await runWithDatabase(dataDir, async (db) => void (missed += await measureExports(shop, caller, db)));
    missed += await measureLists(caller);
    console.log(missed === 0 ? '\nPASS' : `\nFAIL: ${missed} rows miss their goal`);
    process.exitCode = missed === 0 ? 0 : 1;
  } finally {
    await shop.stop();
  }
} finally {
  endOrphanedDatabase(dataDir);
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
