import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatCompareUrl, parseComparedSlugs } from './compare-url.ts';

const read = (address: string) => parseComparedSlugs(new URL(address, 'http://shop').searchParams);

test('[CAT-07] an address names the products to compare, in two forms', () => {
  assert.deepEqual(read('/compare?products=a,b'), ['a', 'b']);
  assert.deepEqual(read('/compare?products=a&products=B'), ['a', 'b']);
  assert.deepEqual(read('/compare?products=,a,,a'), ['a']);
  assert.deepEqual(read('/compare'), []);
});

test('[CAT-07] an address of compared products is read back', () => {
  const slug = fc.stringMatching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { maxLength: 120 });
  fc.assert(
    fc.property(fc.uniqueArray(slug, { maxLength: 4 }), (slugs) => {
      assert.deepEqual(read(formatCompareUrl(slugs)), slugs);
    }),
  );
});

test('[CAT-07] an address makes at most eight look-ups', () => {
  fc.assert(fc.property(fc.array(fc.string()), (texts) => parseComparedSlugs({ getAll: () => texts }).length <= 8));
});
