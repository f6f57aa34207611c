import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSatsPerVbyte, isFeeLow } from './fee-advice.ts';

const waiting = { feePerKvb: 1_000n, height: null, isLive: true };

test('[PAY-10] a fee is low below the estimate for a confirmation within a day', () => {
  assert.equal(isFeeLow(waiting, 1_001n), true);
  assert.equal(isFeeLow(waiting, 1_000n), false);
});

test('[PAY-10] no fee is low that is not known, was enough, or is compared with nothing', () => {
  assert.equal(isFeeLow({ ...waiting, feePerKvb: null }, 5_000n), false);
  assert.equal(isFeeLow(waiting, null), false);
  assert.equal(isFeeLow({ ...waiting, height: 100 }, 5_000n), false);
  assert.equal(isFeeLow({ ...waiting, isLive: false }, 5_000n), false);
});

test('[PAY-10] a fee rate is told in satoshi a virtual byte', () => {
  assert.deepEqual([1_239n, 1_000n, null, undefined].map(toSatsPerVbyte), [1.23, 1, null, null]);
});
