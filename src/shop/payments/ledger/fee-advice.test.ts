import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSatsPerVbyte, isFeeLow } from './fee-advice.ts';

const waiting = { feePerKvb: 1_000n, height: null, isLive: true };

test('[PAY-10] a fee below the estimate for a day is low', () => {
  assert.equal(isFeeLow(waiting, 1_001n), true);
  assert.equal(isFeeLow(waiting, 1_000n), false);
});

test('[PAY-10] an unknown or sufficient fee is not low', () => {
  assert.equal(isFeeLow({ ...waiting, feePerKvb: null }, 5_000n), false);
  assert.equal(isFeeLow(waiting, null), false);
  assert.equal(isFeeLow({ ...waiting, height: 100 }, 5_000n), false);
  assert.equal(isFeeLow({ ...waiting, isLive: false }, 5_000n), false);
});

test('[PAY-10] shows a fee rate in satoshis per virtual byte', () => {
  assert.deepEqual([1_239n, 1_000n, null, undefined].map(toSatsPerVbyte), [1.23, 1, null, null]);
});
