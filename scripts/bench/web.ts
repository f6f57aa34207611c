/**
 * `npm run bench -- web`: measures pages on the server, compared with a bare node:http server, and on
 * a slow phone with Lighthouse. `-- server` or `-- browser` runs one half, `-- browser 3` runs
 * Lighthouse three times. `-- compare` compares stock React Router, the same with a response cache,
 * and the page engine.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOrphanedDatabase, findFreePort } from '../../tests/support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from '../../tests/support/template.ts';
import { buildWhenStale } from '../build/build-when-stale.ts';
import { measureLoad } from './support/measure-load.ts';
import type { LoadFigures } from './support/measure-load.ts';
import { measurePages, measureToggle } from './support/measure-page.ts';

const HELLO = `require('node:http').createServer((_, reply) => reply.end('hello')).listen(process.env.PORT, '127.0.0.1')`;
const ROUNDS = 3;
const SECONDS = 3;
const GIVE_UP_MS = 60_000;
const PAGES = ['/', '/catalog', '/catalog/product/iphone-17-pro'];

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  readonly pid: number;
}

async function start(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Server> {
  const port = await findFreePort();
  const env = { ...process.env, ...environment, PORT: String(port) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const startedAt = Date.now(); Date.now() - startedAt < GIVE_UP_MS && child.exitCode === null; await sleep(50)) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200 && child.pid !== undefined) return { child, port, pid: child.pid };
  }
  child.kill('SIGKILL');
  throw new Error('the server does not respond');
}

async function stop({ child }: Server): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
}

interface Measured {
  readonly what: string;
  readonly getPath: (index: number) => string;
  readonly goal: string;
}

const RENDER_GOAL = 'CPU ≤ 100';
const CACHED: readonly Measured[] = [
  { what: 'home, cached', getPath: () => '/', goal: 'rate ≥ 0.5' },
  { what: 'product, cached', getPath: () => '/catalog/product/iphone-17-pro', goal: 'rate ≥ 0.5' },
  { what: 'GET /api/products', getPath: () => '/api/products', goal: 'rate ≥ 0.25' },
  { what: 'GET /api/products/{slug}', getPath: () => '/api/products/iphone-17-pro', goal: 'rate ≥ 0.25' },
];
/** Rendered for every request; lists with a different price limit each time. */
const RENDERED: readonly Measured[] = [
  { what: 'text page, rendered', getPath: () => '/terms', goal: RENDER_GOAL },
  { what: 'product, rendered', getPath: () => '/catalog/product/iphone-17-pro', goal: RENDER_GOAL },
  { what: 'home, rendered', getPath: () => '/', goal: RENDER_GOAL },
  {
    what: 'category, rendered',
    getPath: (index) => `/catalog/category/iphone?price_max=${100_000 + index}`,
    goal: RENDER_GOAL,
  },
  { what: 'catalog, rendered', getPath: (index) => `/catalog?price_max=${100_000 + index}`, goal: '' },
];

const computeMedian = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const computeRatio = (a: number | null, b: number | null): number => (a === null || b === null ? Number.NaN : a / b);

async function benchServer(measured: readonly Measured[], shop: Server, hello: Server): Promise<void> {
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  for (const { what, getPath, goal } of measured) {
    const rates: number[] = [];
    const costs: number[] = [];
    let last: LoadFigures = { perSecond: 0, cpuMs: null };
    let index = 0;
    // Alternately, so that other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await measureLoad({ ...hello, getPath: () => '/' }, SECONDS);
      last = await measureLoad({ ...shop, getPath: () => getPath((index += 1)), headers }, SECONDS);
      rates.push(last.perSecond / bare.perSecond);
      costs.push(computeRatio(last.cpuMs, bare.cpuMs));
    }
    console.log(
      `${what.padEnd(26)} ${last.perSecond.toFixed(0).padStart(6)}/s  rate ${computeMedian(rates).toFixed(2)} of hello's, ` +
        `CPU ${computeMedian(costs).toFixed(1)} of hello's, minimum ` +
        `${Math.min(...costs).toFixed(1)} (${last.cpuMs?.toFixed(3) ?? '?'} ms)` +
        (goal === '' ? '' : `   goal: ${goal}`),
    );
  }
}

async function benchBrowser(url: string, runs: number, isStock = false): Promise<void> {
  const figures = await measurePages(
    PAGES.map((path) => url + path),
    runs,
  );
  for (const [index, page] of figures.entries()) {
    const scores = [page.performance, page.accessibility, page.bestPractices, page.seo].map((score) =>
      score.toFixed(2),
    );
    console.log(
      `${PAGES[index]?.padEnd(32)} performance ${scores[0]}, accessibility ${scores[1]}, best practices ${scores[2]}, ` +
        `SEO ${scores[3]}; FCP ${page.fcpMs.toFixed(0)}, LCP ${page.lcpMs.toFixed(0)}, TBT ${page.tbtMs.toFixed(0)} ms, ` +
        `CLS ${page.cls.toFixed(3)}${page.failedAudits.length > 0 ? `; failed audits: ${page.failedAudits.join(', ')}` : ''}`,
    );
  }
  console.log('goals: performance ≥ 0.98, the others 1.00; LCP ≤ 1300 ms');
  for (const path of ['/', '/catalog']) {
    const { seenMs, toggledMs } = await measureToggle(url + path, isStock);
    console.log(
      `${path.padEnd(10)} slow 4G, CPU 4x slower: the button of a card is visible after ${seenMs.toFixed(0)} ms; ` +
        `pressed then, it responds at ${toggledMs.toFixed(0)} ms   goal: 3000`,
    );
  }
}

