import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGrams, parseTaxClass } from './parse-cells.ts';

test('[OPS-12] [OPS-15] reads weights as Shopify writes them', () => {
  for (const [text, value] of [
    ['850', 850],
    ['850.0', 850],
    ['453,59237', 454],
    ['0.0', null],
  ] as const) {
    assert.deepEqual(parseGrams(text), { ok: true, value });
  }
  for (const text of ['-1', '1 kg', '1000001', '']) assert.equal(parseGrams(text).ok, false, text);
});

test('[OPS-12] [OPS-15] reads the tax classes of the shop and no others', () => {
  assert.deepEqual(parseTaxClass('Reduced'), { ok: true, value: 'reduced' });
  assert.equal(parseTaxClass('P0000000').ok, false);
});
