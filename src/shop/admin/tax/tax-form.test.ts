import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { EMPTY_COUNTRY, readRate, readTaxFields, toTaxFields } from './tax-form.ts';
import type { TaxFields } from './tax-form.ts';

const FIELDS: TaxFields = {
  price_mode: 'gross',
  tax_name: 'VAT',
  home_country: 'DE',
  has_reverse_charge: true,
  shipping_class: 'standard',
  rates: [{ country: 'DE', standard: '19', reduced: '7', superReduced: '' }],
};

const parsePercent = (text: string): number | null => {
  const read = readRate(text);
  return read.ok ? read.basisPoints : null;
};

test('[OPS-15] reads every percentage of two decimals exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (basisPoints) => {
      assert.equal(parsePercent(String(basisPoints / 100)), basisPoints);
      assert.equal(parsePercent(` ${(basisPoints / 100).toFixed(2)} % `), basisPoints);
      assert.equal(parsePercent((basisPoints / 100).toFixed(2).replace('.', ',')), basisPoints);
    }),
  );
  for (const text of ['', '-1', '100.01', '5,5,5', '1.2345', 'x', '1e1']) assert.equal(parsePercent(text), null, text);
  assert.deepEqual(readRate('1.234'), { ok: false, problem: '“1.234” is unclear. Write 1234 or 1.23.' });
});

test('[OPS-15] reads rates, and leaves out those that are empty', () => {
  const read = readTaxFields(FIELDS);
  assert.ok(read.ok);
  assert.deepEqual(read.settings.rates, [
    { country: 'DE', tax_class: 'standard', basis_points: 1900 },
    { country: 'DE', tax_class: 'reduced', basis_points: 700 },
  ]);
  assert.deepEqual(toTaxFields(read.settings), FIELDS);
});

test('[OPS-15] names the rates that are missing, repeated or not numbers', () => {
  const rates = [...FIELDS.rates, { ...EMPTY_COUNTRY, country: 'DE', standard: 'x' }, EMPTY_COUNTRY];
  const read = readTaxFields({ ...FIELDS, tax_name: ' ', rates });
  assert.deepEqual(read.ok ? [] : Object.keys(read.problems), [
    'tax_name',
    'rates.1.country',
    'rates.1.standard',
    'rates.2.country',
    'rates.2.standard',
  ]);
});
