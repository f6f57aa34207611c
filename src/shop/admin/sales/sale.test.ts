import { divideTotal } from '#src/shop/money.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeAverage } from './sale.ts';

const amount = fc.bigInt(0n, 10_000_000_000_000n);
const weights = fc.array(fc.bigInt(0n, 1_000_000_000n), { minLength: 1, maxLength: 30 });
const addUp = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n);

test('[OPS-05] the parts of a total add up to it', () => {
  fc.assert(
    fc.property(amount, weights, (total, shares) => {
      const parts = divideTotal(total, shares);
      assert.equal(addUp(parts), total);
      assert.ok(parts.every((part) => part >= 0n));
    }),
  );
});

test('[OPS-05] each part differs from its share by less than one', () => {
  fc.assert(
    fc.property(amount, weights, (total, shares) => {
      const whole = addUp(shares);
      fc.pre(whole > 0n);
      for (const [at, part] of divideTotal(total, shares).entries()) {
        const difference = part * whole - total * (shares[at] ?? 0n);
        assert.ok(difference < whole && difference > -whole);
      }
    }),
  );
});

test('[OPS-05] an average is rounded half up, and absent without orders', () => {
  assert.equal(computeAverage(5n, 2), 3n);
  assert.equal(computeAverage(4n, 3), 1n);
  assert.equal(computeAverage(0n, 0), null);
});
