import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkPlaceholders, fillPlaceholders } from './placeholders.ts';

test('[OPS-07] a text without a value for a placeholder is left out', () => {
  assert.equal(fillPlaceholders('From {a} or {b}', { a: '1', b: '2' }), 'From 1 or 2');
  assert.equal(fillPlaceholders('From {a} or {b}', { a: '1', b: null }), null);
  assert.equal(fillPlaceholders('Sets {} and {A b}', {}), 'Sets {} and {A b}');
});

test('[OPS-07] names the unknown placeholder and the known ones', () => {
  assert.equal(
    checkPlaceholders('{from_usd} {price}', ['from_usd']),
    'contains {price}, which is not a placeholder. Use {from_usd}',
  );
  assert.equal(checkPlaceholders('{constructor}', []), 'contains {constructor}; placeholders are not replaced here');
  assert.equal(checkPlaceholders('{from_usd}', ['from_usd']), null);
});

test('[OPS-07] values are inserted once and as they are', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      assert.equal(fillPlaceholders('[{a}]', { a: value }), `[${value}]`);
    }),
  );
  assert.equal(fillPlaceholders('{a}', { a: '{b}', b: 'x' }), '{b}');
  assert.equal(fillPlaceholders('{a}', { a: '$& $1' }), '$& $1');
});
