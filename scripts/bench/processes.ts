/**
 * `npm run bench -- processes [--rounds N --seconds N --orders N]`: measures one, two and four processes of the
 * shop behind HAProxy on one PostgreSQL: pages, API calls and whole orders per second, and the CPU time that shop,
 * database and HAProxy spend on each, beside one process without HAProxy and a bare node:http server. Linux only.
 * Needs `haproxy` on PATH. The shop runs as in production, with rate limits and fsync.
 *
 * Each load is sent to all of them in turn, round after round, so that other load on the machine affects all.
 */
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { silentLog } from '../../tests/support/database-server.ts';
import { listAt, textAt } from '../../tests/support/read-json.ts';
import { startSeparateDatabase } from '../../tests/support/rolling-shop.ts';
import type { SeparateDatabase } from '../../tests/support/rolling-shop.ts';
import { startShopProcess } from '../../tests/support/shop-process.ts';
import { startStatementProxy } from '../../tests/support/statement-proxy.ts';
import { makeTemporaryDirectory } from '../../tests/support/template.ts';
import { countRequests } from './support/measure-load.ts';
import type { Requests } from './support/measure-load.ts';
import { placeOrders, prepareBuyers } from './support/place-orders.ts';
import { readResidentMib } from './support/process-figures.ts';
import { closeSetup, MOST_PROCESSES, openSetup } from './support/process-setup.ts';
import type { Setup, Way } from './support/process-setup.ts';
import { evaluate, measureRest, readTimes, waitForRest } from './support/request-costs.ts';
import type { Measured, Rest } from './support/request-costs.ts';
import { hasHaproxy } from './support/start-haproxy.ts';

const CLIENTS = 24;
/** Fewer, so that renders of one process are not shed. */
const RENDER_CLIENTS = 8;
const ORDER_CLIENTS = 16;
const IDLE_SECONDS = 5;
/** How long statements after the last order are counted at most. */
const REST_SECONDS = 20;
/** A core or a process is busy from this share on. */
const BUSY_SHARE = 0.9;
/** From this number of cores on, other programs distort the figures. */
const OTHERS = 0.15;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    orders: { type: 'string', default: '384' },
  },
});
const [rounds, seconds, orders] = [Number(values.rounds), Number(values.seconds), Number(values.orders)];
if (![rounds, seconds, orders].every((count) => Number.isInteger(count) && count > 0)) {
  console.error('--rounds, --seconds and --orders must be whole numbers above 0.');
  process.exit(2);
}
if (process.platform !== 'linux' || !hasHaproxy()) {
  console.error('NOTHING WAS MEASURED: this benchmark needs Linux and HAProxy (Debian: apt-get install haproxy).');
  process.exit(0);
}

const computeMedian = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);

interface LoadKind {
  readonly name: string;
  readonly measure: (setup: Setup, way: Way, rest: Rest) => Promise<Measured>;
}

let addresses = 0;
/** A new client address, since calls and renders per network are limited. */
function createAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

async function measureReads(
  setup: Setup,
  requests: Pick<Requests, 'port' | 'getPath' | 'connections'>,
  rest: Rest | null,
): Promise<Measured> {
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const load = { ...requests, headers, getAddress: createAddress };
  const { before, after, count, shed } = await countRequests(load, seconds, () => readTimes(setup));
  return { ...evaluate(before, after, count, rest), shed };
}

/** The yardstick of each load. */
const measureHello = (setup: Setup, { port }: Way): Promise<Measured> =>
  measureReads(setup, { port, connections: CLIENTS, getPath: () => '/' }, null);

const createReadLoad = (name: string, getPath: (index: number) => string, connections = CLIENTS): LoadKind => ({
  name,
  measure: (setup, { port }, rest) => measureReads(setup, { port, connections, getPath }, rest),
});

let shown = 0;
const LOADS: readonly LoadKind[] = [
  createReadLoad('pages from cache', (index) => (index % 2 === 0 ? '/' : '/catalog/product/iphone-17-pro')),
  createReadLoad('GET /api/products', () => '/api/products'),
  createReadLoad(
    'pages rendered',
    () => `/catalog/category/iphone?price_max=${100_000 + (shown += 1)}`,
    RENDER_CLIENTS,
  ),
];

