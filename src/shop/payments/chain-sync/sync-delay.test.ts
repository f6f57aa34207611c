import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeSyncDelayMs } from './sync-delay.ts';

test('[PAY-09] retries at least every 10 seconds while the node is down', () => {
  const [node, server] = [5_000, 15_000];
  assert.deepEqual(
    [0, 1, 2, 5, 1000].map((failures) => computeSyncDelayMs(node, failures)),
    [5_000, 10_000, 10_000, 10_000, 10_000],
  );
  assert.deepEqual(
    [0, 1, 1000].map((failures) => computeSyncDelayMs(server, failures)),
    [server, server, server],
    'a public server gets no more requests',
  );
});
