/** Metrics on METRICS_PORT, over HTTP, with real requests, an order and a payment. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { recordBackup } from '#src/platform/database/backup-record.ts';
import './support/built-pages.ts';
import { createOrder } from './support/new-order.ts';
import { startUntilEnd } from './support/operator.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { readMetrics, sumOf } from './support/read-metrics.ts';
import type { Sample } from './support/read-metrics.ts';
import { startSecondProcess } from './support/second-process.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { findFreePort } from './support/shop-process.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { SmtpServer } from './support/smtp-server.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: SpawnedShop;
let port: number;
const smtp = new SmtpServer();
before(async () => {
  await smtp.listen();
  port = await findFreePort();
  shop = await startSpawnedShop({
    settings: { METRICS_PORT: String(port), SMTP_URL: smtp.url, LOG_LEVEL: 'info', DRAIN_SECONDS: '2' },
  });
});
after(async () => {
  // Also if the shop did not start: an open server keeps the process alive.
  await smtp.close();
  await shop.stop();
});

const get = async (path: string): Promise<number> => {
  const response = await fetch(`${shop.url}${path}`);
  await response.arrayBuffer();
  return response.status;
};
const read = (): Promise<Sample[]> => readMetrics(port);
/** Waits for a value: those of the database are read again after five seconds. */
async function waitForValue(
  name: string,
  labels: Sample['labels'],
  isExpected: (value: number) => boolean,
): Promise<void> {
  await waitUntil(async () => {
    const value = sumOf(await read(), name, labels);
    return value !== null && isExpected(value);
  });
}
const isPositive = (value: number): boolean => value > 0;

test('[OPS-20] counts requests by route, and renders by page', async () => {
  for (let times = 0; times < 3; times += 1) assert.equal(await get('/catalog'), 200);
  assert.equal(await get('/api/products?limit=1'), 200);
  assert.equal(await get('/api/products?limit=1'), 200);
  assert.equal(await get('/api/products/not-a-product'), 404);
  const samples = await read();
  const requests = (labels: Sample['labels']): number => sumOf(samples, 'shop_http_requests_total', labels) ?? 0;
  assert.ok(requests({ method: 'GET', route: '/*', status: '2xx' }) >= 3);
  assert.equal(requests({ method: 'GET', route: '/api/products', status: '2xx' }), 2);
  assert.equal(requests({ method: 'GET', route: '/api/products/:slug', status: '4xx' }), 1);
  const durations = { route: '/api/products/:slug', status: '4xx' };
  assert.equal(sumOf(samples, 'shop_http_request_duration_seconds_count', durations), 1);
  assert.equal(sumOf(samples, 'shop_page_render_duration_seconds_count', { page: '/catalog', outcome: 'ok' }), 1);
  assert.ok((sumOf(samples, 'shop_cache_hits_total', { cache: 'pages' }) ?? 0) >= 2);
  assert.equal(sumOf(samples, 'shop_cache_hits_total', { cache: 'api' }), 1);
  assert.ok((sumOf(samples, 'shop_cache_misses_total', { cache: 'pages' }) ?? 0) >= 1);
  assert.ok((sumOf(samples, 'shop_cache_bytes', { cache: 'pages' }) ?? 0) > 1_000);
});

