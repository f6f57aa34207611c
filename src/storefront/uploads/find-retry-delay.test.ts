import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRetryDelay } from './find-retry-delay.ts';

test('[RET-05] a file is sent again to a busy shop, and not to one without room', () => {
  assert.deepEqual(
    ['5', '10', null, ''].map((retryAfter) => findRetryDelay(503, retryAfter)),
    [5, 10, 2, 2],
  );
  // The disk or the storage of returns is full.
  for (const retryAfter of ['60', '3600', '-1', 'Infinity']) assert.equal(findRetryDelay(503, retryAfter), null);
  for (const status of [400, 409, 413, 429, 500, 502]) assert.equal(findRetryDelay(status, '1'), null);
});
