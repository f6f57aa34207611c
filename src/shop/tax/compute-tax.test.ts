import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import { allocate } from './allocate.ts';
import { computeTax } from './compute-tax.ts';
import { readOrderTax, storeOrderTax } from './tax-snapshot.ts';
import { NO_TAX, resolveTaxation } from './taxation.ts';

const amount = fc.bigInt(0n, 10_000_000n).map(cents);

test('[OPS-15] allocates every cent, each share within a cent of its proportion', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), fc.bigInt(0n, 10_000n), (weights, share) => {
      const sum = weights.reduce((all, weight) => all + weight, 0n);
      const total = cents((sum * share) / 10_000n);
      const parts = allocate(total, weights);
      assert.equal(
        parts.reduce((all, part) => all + part, 0n),
        total,
      );
      for (const [at, weight] of weights.entries()) {
        const part = parts[at] ?? cents(-1n);
        assert.ok(part >= 0n && part <= weight);
        const distance = part * sum - total * weight;
        assert.ok(sum === 0n || (distance < sum && -distance < sum));
      }
    }),
  );
  assert.deepEqual(allocate(cents(100n), [cents(1n), cents(1n), cents(1n)]), [34n, 33n, 33n]);
  assert.throws(() => allocate(cents(1n), [cents(0n)]), RangeError);
});

const settings = {
  ...NO_TAX,
  homeCountry: 'DE',
  hasReverseCharge: true,
  rates: [
    { country: 'DE', taxClass: 'standard', basisPoints: 1900 } as const,
    { country: 'DE', taxClass: 'reduced', basisPoints: 700 } as const,
    { country: 'FR', taxClass: 'standard', basisPoints: 2000 } as const,
  ],
};
const cart = {
  lines: [
    { taxClass: 'standard', listCents: cents(11_900n) },
    { taxClass: 'reduced', listCents: cents(10_700n) },
  ] as const,
  goodsCents: cents(22_600n),
  shipping: { name: 'Europe', cents: cents(595n) },
};
const german = { country: 'DE', vatNumber: null };

test('[OPS-15] extracts the tax of gross prices by class', () => {
  const tax = computeTax(cart, resolveTaxation(settings, german));
  assert.deepEqual(
    tax.rates.map((rate) => [rate.rateBasisPoints, rate.netCents, rate.taxCents, rate.grossCents]),
    [
      [1900, 10_500n, 1995n, 12_495n],
      [700, 10_000n, 700n, 10_700n],
    ],
  );
  assert.deepEqual([tax.grossCents, tax.addedCents, tax.deductedCents], [23_195n, 0n, 0n]);
});

test('[OPS-15] adds the tax to net prices', () => {
  const tax = computeTax(cart, resolveTaxation({ ...settings, priceMode: 'net' }, german));
  assert.deepEqual([tax.netCents, tax.taxCents, tax.grossCents, tax.addedCents], [23_195n, 3123n, 26_318n, 3123n]);
});

test('[OPS-15] takes the tax off gross prices with reverse charge', () => {
  const french = { country: 'FR', vatNumber: 'FR83404833048' };
  const tax = computeTax(cart, resolveTaxation(settings, french));
  assert.equal(tax.isReverseCharge, true);
  assert.equal(tax.taxCents, 0n);
  assert.deepEqual([tax.netCents, tax.grossCents], [19_330n, 19_330n]);
  assert.equal(tax.deductedCents, 23_195n - 19_330n);
  const net = computeTax(cart, resolveTaxation({ ...settings, priceMode: 'net' }, french));
  assert.deepEqual([net.grossCents, net.addedCents, net.deductedCents], [23_195n, 0n, 0n]);
});

test('[OPS-15] reads a stored snapshot as it was', () => {
  const tax = computeTax(cart, resolveTaxation(settings, german));
  const stored = storeOrderTax(tax);
  assert.deepEqual(JSON.parse(JSON.stringify(stored)), stored, 'is JSON');
  assert.deepEqual(readOrderTax(stored), tax);
});