test('[OPS-20] follows an order and its payment', async () => {
  const { id } = await createOrder(shop, 'watched');
  await waitForValue('shop_orders', { status: 'pending' }, (value) => value === 1);
  assert.equal(sumOf(await read(), 'shop_payments', { state: 'awaiting' }), 1);
  await waitForValue('shop_order_events_total', { kind: 'created' }, (value) => value === 1);
  await shop.api('POST', '/dev/pay', { body: { order_id: id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  await waitForValue('shop_payments', { state: 'paid' }, (value) => value === 1);
  await waitForValue('shop_order_events_total', { kind: 'paid' }, (value) => value === 1);
  const samples = await read();
  assert.equal(sumOf(samples, 'shop_orders', { status: 'paid' }), 1);
  assert.equal(sumOf(samples, 'shop_orders', { status: 'pending' }), 0);
  assert.equal(sumOf(samples, 'shop_orders_to_ship'), 1);
});

test('[OPS-20] shows chain, rate, jobs, connections and the event loop', async () => {
  // The shop starts with a job that was due when the database of the tests was made. The age of the oldest job is read
  // from the database every five seconds only, so it can still show that job after it has run.
  const hourly = { queue: 'hourly', outcome: 'ok' };
  await waitForValue('shop_job_duration_seconds_count', hourly, isPositive);
  await waitForValue('shop_jobs_oldest_age_seconds', { queue: 'hourly' }, (seconds) => seconds < 600);
  const samples = await read();
  const value = (name: string, labels: Sample['labels'] = {}): number =>
    sumOf(samples, name, labels) ?? assert.fail(`${name} is missing`);
  assert.ok(value('shop_chain_tip_height') >= 6);
  assert.ok(value('shop_chain_lag_seconds') < 120);
  assert.ok(value('shop_chain_tip_age_seconds') < 600);
  assert.ok(value('shop_chain_pass_duration_seconds_count', { step: 'sync', outcome: 'ok' }) > 0);
  assert.deepEqual([value('shop_rate_usd'), value('shop_rate_state', { state: 'current' })], [111_000, 1]);
  assert.ok(value('shop_rate_age_seconds') < 60);
  assert.ok(value('shop_jobs', { queue: 'mail' }) >= 0);
  assert.ok(value('shop_database_connections') > 0);
  assert.equal(value('shop_database_waiting'), 0);
  assert.ok(value('shop_disk_free_bytes') > 1_000_000);
  assert.ok(value('nodejs_eventloop_lag_p99_seconds') > 0);
  assert.ok(value('process_resident_memory_bytes') > 10_000_000);
  for (const part of ['database', 'disk', 'chain', 'rate', 'jobs'])
    assert.equal(value('shop_part_ok', { part }), 1, part);
  assert.equal(value('shop_metrics_sources_failed'), 0);
});

test('[OPS-20] shows failing mails and the age of the backup', async () => {
  await waitForValue('shop_mails_total', { outcome: 'delivered' }, isPositive);
  const readyz = async (): Promise<unknown> => (await fetch(`${shop.url}/readyz`)).json();
  assert.equal(textAt(await readyz(), 'mail'), 'sending');
  assert.deepEqual([textAt(await readyz(), 'backup'), valueAt(await readyz(), 'backup_age_s')], ['current', null]);
  assert.ok(Number.isNaN(sumOf(await read(), 'shop_backup_age_seconds')));
  smtp.behaviour = { replies: { HELLO: '421 later' } };
  await createOrder(shop, 'unreachable');
  await waitForValue('shop_mails_total', { outcome: 'failed' }, isPositive);
  await waitForValue('shop_mails_retried', {}, isPositive);
  await waitUntil(async () => textAt(await readyz(), 'mail') === 'failing');
  assert.equal((await fetch(`${shop.url}/readyz`)).status, 200, 'the shop still sells');
  assert.equal(sumOf(await read(), 'shop_part_ok', { part: 'mail' }), 0);
  await runWithShopDatabase(shop, (db) => recordBackup(db, new Date(Date.now() - 3_600_000), 'other'));
  await waitForValue('shop_backup_age_seconds', {}, (age) => age >= 3_600 && age < 4_200);
  await waitUntil(async () => Number(valueAt(await readyz(), 'backup_age_s')) >= 3_600);
  smtp.behaviour = {};
});

const request = async (path: string, method = 'GET'): Promise<void> => {
  await (await fetch(`${shop.url}${path}`, { method })).arrayBuffer();
};
const kinds = (key: string): string[] => [`/${key}`, `/api/${key}`, `/catalog/product/${key}`, `/api/products/${key}`];

test('[OPS-20] random paths, methods and hosts add no labels', async () => {
  const countSeries = async (): Promise<number> =>
    (await read()).filter(({ name }) => /^shop_(?:http|page)_/.test(name)).length;
  for (const path of kinds('first')) for (const method of ['GET', 'POST', 'PROPFIND']) await request(path, method);
  const series = await countSeries();
  for (let times = 0; times < 250; times += 1) {
    await Promise.all(kinds(randomBytes(6).toString('hex')).map((path) => request(path)));
  }
  await request('/c', 'PROPFIND');
  assert.equal(await countSeries(), series);
  const samples = await read();
  assert.ok((sumOf(samples, 'shop_http_requests_total') ?? 0) > 1_000);
  for (const { labels } of samples)
    for (const text of Object.values(labels)) assert.doesNotMatch(text, /first|watched|@|[0-9a-f]{8}-/, text);
});

test('[OPS-20] the port of the metrics serves the state of every part', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  assert.equal(response.status, 200);
  const parts: unknown = await response.json();
  assert.deepEqual(
    [textAt(parts, 'status'), textAt(parts, 'database'), textAt(parts, 'chain')],
    ['ready', 'ready', 'up'],
  );
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`, { method: 'POST' })).status, 405);
});

test('[OPS-20] metrics are served on their own port only', async () => {
  const html = await (await fetch(`${shop.url}/metrics`)).text();
  assert.doesNotMatch(html, /shop_http_requests_total|# HELP/);
  assert.equal(await get('/api/metrics'), 404);
  const own = `http://127.0.0.1:${port}`;
  for (const path of ['/', '/catalog', '/metrics/x', '/readyz/x'])
    assert.equal((await fetch(own + path)).status, 404, path);
  assert.equal((await fetch(`${own}/metrics`, { method: 'POST' })).status, 405);
  const response = await fetch(`${own}/metrics`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  await response.arrayBuffer();
});

test('[OPS-20] a second process on the same METRICS_PORT sells on, and takes it over', async (t) => {
  const taken = await findFreePort();
  const other = createServer();
  t.after(() => other.close());
  await new Promise((resolve) => other.listen(taken, '127.0.0.1', () => resolve(null)));
  const settings = { METRICS_PORT: String(taken), SMTP_URL: smtp.url, LOG_LEVEL: 'info' };
  const second = await startSecondProcess(shop, settings);
  t.after(() => second.stop());
  const notOpened = /"reason":"EADDRINUSE".*METRICS_PORT could not be opened: the shop goes on/;
  await waitUntil(() => notOpened.test(second.readOutput()));
  assert.equal((await fetch(`${second.url}/api/products?limit=1`)).status, 200);
  await new Promise((resolve) => other.close(resolve));
  await waitUntil(() => second.readOutput().includes('metrics are served'));
  assert.equal(second.readOutput().split('METRICS_PORT could not be opened').length, 2, 'logged once');
  const [own, others] = [await readMetrics(taken), await read()];
  for (const name of ['shop_orders', 'shop_orders_to_ship', 'shop_chain_tip_height'])
    assert.equal(sumOf(own, name), sumOf(others, name), name);
  assert.equal(sumOf(own, 'shop_http_requests_total', { route: '/api/products' }), 1);
});

test('[OPS-20] METRICS_PORT must not be the port of the shop', async () => {
  const { code, output } = await startUntilEnd({ PORT: '4321', METRICS_PORT: '4321' });
  assert.equal(code, 1);
  assert.match(output, /^ {2}METRICS_PORT: must not be PORT/m);
});

/** Names of the metrics in expressions. */
const listNames = (expressions: readonly string[]): string[] => [
  ...new Set(expressions.flatMap((text) => text.match(/\b(?:shop|nodejs|process)_[a-z0-9_]+/g) ?? [])),
];

async function assertExist(expressions: readonly string[]): Promise<void> {
  const names = new Set((await read()).map(({ name }) => name));
  const used = listNames(expressions);
  assert.ok(used.length > 8, used.join());
  assert.deepEqual(
    used.filter((name) => !names.has(name)),
    [],
  );
  // Values of labels that the shop names itself.
  const values = expressions.flatMap((text) => [...text.matchAll(/\b(part|kind|step|outcome)=~?"([\w|]+)"/g)]);
  const labels = new Set((await read()).flatMap((sample) => Object.entries(sample.labels).map((one) => one.join('='))));
  for (const [, key = '', alternatives = ''] of values)
    for (const value of alternatives.split('|')) assert.ok(labels.has(`${key}=${value}`), `${key}=${value}`);
}

test('[OPS-20] every panel of the dashboard has a title, a unit and metrics that exist', async () => {
  const dashboard: unknown = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8'));
  const panels = listAt(dashboard, 'panels').filter((panel) => textAt(panel, 'type') !== 'row');
  assert.ok(panels.length > 20);
  const ids = listAt(dashboard, 'panels').map((panel) => valueAt(panel, 'id'));
  assert.equal(new Set(ids).size, ids.length);
  for (const panel of panels) {
    const title = textAt(panel, 'title');
    assert.ok(title !== '' && textAt(panel, 'fieldConfig', 'defaults', 'unit') !== '', title);
    assert.equal(textAt(panel, 'datasource', 'uid'), '${datasource}');
  }
  await assertExist(panels.flatMap((panel) => listAt(panel, 'targets').map((target) => textAt(target, 'expr'))));
});

test('[OPS-20] alerts use metrics that exist and name sections of the manual', async () => {
  const text = readFileSync('deploy/prometheus-alerts.yml', 'utf8');
  const list = (key: string): string[] =>
    [...text.matchAll(new RegExp(`^ +(?:- )?${key}: (.+)$`, 'gm'))].map(([, value = '']) => value.replaceAll("'", ''));
  const [alerts, expressions, manual] = [list('alert'), list('expr'), list('manual')];
  assert.ok(alerts.length >= 10);
  assert.deepEqual([expressions.length, list('summary').length, manual.length], Array(3).fill(alerts.length));
  assert.equal(new Set(alerts).size, alerts.length);
  await assertExist(expressions);
  const sections = readFileSync('docs/operating.md', 'utf8');
  for (const title of manual) assert.match(sections, new RegExp(`^##+ ${title}$`, 'm'), title);
});

test('[OPS-20] the advice on scaling names metrics that exist', async () => {
  await (await fetch(`${shop.url}/api/products?limit=1`)).arrayBuffer();
  // A histogram has a sample for its count.
  const names = new Set((await read()).map(({ name }) => name.replace(/_count$/, '')));
  const advised = listNames([readFileSync('docs/scaling.md', 'utf8')]);
  assert.ok(advised.length > 8, advised.join());
  assert.deepEqual(
    advised.filter((name) => !names.has(name)),
    [],
  );
});

const fetchReadiness = () => fetch(`http://127.0.0.1:${port}/readyz`);

test('[OPS-20] [OPS-22] the port of the metrics reports a shop that drains', async () => {
  const ready = await fetchReadiness();
  assert.deepEqual([ready.status, textAt(await ready.json(), 'status')], [200, 'ready']);
  const stopped = shop.stop();
  await waitUntil(async () => {
    const report = await fetchReadiness();
    return report.status === 503 && textAt(await report.json(), 'status') === 'draining';
  });
  await stopped;
});
