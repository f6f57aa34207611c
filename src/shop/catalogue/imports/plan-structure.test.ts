import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeOrders } from './plan-structure.ts';

test('[OPS-12] new options keep the order of every product', () => {
  assert.deepEqual(mergeOrders([['color'], ['memory', 'color'], ['chip', 'memory']]), ['chip', 'memory', 'color']);
  assert.deepEqual(mergeOrders([['size', 'plug'], ['kind']]), ['size', 'plug', 'kind']);
  assert.deepEqual(mergeOrders([]), []);
  // Contradicting products: the first one decides.
  assert.deepEqual(
    mergeOrders([
      ['a', 'b'],
      ['b', 'a'],
    ]),
    ['a', 'b'],
  );
});
