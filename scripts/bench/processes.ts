/**
 * `npm run bench -- processes [--rounds N --seconds N --orders N]`: measures one, two and four processes of the
 * shop behind HAProxy on one PostgreSQL: pages, API calls and whole orders per second, and the CPU time that shop,
 * database and HAProxy spend on each, beside one process without HAProxy and a bare node:http server. Linux only.
 * Needs `haproxy` on PATH. The shop runs as in production, with rate limits and fsync.
 *
 * Each load is sent to all of them in turn, round after round, so that other load on the machine affects all.
 */
import { readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { silentLog } from '../../tests/support/database-server.ts';
import { listAt, textAt } from '../../tests/support/read-json.ts';
import { startSeparateDatabase } from '../../tests/support/rolling-shop.ts';
import type { SeparateDatabase } from '../../tests/support/rolling-shop.ts';
import { findFreePort, startShopProcess } from '../../tests/support/shop-process.ts';
import type { ShopProcess } from '../../tests/support/shop-process.ts';
import { startStatementProxy } from '../../tests/support/statement-proxy.ts';
import { makeTemporaryDirectory } from '../../tests/support/template.ts';
import { countRequests } from '../measure-load.ts';
import { placeOrders, prepareBuyers } from '../place-orders.ts';
import { readCpuMs, readFamilyCpuMs, readResidentMib } from '../process-figures.ts';
import { hasHaproxy, startHaproxy } from '../start-haproxy.ts';
import type { Haproxy } from '../start-haproxy.ts';
import { startHello } from '../start-hello.ts';
import type { Hello } from '../start-hello.ts';

const PROCESSES = [1, 2, 4] as const;
const MOST = Math.max(...PROCESSES);
const CLIENTS = 24;
/** Fewer, so that renders of one process are not shed. */
const RENDER_CLIENTS = 8;
const ORDER_CLIENTS = 16;
const IDLE_SECONDS = 5;
/** A process is at rest below this share of a core, and a core or a process is busy from this share on. */
const [REST_SHARE, BUSY_SHARE] = [0.1, 0.9];
/** From this number of cores on, other programs distort the figures. */
const OTHERS = 0.15;
const REST_SAMPLE_MS = 500;

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

/** CPU time so far in ms. */
interface Times {
  readonly shop: number;
  /** Of each process of the shop. */
  readonly each: readonly number[];
  readonly database: number;
  readonly haproxy: number;
  readonly client: number;
  /** Of the whole machine. */
  readonly machine: number;
}

interface Measured {
  readonly perSecond: number;
  /** Responses with 503, which the client repeats. */
  readonly shed: number;
  /** CPU time of one request in ms. */
  readonly cost: { readonly shop: number; readonly database: number; readonly haproxy: number; readonly client: number };
  /** Cores in use on average. */
  readonly cores: {
    readonly machine: number;
    /** The busiest process of the shop. */
    readonly busiest: number;
    readonly client: number;
    readonly haproxy: number;
    /** Programs that do not belong to the measurement. */
    readonly others: number;
  };
}

interface Way {
  readonly name: string;
  readonly port: number;
  /** Number of processes of the shop; 0 for the bare server. */
  readonly processes: number;
}

interface Setup {
  readonly database: SeparateDatabase;
  readonly postmaster: number;
  readonly shops: readonly ShopProcess[];
  readonly hello: Hello;
  readonly haproxy: Haproxy;
  readonly direct: Way;
  readonly behind: readonly Way[];
  readonly bare: { readonly direct: Way; readonly behind: Way };
}

const computeMedian = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);

function readMachineMs(): number {
  return sum(cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq));
}

function readTimes({ shops, hello, postmaster, haproxy }: Setup, isBare: boolean): Times {
  const pids = isBare ? [hello.pid] : shops.map(({ pid }) => pid);
  const each = pids.map((pid) => readCpuMs(pid) ?? Number.NaN);
  const { user, system } = process.cpuUsage();
  return {
    shop: sum(each),
    each,
    database: readFamilyCpuMs(postmaster) ?? Number.NaN,
    haproxy: readCpuMs(haproxy.pid) ?? Number.NaN,
    client: (user + system) / 1000,
    machine: readMachineMs(),
  };
}

const PARTS = ['shop', 'database', 'haproxy', 'client'] as const;

function evaluate(before: Times, after: Times, count: number, tookSeconds: number): Measured {
  const ms = tookSeconds * 1000;
  const took = (part: (typeof PARTS)[number]): number => after[part] - before[part];
  return {
    perSecond: count / tookSeconds,
    shed: 0,
    cost: {
      shop: took('shop') / count,
      database: took('database') / count,
      haproxy: took('haproxy') / count,
      client: took('client') / count,
    },
    cores: {
      machine: (after.machine - before.machine) / ms,
      busiest: Math.max(...after.each.map((value, index) => value - (before.each[index] ?? 0))) / ms,
      client: took('client') / ms,
      haproxy: took('haproxy') / ms,
      others: (after.machine - before.machine - sum(PARTS.map(took))) / ms,
    },
  };
}

