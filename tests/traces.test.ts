/** Traces, sent to a collector over HTTP, and what is not loaded without the setting. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import './support/built-pages.ts';
import { FakeCollector } from './support/fake-collector.ts';
import type { ReceivedSpan } from './support/fake-collector.ts';
import { createOrder } from './support/new-order.ts';
import { startTestShop } from './support/shop.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { TestShop } from './support/shop.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
const collector = new FakeCollector();
before(async () => {
  await collector.open();
  shop = await startTestShop({
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_SERVICE_NAME: 'watched-shop' },
  });
});
after(async () => {
  // Also if the shop did not start: an open server keeps the process alive.
  await collector.close();
  await shop.stop();
});

/** Waits for a span, and returns it with the spans below it. */
async function waitForSpan(name: string): Promise<{ span: ReceivedSpan; children: readonly ReceivedSpan[] }> {
  await waitUntil(() => collector.spans.some((span) => span.name === name));
  const span = collector.spans.findLast((one) => one.name === name) ?? assert.fail(name);
  const { spans } = collector;
  return {
    span,
    children: spans.filter(({ parentSpanId, traceId }) => traceId === span.traceId && parentSpanId !== ''),
  };
}

const isInsert = ({ attributes }: ReceivedSpan): boolean =>
  /insert into "?orders\b/.test(String(attributes['db.query.text']));

test('[OPS-20] sends a request with its database statements as one trace', async () => {
  await createOrder(shop, 'traced');
  const { span, children } = await waitForSpan('POST /api/cart/checkout');
  assert.deepEqual([...collector.paths], ['/v1/traces']);
  assert.equal(span.service, 'watched-shop');
  assert.equal(span.parentSpanId, '');
  assert.equal(span.attributes['http.route'], '/api/cart/checkout');
  assert.equal(Number(span.attributes['http.response.status_code']), 201);
  const statements = children.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
  assert.equal(statements.find(isInsert)?.parentSpanId, span.spanId);
  assert.ok(statements.some(({ name }) => name === 'COMMIT'));
});

test('[OPS-20] the span of a request carries the id of its response', async () => {
  const response = await fetch(`${shop.url}/api/products/not-a-product`, {
    headers: { traceparent: '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01' },
  });
  await response.arrayBuffer();
  const { span } = await waitForSpan('GET /api/products/:slug');
  assert.equal(span.attributes['shop.request_id'], response.headers.get('x-request-id'));
  assert.notEqual(span.traceId, 'a'.repeat(32), 'a client does not choose the trace');
});

test('[OPS-20] sends renders, jobs and passes of chain sync', async () => {
  await (await fetch(`${shop.url}/catalog`)).arrayBuffer();
  const { span: render } = await waitForSpan('render /catalog');
  const { span: page } = await waitForSpan('GET /*');
  assert.equal(render.traceId, page.traceId);
  const pass = await waitForSpan('chain sync');
  assert.ok(pass.children.some(({ name }) => name === 'SELECT'));
  const job = await waitForSpan('job mail');
  assert.ok(job.children.some(({ attributes }) => attributes['db.system.name'] === 'postgresql'));
});

test('[OPS-20] traces contain no name, address or path of a visitor', () => {
  for (const personal of ['traced@', '"traced"', 'Lovelace', 'W8 4AA', 'not-a-product'])
    assert.ok(!collector.received.includes(personal), personal);
});

test('[OPS-20] a collector that fails is logged and does not slow the shop', async () => {
  collector.status = 400;
  await (await fetch(`${shop.url}/api/faq`)).arrayBuffer();
  await waitUntil(() => shop.readOutput().includes('traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT'));
  assert.equal((await fetch(`${shop.url}/api/products?limit=1`)).status, 200);
  collector.status = 200;
});

test('[OPS-20] loads no library of metrics or traces without their settings', async (t) => {
  const directory = makeTemporaryDirectory();
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'modules');
  const recorder = pathToFileURL(join(import.meta.dirname, 'support', 'record-modules.ts')).href;
  const plain = await startSpawnedShop({ settings: { RECORD_MODULES: file, NODE_OPTIONS: `--import=${recorder}` } });
  t.after(() => plain.stop());
  await (await fetch(`${plain.url}/catalog`)).arrayBuffer();
  const loaded = readFileSync(file, 'utf8').split('\n');
  assert.ok(loaded.some((url) => url.endsWith('/telemetry/open-telemetry.ts')));
  assert.deepEqual(
    loaded.filter((url) => /prom-client|opentelemetry\/|prometheus-metrics|telemetry\/traces/.test(url)),
    [],
  );
});
