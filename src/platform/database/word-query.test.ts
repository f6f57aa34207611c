import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createWordQuery } from './word-query.ts';

test('[OPS-13] the search needs all words or their beginnings', () => {
  assert.equal(createWordQuery('Ada O’Brien, W8 4AA'), "'ada':* & 'o' & 'brien':* & 'w8':* & '4aa':*");
  assert.equal(createWordQuery(' -_%!&|():* '), null);
});

test('[OPS-13] no text changes the structure of the search', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const query = createWordQuery(text);
      assert.ok(query === null || /^'[^'\\\s]+'(?::\*)?(?: & '[^'\\\s]+'(?::\*)?)*$/u.test(query));
    }),
  );
});
