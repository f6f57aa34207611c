import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  cents,
  centsPerBtc,
  formatDecimalBtc,
  divideNearest,
  divideUp,
  roundUpToPayable,
  sats,
  convertCentsToSats,
  subtractSats,
} from './money.ts';

const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n });
const rates = fc.bigInt({ min: 1n, max: 10n ** 11n }).map(centsPerBtc);

test('[PAY-06] [HOME-01] $999 at 111,000 dollars are 0.009 BTC', () => {
  assert.equal(convertCentsToSats(cents(99_900n), centsPerBtc(11_100_000n)), 900_000n);
});

test('[PAY-06] bitcoin prices are multiples of 100 sats, rounded up', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      const price = convertCentsToSats(cents(amount), rate);
      assert.equal(price % 100n, 0n);
      assert.ok(price * rate >= amount * 100_000_000n);
      assert.ok(price === 0n || (price - 100n) * rate < amount * 100_000_000n);
    }),
  );
});

test('rounds in the direction of its name', () => {
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 9n }), (dividend, divisor) => {
      assert.equal(divideUp(dividend, divisor), dividend / divisor + (dividend % divisor > 0n ? 1n : 0n));
      assert.equal(
        divideNearest(dividend, divisor),
        dividend / divisor + (2n * (dividend % divisor) >= divisor ? 1n : 0n),
      );
    }),
  );
  assert.equal(roundUpToPayable(1n), 100n);
  assert.equal(roundUpToPayable(100n), 100n);
});

test('[FMT-01] writes bitcoin with eight decimals and reads it back exactly', () => {
  assert.equal(formatDecimalBtc(sats(900_000n)), '0.00900000');
  assert.equal(formatDecimalBtc(sats(1n)), '0.00000001');
  assert.equal(formatDecimalBtc(sats(2_100_000_000_000_000n)), '21000000.00000000');
  fc.assert(fc.property(amounts, (amount) => BigInt(formatDecimalBtc(sats(amount)).replace('.', '')) === amount));
});

test('subtracts down to zero at most', () => {
  assert.equal(subtractSats(sats(1n), sats(2n)), 0n);
  assert.equal(subtractSats(sats(3n), sats(2n)), 1n);
});
