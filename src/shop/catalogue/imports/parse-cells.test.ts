import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTaxClass } from '../editing/parse-texts.ts';
import { isShortened, parseGrams, parsePosition, parsePrice, parseQuantity } from './parse-cells.ts';
import { parseFlag } from './parse-flag.ts';

test('[OPS-12] [OPS-15] reads weights as Shopify writes them', () => {
  for (const [text, value] of [
    ['850', 850],
    ['850.0', 850],
    ['453,59237', 454],
    ['907.003303052', 907],
    ['0.4', 1],
    ['1000000.4', 1_000_000],
    ['0.0', null],
  ] as const) {
    assert.deepEqual(parseGrams(text), { ok: true, value });
  }
  // In a file with points before decimals, a comma groups thousands.
  assert.deepEqual(parseGrams('226.796', '.'), { ok: true, value: 227 });
  assert.deepEqual(parseGrams('226,796', '.'), { ok: true, value: 226_796 });
  assert.equal(parseGrams('226.796').ok, false);
  for (const text of ['-1', '1 kg', '1000001', '']) assert.equal(parseGrams(text).ok, false, text);
});

test('[OPS-31] reads TRUE and FALSE as spreadsheets write them', () => {
  for (const text of ['TRUE', 'WAHR', 'Vrai', 'OUI', 'Verdadeiro', 'DOĞRU', 'doğru', 'ИСТИНА', '1']) {
    assert.deepEqual(parseFlag(text), { ok: true, value: true }, text);
  }
  for (const text of ['false', 'FALSCH', 'FAUX', 'Non', 'FALSO', 'YANLIŞ', 'yanlış', 'HAYIR', 'ЛОЖЬ', '0']) {
    assert.deepEqual(parseFlag(text), { ok: true, value: false }, text);
  }
  for (const text of ['maybe', '', 'constructor', '2']) assert.equal(parseFlag(text).ok, false, text);
});

test('[OPS-31] knows numbers that a spreadsheet has shortened', () => {
  for (const text of ['1.95E+11', '4E+12', '8,90123e+12']) assert.equal(isShortened(text), true, text);
  for (const text of ['1E5', 'CASE+11', '4006381333931', '1.95E+11A']) assert.equal(isShortened(text), false, text);
});

test('[OPS-12] [OPS-15] reads the tax classes of the shop and no others', () => {
  assert.deepEqual(parseTaxClass('Reduced'), { ok: true, value: 'reduced' });
  assert.equal(parseTaxClass('P0000000').ok, false);
});

test('[OPS-12] [FMT-04] refuses thousands that could be decimals', () => {
  const whole = { ok: false, reason: '“1,000” is unclear. Write 1000 without a separator' };
  assert.deepEqual(parseQuantity('1,000'), whole);
  assert.deepEqual(parsePosition('1,000'), whole);
  assert.deepEqual(parseGrams('1,500'), { ok: false, reason: '“1,500” is unclear. Write 1500 or 1.5000' });
  assert.deepEqual(parsePrice('1.299'), { ok: false, reason: '“1.299” is unclear. Write 1299 or 1.29' });
  assert.deepEqual(parsePrice('1e3'), { ok: false, reason: '“1e3” is not a price such as 1299.00' });
});

test('[OPS-12] [FMT-04] reads amounts of spreadsheets in every notation', () => {
  for (const text of [
    '1299.5',
    '1299,50',
    '1,299.50',
    '1.299,50',
    '1 299,50',
    '1\u00A0299,50',
    '$1299.50',
    '$1,299.50',
  ]) {
    assert.deepEqual(parsePrice(text), { ok: true, value: 129_950n }, text);
  }
  for (const text of ['1000', '1000.0', '1 000', '1,000.00', '1.000,00']) {
    assert.deepEqual(parseQuantity(text), { ok: true, value: 1000 }, text);
  }
  assert.deepEqual(parseQuantity('-3'), { ok: true, value: -3 });
  assert.equal(parseQuantity('1.5').ok, false);
  assert.equal(parseQuantity('1000001').ok, false);
  assert.equal(parsePosition('9999999999').ok, false);
});