/** Waits until shop and database have done what follows in the background. */
async function waitForRest(setup: Setup): Promise<void> {
  for (;;) {
    const before = readTimes(setup, false);
    await sleep(REST_SAMPLE_MS);
    const after = readTimes(setup, false);
    const busyMs = after.shop - before.shop + after.database - before.database;
    if (busyMs < REST_SAMPLE_MS * REST_SHARE * 2) return;
  }
}

interface LoadKind {
  readonly name: string;
  readonly measure: (setup: Setup, way: Way) => Promise<Measured>;
  /** Whether the bare server gets it too, as a yardstick. */
  readonly hasYardstick: boolean;
}

let addresses = 0;
/** A new client address, since calls and renders per network are limited. */
function createAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

const readLoad = (name: string, getPath: (index: number) => string, connections = CLIENTS): LoadKind => ({
  name,
  hasYardstick: connections === CLIENTS,
  measure: async (setup, { port, processes }) => {
    const load = {
      port,
      connections,
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
      getPath: processes === 0 ? () => '/' : getPath,
      getAddress: createAddress,
    };
    const counted = await countRequests(load, seconds, () => readTimes(setup, processes === 0));
    return { ...evaluate(counted.before, counted.after, counted.count, counted.seconds), shed: counted.shed };
  },
});

let shown = 0;
const LOADS: readonly LoadKind[] = [
  readLoad('pages from cache', (index) => (index % 2 === 0 ? '/' : '/catalog/product/iphone-17-pro')),
  readLoad('GET /api/products', () => '/api/products'),
  readLoad('pages rendered', () => `/catalog/category/iphone?price_max=${100_000 + (shown += 1)}`, RENDER_CLIENTS),
];