/** Whole orders: each buyer adds a product to the cart and checks out. Costs include the background work. */
const createOrderLoad = (db: Db, productId: string): LoadKind => ({
  name: 'orders',
  measure: async (setup, { port }, rest) => {
    const tokens = await prepareBuyers(db, orders);
    await waitForRest(setup, rest);
    const before = readTimes(setup);
    await placeOrders(port, tokens, ORDER_CLIENTS, productId);
    const during = evaluate(before, readTimes(setup), orders, rest);
    await waitForRest(setup, rest);
    return { ...during, cost: evaluate(before, readTimes(setup), orders, rest).cost };
  },
});

/** What limits the rate. */
function findBottleneck({ cores }: Measured, processes: number): string {
  if (cores.machine >= cpus().length * BUSY_SHARE) return `all ${cpus().length} cores`;
  if (cores.busiest >= BUSY_SHARE && processes === 1) return 'the process';
  if (cores.client >= BUSY_SHARE) return 'the client';
  if (cores.haproxy >= BUSY_SHARE * cpus().length) return 'HAProxy';
  return 'none: it waits for the disk, locks or the network';
}

const takeMedian = (list: readonly Measured[], read: (measured: Measured) => number): number =>
  computeMedian(list.map(read));

const formatMs = (ms: number): string => ms.toFixed(ms < 1 ? 3 : 2).padStart(7);

function printRow(
  way: Way,
  own: readonly Measured[],
  one: readonly Measured[],
  bare: readonly Measured[] | null,
): void {
  const ratio = (base: readonly Measured[]): string =>
    computeMedian(own.map(({ perSecond }, index) => perSecond / (base[index]?.perSecond ?? Number.NaN))).toFixed(2);
  const costRatio = (base: readonly Measured[]): string =>
    computeMedian(own.map(({ cost: { server } }, index) => server / (base[index]?.cost.server ?? Number.NaN))).toFixed(
      1,
    );
  const cost = (part: keyof Measured['cost']): string => formatMs(takeMedian(own, (measured) => measured.cost[part]));
  const [sample] = own;
  if (sample === undefined) return;
  const median: Measured = {
    ...sample,
    cores: {
      machine: takeMedian(own, ({ cores }) => cores.machine),
      busiest: takeMedian(own, ({ cores }) => cores.busiest),
      client: takeMedian(own, ({ cores }) => cores.client),
      haproxy: takeMedian(own, ({ cores }) => cores.haproxy),
      others: takeMedian(own, ({ cores }) => cores.others),
    },
  };
  const shed = sum(own.map((measured) => measured.shed));
  console.log(
    `  ${way.name.padEnd(26)} ${takeMedian(own, ({ perSecond }) => perSecond)
      .toFixed(0)
      .padStart(7)}/s ` +
      `${(way.processes === 0 ? '' : ratio(one)).padStart(6)} ${(bare === null ? '' : ratio(bare)).padStart(6)}  ` +
      `${(bare === null ? '' : costRatio(bare)).padStart(6)} ${cost('server')} ${cost('database')} ${cost('haproxy')} ${cost('client')}  ` +
      `${median.cores.machine.toFixed(2).padStart(5)}  ${findBottleneck(median, Math.max(1, way.processes))}` +
      (median.cores.others < OTHERS ? '' : `; other programs used ${median.cores.others.toFixed(2)} cores`) +
      (shed === 0 ? '' : `; ${shed} responses were 503`),
  );
}

/** Sends a load in turn to all, prints the table, and returns the figures of one process behind HAProxy. */
async function measureAll(setup: Setup, load: LoadKind, rest: Rest): Promise<readonly Measured[]> {
  const ways = [setup.bare.direct, setup.bare.behind, setup.direct, ...setup.behind];
  const figures = new Map<Way, Measured[]>(ways.map((way) => [way, []]));
  // Warm-up of every process.
  for (const { port } of setup.shops) await load.measure(setup, { ...setup.direct, port }, rest);
  for (let round = 0; round < rounds; round += 1)
    for (const [way, list] of figures)
      list.push(await (way.processes === 0 ? measureHello(setup, way) : load.measure(setup, way, rest)));
  const take = (way: Way | undefined): readonly Measured[] => (way && figures.get(way)) ?? [];
  const one = take(setup.behind[0]);
  console.log(
    `\n${load.name.padEnd(28)} ${'rate'.padStart(7)}   ÷ one    ÷  CPU ÷     CPU ms of one request        cores bottleneck\n` +
      `${' '.repeat(38)} process hello  hello    shop      DB HAProxy  client`,
  );
  for (const way of ways) {
    const bare = way === setup.direct ? setup.bare.direct : setup.bare.behind;
    printRow(way, take(way), one, way.processes > 0 ? take(bare) : null);
  }
  const shopMs = takeMedian(one, ({ cost }) => cost.server);
  console.log(`  one core of shop processes carries ${(1000 / shopMs).toFixed(0)}/s`);
  return one;
}

