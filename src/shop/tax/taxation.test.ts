import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import { computeTax } from './compute-tax.ts';
import { EU_COUNTRIES } from './vat-number.ts';
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
  // A country without a rate of its own too.
  assert.equal(resolve('AT', 'ATU12345678').isReverseCharge, true);
  assert.equal(resolve('US', 'ATU12345678').isReverseCharge, false);
});

test('[OPS-15] ignores VAT numbers while reverse charge is off', () => {
  const off = { ...SETTINGS, hasReverseCharge: false };
  const taxation = resolveTaxation(off, { country: 'FR', vatNumber: 'FR83404833048' });
  assert.deepEqual([taxation.buyerVatNumber, taxation.isReverseCharge], [null, false]);
});

test('[OPS-15] a country of the union without rates has those of home', () => {
  assert.deepEqual(resolve('AT').rates, resolve('DE').rates);
  const outside = resolveTaxation({ ...SETTINGS, homeCountry: 'GB' }, { country: 'AT', vatNumber: null });
  assert.equal(outside.isTaxed, false);
  const unset = resolveTaxation({ ...SETTINGS, homeCountry: '' }, { country: 'AT', vatNumber: null });
  assert.equal(unset.isTaxed, false);
});

/** A number of each country that has its form. */
const NUMBERS: Readonly<Record<string, string>> = { DE: 'DE123456789', FR: 'FR83404833048', AT: 'ATU12345678' };

/** Net, tax and total of an item for $119.00 in gross prices, or $100.00 in net prices. */
const MATRIX = [
  ['DE', 'consumer', 'gross', 10_000n, 1900n, 11_900n],
  ['DE', 'consumer', 'net', 10_000n, 1900n, 11_900n],
  ['DE', 'business', 'gross', 10_000n, 1900n, 11_900n],
  ['DE', 'business', 'net', 10_000n, 1900n, 11_900n],
  ['FR', 'consumer', 'gross', 9917n, 1983n, 11_900n],
  ['FR', 'consumer', 'net', 10_000n, 2000n, 12_000n],
  ['FR', 'business', 'gross', 9917n, 0n, 9917n],
  ['FR', 'business', 'net', 10_000n, 0n, 10_000n],
  ['AT', 'consumer', 'gross', 10_000n, 1900n, 11_900n],
  ['AT', 'consumer', 'net', 10_000n, 1900n, 11_900n],
  ['AT', 'business', 'gross', 10_000n, 0n, 10_000n],
  ['AT', 'business', 'net', 10_000n, 0n, 10_000n],
  ['US', 'consumer', 'gross', 11_900n, 0n, 11_900n],
  ['US', 'consumer', 'net', 10_000n, 0n, 10_000n],
  ['US', 'business', 'gross', 11_900n, 0n, 11_900n],
  ['US', 'business', 'net', 10_000n, 0n, 10_000n],
] as const;

for (const [country, buyer, priceMode, net, tax, total] of MATRIX) {
  test(`[OPS-15] taxes a ${buyer} of ${country} from ${priceMode} prices`, () => {
    const isBusiness = buyer === 'business';
    const vatNumber = isBusiness ? (NUMBERS[country] ?? 'US1') : null;
    const listCents = cents(priceMode === 'gross' ? 11_900n : 10_000n);
    const taxed = computeTax(
      {
        lines: [{ taxClass: 'standard', listCents }],
        goodsCents: listCents,
        shipping: { name: null, cents: cents(0n) },
      },
      resolveTaxation({ ...SETTINGS, priceMode }, { country, vatNumber }),
    );
    assert.deepEqual([taxed.netCents, taxed.taxCents, taxed.grossCents], [net, tax, total]);
    assert.equal(taxed.isReverseCharge, isBusiness && (country === 'FR' || country === 'AT'));
    assert.equal(taxed.isTaxed, country !== 'US');
  });
}

test('[OPS-15] taxes consumers in every country of the union', () => {
  for (const country of EU_COUNTRIES) assert.ok(resolve(country).rates.standard > 0, country);
});
