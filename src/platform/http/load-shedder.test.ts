import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import fastify from 'fastify';
import type { Priority } from './priority.ts';
import { createDelayBasedShedder, createLoadShedder } from './load-shedder.ts';

const ALL: readonly Priority[] = ['critical', 'normal', 'browsing'];

async function listAccepted(delayMs: number): Promise<Priority[]> {
  const shedder = createDelayBasedShedder(() => delayMs);
  const accepted: Priority[] = [];
  for (const importance of ALL) {
    const done = await shedder.run('call', importance, () => Promise.resolve('done'));
    if (done.ok) accepted.push(importance);
    else assert.deepEqual([done.refusal.status, done.refusal.retryAfterSeconds], [503, 2]);
  }
  return accepted;
}

test('[OPS-26] a late event loop sheds browsing first and checkouts last', async () => {
  assert.deepEqual(await listAccepted(0), ALL);
  assert.deepEqual(await listAccepted(200), ALL);
  assert.deepEqual(await listAccepted(201), ['critical', 'normal']);
  assert.deepEqual(await listAccepted(501), ['critical']);
  assert.deepEqual(await listAccepted(801), []);
  assert.deepEqual(await listAccepted(Number.POSITIVE_INFINITY), ['critical']);
});

test('[OPS-26] a single stall of 300 ms sheds nothing of a light load', async () => {
  const server = fastify();
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const shedder = await createLoadShedder(server);
  await server.ready();
  const light = Array.from({ length: 20 }, () => shedder.run('render', 'browsing', () => Promise.resolve()));
  for (const end = performance.now() + 300; performance.now() < end;);
  const stalledAt = performance.now();
  const isAccepted = (await Promise.all(light)).every(({ ok }) => ok);
  const [meanMs, waitedMs] = [delays.mean / 1e6, performance.now() - stalledAt];
  delays.disable();
  // The machine itself can be late during the whole test.
  const isMachineLate = meanMs > 200 || waitedMs > 500;
  assert.ok(isAccepted || isMachineLate, `a mean delay of ${meanMs} ms, and ${waitedMs} ms to run twenty`);
  await server.close();
});