async function printRest(setup: Setup, db: Db, rest: Rest): Promise<void> {
  const memory = setup.shops.map(({ pid }) => (readResidentMib(pid) ?? Number.NaN).toFixed(0));
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from pg_stat_activity where application_name like 'crypto-market%'`.execute(db);
  console.log(
    `\nat rest: ${(rest.shop / 10 / MOST_PROCESSES).toFixed(1)} % of a core for each of ${MOST_PROCESSES} processes, ` +
      `${(rest.database / 10).toFixed(1)} % for PostgreSQL; ${memory.join(', ')} MiB resident after all loads; ` +
      `${rows[0]?.n} connections to the database`,
  );
}

/** Drops the mails of earlier orders: sending them would take minutes, and be counted. */
async function dropWaitingMails(db: Db): Promise<void> {
  await sql`update order_events set is_told = true where not is_told`.execute(db);
  await sql`delete from pgboss.job where name = 'mail' and state < 'active'`.execute(db);
}

/** Counts the statements of an order, background work included, and those of a process at rest. */
async function printStatements(database: SeparateDatabase, db: Db, productId: string): Promise<void> {
  await dropWaitingMails(db);
  const proxy = await startStatementProxy(database.connection);
  const settings = { DATABASE_URL: proxy.url, LOG_LEVEL: 'error', RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  const shop = await startShopProcess(database.dataDir, settings);
  try {
    const countPerSecond = async (during: number): Promise<number> => {
      const before = proxy.statements.length;
      await sleep(during * 1000);
      return (proxy.statements.length - before) / during;
    };
    await sleep(IDLE_SECONDS * 1000);
    const idle = await countPerSecond(IDLE_SECONDS);
    const place = async (): Promise<number> => {
      const tokens = await prepareBuyers(db, orders);
      const [before, startedAt] = [proxy.statements.length, performance.now()];
      await placeOrders(shop.port, tokens, ORDER_CLIENTS, productId);
      for (let left = REST_SECONDS; left > 0 && (await countPerSecond(1)) > idle * 1.5; left -= 1);
      return proxy.statements.length - before - (idle * (performance.now() - startedAt)) / 1000;
    };
    // Warm-up.
    await place();
    const own = await place();
    console.log(
      `statements: ${(own / orders).toFixed(1)} for each order, including background work; ` +
        `${idle.toFixed(1)} a second for a process at rest`,
    );
  } finally {
    await shop.stop();
    await proxy.close();
  }
}

const directory = makeTemporaryDirectory();
const database = await startSeparateDatabase(true);
const opened = openDatabase({ connection: database.connection, log: silentLog, poolSize: 1 });
try {
  const setup = await openSetup(database, directory);
  try {
    const products: unknown = await (await fetch(`${setup.shops[0]?.url}/api/products?limit=1`)).json();
    const productId = textAt(listAt(products)[0], 'id');
    console.log(
      `${cpus().length} cores, which shop, database, HAProxy and client share; ${CLIENTS} clients, ` +
        `${RENDER_CLIENTS} for renders, ${ORDER_CLIENTS} for orders; medians of ${rounds} rounds`,
    );
    await sleep(IDLE_SECONDS * 1000);
    const rest = await measureRest(setup, IDLE_SECONDS);
    for (const load of LOADS) await measureAll(setup, load, rest);
    const [one] = await measureAll(setup, createOrderLoad(opened.db, productId), rest);
    if (one) console.log(`  one core of PostgreSQL carries ${(1000 / one.cost.database).toFixed(0)}/s`);
    await printRest(setup, opened.db, rest);
  } finally {
    await closeSetup(setup);
  }
  await printStatements(database, opened.db, textAt(await readFirstProduct(opened.db), 'id'));
} finally {
  await opened.close();
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function readFirstProduct(db: Db): Promise<unknown> {
  const { rows } = await sql<{
    id: string;
  }>`select id from products where is_published order by position, id limit 1`.execute(db);
  return rows[0];
}
