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

/** Computes for this long without a break. */
function stall(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** As a start that computes in steps, or requests that each take long. @param ms at least that long in sum */
async function stallRepeatedly(ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    stall(300);
    // Timers that are due run in between.
    await new Promise((resolve) => void setTimeout(resolve));
  }
}

function startServer() {
  const server = fastify();
  const shedder = createLoadShedder(server);
  const listen = () => server.listen({ host: '127.0.0.1', port: 0 });
  const isRefused = async () => !(await shedder.run('render', 'browsing', () => Promise.resolve())).ok;
  return { server, shedder, listen, isRefused };
}

test('[OPS-26] what a start computes refuses no request, what requests compute does', async () => {
  const { server, listen, isRefused } = startServer();
  await stallRepeatedly(1_300);
  await listen();
  assert.equal(await isRefused(), false);
  await stallRepeatedly(1_300);
  assert.equal(await isRefused(), true);
  await server.close();
});

test('[OPS-26] a single stall of 300 ms sheds nothing of a light load', async () => {
  const { server, shedder, listen } = startServer();
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  await listen();
  const light = Array.from({ length: 20 }, () => shedder.run('render', 'browsing', () => Promise.resolve()));
  stall(300);
  const stalledAt = performance.now();
  const isAccepted = (await Promise.all(light)).every(({ ok }) => ok);
  const [meanMs, waitedMs] = [delays.mean / 1e6, performance.now() - stalledAt];
  delays.disable();
  // The machine itself can be late during the whole test.
  const isMachineLate = meanMs > 200 || waitedMs > 500;
  assert.ok(isAccepted || isMachineLate, `a mean delay of ${meanMs} ms, and ${waitedMs} ms to run twenty`);
  await server.close();
});
