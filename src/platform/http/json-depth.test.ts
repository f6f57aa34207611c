import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isTooDeep } from './json-depth.ts';

const nest = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

test('[OPS-32] JSON of more than 32 levels is too deep', () => {
  assert.deepEqual([isTooDeep(nest(32)), isTooDeep(nest(34)), isTooDeep('['.repeat(400_000))], [false, true, true]);
  // Brackets in strings do not count, also behind an escaped quote.
  assert.equal(isTooDeep(JSON.stringify({ a: `"\\"${'['.repeat(100)}\\` })), false);
});

test('[OPS-32] the depth of any JSON text is that of its value', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 40 }), fc.boolean(), (texts, isArray) => {
      const nested = texts.reduce<unknown>((inner, text) => (isArray ? [text, inner] : { [text]: inner, text }), '[{');
      assert.equal(isTooDeep(JSON.stringify(nested)), texts.length > 32);
    }),
  );
});