/** Whole orders: each buyer adds a product to the cart and checks out. CPU time includes what follows in the background. */
const createOrderLoad = (db: Db, productId: string): LoadKind => ({
  name: 'orders',
  hasYardstick: false,
  measure: async (setup, { port }) => {
    const tokens = await prepareBuyers(db, orders);
    await waitForRest(setup);
    const before = readTimes(setup, false);
    const placed = await placeOrders(port, tokens, ORDER_CLIENTS, productId);
    const during = evaluate(before, readTimes(setup, false), orders, orders / placed.perSecond);
    await waitForRest(setup);
    const whole = evaluate(before, readTimes(setup, false), orders, orders / placed.perSecond);
    return { ...during, cost: whole.cost };
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

function printRow(way: Way, own: readonly Measured[], one: readonly Measured[], bare: readonly Measured[] | null): void {
  const ratio = (base: readonly Measured[]): string =>
    computeMedian(own.map(({ perSecond }, index) => perSecond / (base[index]?.perSecond ?? Number.NaN))).toFixed(2);
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
    `  ${way.name.padEnd(26)} ${takeMedian(own, ({ perSecond }) => perSecond).toFixed(0).padStart(7)}/s ` +
      `${(way.processes === 0 ? '' : ratio(one)).padStart(6)} ${(bare === null ? '' : ratio(bare)).padStart(6)}  ` +
      `${cost('shop')} ${cost('database')} ${cost('haproxy')} ${cost('client')}  ` +
      `${median.cores.machine.toFixed(2).padStart(5)}  ${findBottleneck(median, Math.max(1, way.processes))}` +
      (median.cores.others < OTHERS ? '' : `; other programs used ${median.cores.others.toFixed(2)} cores`) +
      (shed === 0 ? '' : `; ${shed} responses were 503`),
  );
}

/** Sends a load in turn to all, prints the table, and returns the figures of one process behind HAProxy. */
async function measureAll(setup: Setup, load: LoadKind): Promise<readonly Measured[]> {
  const bareWays = load.hasYardstick ? [setup.bare.direct, setup.bare.behind] : [];
  const ways = [...bareWays, setup.direct, ...setup.behind];
  const figures = new Map<Way, Measured[]>(ways.map((way) => [way, []]));
  // Warm-up of every process.
  await load.measure(setup, setup.behind.at(-1) ?? setup.direct);
  for (let round = 0; round < rounds; round += 1)
    for (const [way, list] of figures) list.push(await load.measure(setup, way));
  const take = (way: Way | undefined): readonly Measured[] => (way && figures.get(way)) ?? [];
  const one = take(setup.behind[0]);
  console.log(
    `\n${load.name.padEnd(29)} ${'rate'.padStart(7)}   of one  of a    CPU ms: shop     DB HAProxy  client  cores  bottleneck\n` +
      `${' '.repeat(41)} process  hello`,
  );
  for (const way of ways) {
    const bare = way === setup.direct ? setup.bare.direct : setup.bare.behind;
    printRow(way, take(way), one, load.hasYardstick && way.processes > 0 ? take(bare) : null);
  }
  const shopMs = takeMedian(one, ({ cost }) => cost.shop);
  console.log(`  one core of shop processes carries ${(1000 / shopMs).toFixed(0)}/s`);
  return one;
}

async function openSetup(database: SeparateDatabase, directory: string): Promise<Setup> {
  // Two proxies, since clients send X-Forwarded-For as if they were one.
  const settings = { DATABASE_URL: database.url, LOG_LEVEL: 'error', RATE_LIMITS: 'on', TRUST_PROXY: '2' };
  const shops: ShopProcess[] = [];
  const hello = await startHello();
  try {
    for (let index = 0; index < MOST; index += 1) shops.push(await startShopProcess(database.dataDir, settings));
    const ways = await Promise.all(
      PROCESSES.map(async (processes) => ({
        name: `${processes} behind HAProxy`,
        port: await findFreePort(),
        processes,
      })),
    );
    const bareBehind: Way = { name: 'a hello behind HAProxy', port: await findFreePort(), processes: 0 };
    const haproxy = await startHaproxy(directory, [
      ...ways.map(({ port, processes }) => ({
        name: `shop${processes}`,
        port,
        serverPorts: shops.slice(0, processes).map((shop) => shop.port),
        healthPath: '/readyz',
      })),
      { name: 'hello', port: bareBehind.port, serverPorts: [hello.port], healthPath: '/' },
    ]);
    return {
      database,
      postmaster: Number(readFileSync(join(database.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
      shops,
      hello,
      haproxy,
      direct: { name: '1 without HAProxy', port: shops[0]?.port ?? 0, processes: 1 },
      behind: ways,
      bare: { direct: { name: 'a hello without HAProxy', port: hello.port, processes: 0 }, behind: bareBehind },
    };
  } catch (error) {
    await closeShops(shops, hello);
    throw error;
  }
}

async function closeShops(shops: readonly ShopProcess[], hello: Hello): Promise<void> {
  hello.child.kill('SIGTERM');
  for (const shop of shops) await shop.stop();
}

/** What the processes cost when nobody visits, and their connections to the database. */
async function printRest(setup: Setup, db: Db): Promise<void> {
  await waitForRest(setup);
  const before = readTimes(setup, false);
  await sleep(IDLE_SECONDS * 1000);
  const after = readTimes(setup, false);
  const ms = IDLE_SECONDS * 1000;
  const shares = after.each.map((value, index) => (((value - (before.each[index] ?? 0)) / ms) * 100).toFixed(1));
  const memory = setup.shops.map(({ pid }) => (readResidentMib(pid) ?? Number.NaN).toFixed(0));
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from pg_stat_activity where application_name like 'crypto-market%'`.execute(db);
  console.log(
    `\nat rest: ${shares.join(', ')} % of a core for each process (the first one is the leader), ` +
      `${(((after.database - before.database) / ms) * 100).toFixed(1)} % for PostgreSQL; ` +
      `${memory.join(', ')} MiB resident after all loads; ${rows[0]?.n} connections to the database`,
  );
}

/** Counts the statements of an order, background work included, and those of a process at rest. */
async function printStatements(database: SeparateDatabase, db: Db, productId: string): Promise<void> {
  const proxy = await startStatementProxy(database.connection);
  const settings = { DATABASE_URL: proxy.url, LOG_LEVEL: 'error', RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  const shop = await startShopProcess(database.dataDir, settings);
  try {
    await placeOrders(shop.port, await prepareBuyers(db, orders), ORDER_CLIENTS, productId);
    const countDuring = async (work: () => Promise<unknown>): Promise<number> => {
      await sleep(IDLE_SECONDS * 1000);
      const before = proxy.statements.length;
      await work();
      return proxy.statements.length - before;
    };
    const idle = (await countDuring(() => sleep(IDLE_SECONDS * 1000))) / IDLE_SECONDS;
    const tokens = await prepareBuyers(db, orders);
    const startedAt = performance.now();
    const counted = await countDuring(async () => {
      await placeOrders(shop.port, tokens, ORDER_CLIENTS, productId);
      await sleep(IDLE_SECONDS * 1000);
    });
    const own = counted - idle * ((performance.now() - startedAt) / 1000 - IDLE_SECONDS);
    console.log(
      `statements: ${(own / orders).toFixed(1)} for each order, with what follows in the background; ` +
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
    for (const load of LOADS) await measureAll(setup, load);
    const [one] = await measureAll(setup, createOrderLoad(opened.db, productId));
    if (one) console.log(`  one core of PostgreSQL carries ${(1000 / one.cost.database).toFixed(0)}/s`);
    await printRest(setup, opened.db);
  } finally {
    await closeShops(setup.shops, setup.hello);
    await setup.haproxy.stop();
  }
  await printStatements(database, opened.db, textAt(await readFirstProduct(opened.db), 'id'));
} finally {
  await opened.close();
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function readFirstProduct(db: Db): Promise<unknown> {
  const { rows } = await sql<{ id: string }>`select id from products where is_published order by position, id limit 1`.execute(db);
  return rows[0];
}
