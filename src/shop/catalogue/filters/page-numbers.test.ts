import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { listPageNumbers } from './page-numbers.ts';

test('[CAT-06] lists the first, last, current and neighbouring pages', () => {
  assert.deepEqual(listPageNumbers(1, 1), [1]);
  assert.deepEqual(listPageNumbers(1, 9), [1, 2, 9]);
  assert.deepEqual(listPageNumbers(5, 9), [1, 4, 5, 6, 9]);
  assert.deepEqual(listPageNumbers(9, 9), [1, 8, 9]);
});

test('[CAT-06] lists few ascending numbers within bounds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 }), (a, b) => {
      const [current, last] = [Math.min(a, b), Math.max(a, b)];
      const pages = listPageNumbers(current, last);
      assert.ok(pages.length <= 5 && pages.includes(current) && pages.includes(1) && pages.includes(last));
      assert.ok(pages.every((page, at) => page >= 1 && page <= last && page > (pages[at - 1] ?? 0)));
    }),
  );
});
