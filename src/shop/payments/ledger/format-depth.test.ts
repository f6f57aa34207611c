import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDepth } from './format-depth.ts';

test('[OPS-03] confirmations never look like more than all of those needed', () => {
  assert.equal(formatDepth(0, 2), '0 of 2');
  assert.equal(formatDepth(2, 2), '2 of 2');
  assert.equal(formatDepth(3, 2), '3 (2 needed)');
  assert.equal(formatDepth(1_234, 6), '1,234 (6 needed)');
});
