import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_TAX, resolveTaxation } from './taxation.ts';
import type { TaxSettings } from './taxation.ts';

const SETTINGS: TaxSettings = {
  ...NO_TAX,
  homeCountry: 'DE',
  hasReverseCharge: true,
  rates: [
    { country: 'DE', taxClass: 'standard', basisPoints: 1900 },
    { country: 'DE', taxClass: 'reduced', basisPoints: 700 },
    { country: 'FR', taxClass: 'standard', basisPoints: 2000 },
  ],
};
const resolve = (country: string, vatNumber: string | null = null) => resolveTaxation(SETTINGS, { country, vatNumber });

test('[OPS-15] takes the rates of the delivery country', () => {
  assert.deepEqual(resolve('DE').rates, { standard: 1900, reduced: 700, 'super-reduced': 1900, zero: 0 });
  assert.deepEqual(resolve('FR').rates, { standard: 2000, reduced: 2000, 'super-reduced': 2000, zero: 0 });
  assert.equal(resolve('US').isTaxed, false);
  assert.deepEqual(resolve('US').rates, { standard: 0, reduced: 0, 'super-reduced': 0, zero: 0 });
});

test('[OPS-15] reverses the charge for businesses of other member states', () => {
  assert.equal(resolve('FR', 'FR83404833048').isReverseCharge, true);
  assert.equal(resolve('FR', 'fr 83 404 833 048').buyerVatNumber, 'FR83404833048');
  assert.equal(resolve('FR').isReverseCharge, false);
  assert.equal(resolve('FR', 'FR1').isReverseCharge, false);
  // In the shop's own country the number is kept, and the tax is charged.
  assert.equal(resolve('DE', 'DE123456789').isReverseCharge, false);
  assert.equal(resolve('DE', 'DE123456789').buyerVatNumber, 'DE123456789');
  // A country without rates has no tax that could be reversed.
  assert.equal(resolve('AT', 'ATU12345678').isReverseCharge, false);
});

test('[OPS-15] ignores VAT numbers while reverse charge is off', () => {
  const off = { ...SETTINGS, hasReverseCharge: false };
  const taxation = resolveTaxation(off, { country: 'FR', vatNumber: 'FR83404833048' });
  assert.deepEqual([taxation.buyerVatNumber, taxation.isReverseCharge], [null, false]);
});
