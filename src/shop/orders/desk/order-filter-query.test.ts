import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { normaliseFilterQuery } from './order-filter-query.ts';

test('[OPS-13] a saved filter holds only parameters of the list', () => {
  assert.equal(normaliseFilterQuery('?page=3&status=paid&q=%20ada%20&other=1&from='), 'q=ada&status=paid');
  assert.equal(normaliseFilterQuery(''), '');
});

test('[OPS-13] saving a filter twice saves the same query', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      const once = normaliseFilterQuery(query);
      assert.equal(normaliseFilterQuery(once), once);
    }),
  );
});
