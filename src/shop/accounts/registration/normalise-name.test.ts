import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isSomeoneElsesAddress, normaliseName } from './normalise-name.ts';

test('normalises look-alike names to one name', () => {
  for (const name of ['Alice', ' alice ', 'ＡＬＩＣＥ', 'al\u200bice', 'aLICE\u00ad'])
    assert.equal(normaliseName(name), 'alice');
  for (const name of ['Jose\u0301', 'Jose\u200d\u0301']) assert.equal(normaliseName(name), normaliseName('José'));
  assert.equal(normaliseName('a \t b'), 'a b');
  assert.notEqual(normaliseName('alice'), normaliseName('alicf'));
});

test('returns null for an empty or too long name', () => {
  for (const name of ['', '  ', '\u200b\u2060', '\u{fdfa}'.repeat(60)]) assert.equal(normaliseName(name), null);
});

const anything = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
const tricky = fc.constantFrom(
  'e',
  'I',
  'İ',
  'ß',
  'ſ',
  'Σ',
  '\u0301',
  '\u0307',
  '\u200d',
  '\uffa0',
  '\u1100',
  '\u1161',
  'ﬁ',
  '\u3000',
);

test('normalises idempotently', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(tricky, anything), maxLength: 60 }), (name) => {
      const key = normaliseName(name);
      assert.equal(key === null ? null : normaliseName(key), key);
    }),
    { numRuns: 2000 },
  );
});

test('accepts an email address as username only if it is one’s own', () => {
  assert.equal(isSomeoneElsesAddress('bob@shop.example', 'mallory@shop.example'), true);
  assert.equal(isSomeoneElsesAddress('bob@shop.example', 'bob@shop.example'), false);
  assert.equal(isSomeoneElsesAddress('bob', 'bob@shop.example'), false);
});
