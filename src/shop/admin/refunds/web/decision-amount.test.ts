import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBtcAtRate, formatValuedBtc } from './decision-amount.ts';

test('[OPS-03] amounts to decide about begin with dollars', () => {
  assert.equal(formatBtcAtRate(0.004578, 111_000), '$508.16, 0.004578 BTC');
  assert.equal(formatBtcAtRate(0.004578, null), '0.004578 BTC');
  assert.equal(formatValuedBtc(0.009, 999), '$999.00, 0.009000 BTC');
});
