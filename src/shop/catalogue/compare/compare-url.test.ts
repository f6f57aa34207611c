import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatCompareUrl, parseComparedSlugs } from './compare-url.ts';

const read = (address: string) => parseComparedSlugs(new URL(address, 'http://shop').searchParams);

test('[CAT-07] parses both forms of the compared products', () => {
  assert.deepEqual(read('/compare?products=a,b'), ['a', 'b']);
  assert.deepEqual(read('/compare?products=a&products=B'), ['a', 'b']);
  assert.deepEqual(read('/compare?products=,a,,a'), ['a']);
  assert.deepEqual(read('/compare'), []);
});

test('[CAT-07] round-trips the address of compared products', () => {
  const slug = fc.stringMatching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { maxLength: 120 });
  fc.assert(
    fc.property(fc.uniqueArray(slug, { maxLength: 4 }), (slugs) => {
      assert.deepEqual(read(formatCompareUrl(slugs)), slugs);
    }),
  );
});

test('[CAT-07] looks up at most eight products', () => {
  fc.assert(fc.property(fc.array(fc.string()), (texts) => parseComparedSlugs({ getAll: () => texts }).length <= 8));
});
