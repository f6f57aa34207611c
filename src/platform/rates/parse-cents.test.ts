import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseCents } from './parse-cents.ts';

test('parses decimals to the cent, halves up, and nothing else', () => {
  assert.equal(parseCents('65432.10000'), 6_543_210n);
  assert.equal(parseCents('65432.105'), 6_543_211n);
  assert.equal(parseCents('65432.104999999999'), 6_543_210n);
  assert.equal(parseCents('65432'), 6_543_200n);
  assert.equal(parseCents('0.009'), 1n);
  // A float would round these to other amounts.
  assert.equal(parseCents('90071992.54'), 9_007_199_254n);
  assert.equal(parseCents('1.005'), 101n);
  const none = [
    '',
    '0',
    '0.00',
    '0.004',
    '-1',
    '+1',
    '1e5',
    ' 1',
    '1 ',
    '1,000.00',
    '.5',
    '1.',
    'NaN',
    'Infinity',
    '0x10',
    '١٢',
  ];
  for (const text of [...none, '1234567890', `1.${'0'.repeat(13)}`]) assert.equal(parseCents(text), null, text);
});

test('every amount in cents survives formatting and parsing', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 99_999_999_999n), fc.nat(10), (cents, zeros) => {
      const digits = cents.toString().padStart(3, '0');
      assert.equal(parseCents(`${digits.slice(0, -2)}.${digits.slice(-2)}${'0'.repeat(zeros)}`), cents);
    }),
  );
});