/** Scripts and settings of the compared shops. */
const COMPARED: Readonly<Record<string, { readonly script: string; readonly render: string; readonly pages: string }>> =
  {
    stock: { script: 'start', render: 'start', pages: 'stock' },
    'stock + cache': { script: 'bench/support/start-stock-cached', render: 'start', pages: 'stock' },
    engine: { script: 'start', render: 'bench/support/start-without-cache', pages: 'engine' },
  };
const COMPARE_SECONDS = 2;

/** Sizes in KB with Brotli: the page itself, its scripts and its style sheets. */
async function weighPage(url: string, path: string): Promise<readonly number[]> {
  const measureKb = async (address: string): Promise<number> => {
    const response = await fetch(url + address, { headers: { 'accept-encoding': 'br' } });
    const length = response.headers.get('content-length');
    await response.arrayBuffer();
    return Number(length) / 1000;
  };
  // After some requests, the server compresses at the highest level.
  for (let time = 0; time < 5; time += 1) await measureKb(path);
  await sleep(2500);
  const html = await (await fetch(url + path)).text();
  const sent = await new Promise<number>((resolve, reject) => {
    get(url + path, { headers: { 'accept-encoding': 'br' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes / 1000));
    }).on('error', reject);
  });
  const sum = async (files: readonly string[]): Promise<number> =>
    (await Promise.all([...new Set(files)].map((file) => measureKb(file)))).reduce(
      (total, kilobytes) => total + kilobytes,
      0,
    );
  const sheets = [...html.matchAll(/<link (?![^>]*disabled)[^>]*href="([^"]+\.css)"/g)].map(([, href = '']) => href);
  return [sent, await sum(html.match(/\/assets\/[\w.-]+\.js/g) ?? []), await sum(sheets)];
}

type Start = (script: string, settings: Readonly<Record<string, string>>) => Promise<Server>;

async function compare(startShop: Start, hello: Server, runs: number): Promise<void> {
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  for (const [name, { script, render, pages }] of Object.entries(COMPARED)) {
    const measure = async (shop: Server, getPath: (index: number) => string) => {
      const rounds: (readonly [number, number])[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const bare = await measureLoad({ ...hello, getPath: () => '/' }, COMPARE_SECONDS);
        const own = await measureLoad({ ...shop, getPath, headers }, COMPARE_SECONDS);
        rounds.push([own.perSecond / bare.perSecond, computeRatio(own.cpuMs, bare.cpuMs)]);
      }
      const [rate, cpu] = [
        computeMedian(rounds.map(([value]) => value)),
        computeMedian(rounds.map(([, value]) => value)),
      ];
      return `rate ${rate.toFixed(3)}, CPU ${cpu.toFixed(1)}`;
    };
    const rendering = await startShop(render, { PAGES: pages });
    for (const { what, getPath } of RENDERED.slice(0, 3))
      console.log(`${name}: ${what}: ${await measure(rendering, getPath)}`);
    await stop(rendering);
    const shop = await startShop(script, { PAGES: pages });
    const url = `http://localhost:${shop.port}`;
    for (const { what, getPath } of CACHED.slice(0, 2))
      console.log(`${name}: ${what}: ${await measure(shop, getPath)}`);
    for (const path of PAGES) {
      const [html = 0, scripts = 0, styles = 0] = await weighPage(url, path);
      const total = html + scripts + styles;
      console.log(
        `${name}: ${path}: HTML ${html.toFixed(1)}, script ${scripts.toFixed(1)}, style sheets ${styles.toFixed(1)}, ` +
          `total ${total.toFixed(1)} KB`,
      );
    }
    await benchBrowser(url, runs, pages === 'stock');
    await stop(shop);
  }
}

const [half = '', runs = '1'] = process.argv.slice(2);
if ((await buildWhenStale()) === 'failed') process.exit(1);
if (half === 'compare' && (await buildWhenStale('stock')) === 'failed') process.exit(1);
const dataDir = makeTemporaryDirectory();
const servers = new Set<Server>();
try {
  await fillFromTemplate(dataDir);
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMITS: 'off', DEVCHAIN_AUTOMINE: 'off' };
  const runWithServer = async (script: string, measure: (shop: Server) => Promise<void>) => {
    const shop = await start(['scripts/run.mjs', script], settings);
    servers.add(shop);
    await measure(shop);
    await stop(shop);
    servers.delete(shop);
  };
  if (half === 'compare') {
    const hello = await start(['-e', HELLO], {});
    servers.add(hello);
    await compare(
      async (script, more) => {
        const shop = await start(['scripts/run.mjs', script], { ...settings, ...more });
        servers.add(shop);
        return shop;
      },
      hello,
      Number(runs),
    );
  } else if (half !== 'browser') {
    const hello = await start(['-e', HELLO], {});
    servers.add(hello);
    await runWithServer('start', (shop) => benchServer(CACHED, shop, hello));
    await runWithServer('bench/support/start-without-cache', (shop) => benchServer(RENDERED, shop, hello));
  }
  if (half !== 'server' && half !== 'compare')
    await runWithServer('start', ({ port }) => benchBrowser(`http://localhost:${port}`, Number(runs)));
} finally {
  for (const server of servers) await stop(server);
  endOrphanedDatabase(dataDir);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
