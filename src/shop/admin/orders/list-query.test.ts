import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOrderFilter, toFilterQuery } from './list-query.ts';

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
