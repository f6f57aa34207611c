import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTotalProblems, readOrderFilter, toFilterQuery } from './list-query.ts';

const read = (query: string) => toFilterQuery(readOrderFilter(new URLSearchParams(query)));

test('[OPS-13] the list ignores values that no filter has', () => {
  assert.deepEqual(read('status=lost&fulfilment=gone&from=2026-02-31&country=Britain&min=-1&max=1e9&queue=x'), {});
  const valid = 'q=ada&status=paid&fulfilment=shipped&from=2026-02-01&to=2026-02-28&country=GB&min=10&max=99.50';
  assert.deepEqual(read(`${valid}&queue=to-ship&promotion=SPRING&other=1`), {
    ...Object.fromEntries(new URLSearchParams(valid)),
    queue: 'to-ship',
    promotion: 'SPRING',
  });
});

test('[OPS-13] [FMT-04] the list reads typed totals, and names those that are unclear', () => {
  assert.deepEqual(read('min=$ 19,5&max=1.299,50'), { min: '19.50', max: '1299.50' });
  const typed = new URLSearchParams('min=1,299&max=much');
  assert.deepEqual(toFilterQuery(readOrderFilter(typed)), {});
  assert.deepEqual(findTotalProblems(typed), {
    min: { text: '1,299', message: '“1,299” is unclear. Write 1299 or 1.29' },
    max: { text: 'much', message: 'Enter dollars such as 1299.50' },
  });
  assert.deepEqual(findTotalProblems(new URLSearchParams('min=5&max=')), {});
});
