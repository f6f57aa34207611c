import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, sats } from '#src/shop/money.ts';
import { applyDiscount } from './apply-discount.ts';

const subtotal = fc.record({
  cents: fc.bigInt(1n, 1_000_000_000n).map(cents),
  sats: fc.bigInt(0n, 10_000_000_000n).map((hundreds) => sats(hundreds * 100n)),
});
const basisPoints = fc.integer({ min: 1, max: 10_000 });

/** Smallest multiple of 100 that is at least a / b, computed without rounding. */
function computeLeastPayable(a: bigint, b: bigint): bigint {
  const below = (a / b / 100n) * 100n;
  return below * b >= a ? below : below + 100n;
}

test('[PROMO-03] [PAY-06] rounds a percentage to cents half up and sats up', () => {
  fc.assert(
    fc.property(subtotal, basisPoints, (before, share) => {
      const { totalCents, totalSats, percent } = applyDiscount(before, { basisPoints: share });
      // In ten-thousandths of a cent, an integer.
      const exact = before.cents * BigInt(10_000 - share);
      const distance = totalCents * 10_000n - exact;
      assert.ok(distance > -5000n && distance <= 5000n);
      assert.equal(totalSats, computeLeastPayable(before.sats * BigInt(10_000 - share), 10_000n));
      assert.ok(totalCents >= 0n && totalSats >= 0n && totalCents <= before.cents && totalSats <= before.sats);
      assert.equal(Math.round(percent * 100), share);
    }),
    { numRuns: 2000 },
  );
});

test('[PROMO-03] [PAY-06] subtracts an amount, in bitcoin by the same proportion', () => {
  fc.assert(
    fc.property(subtotal, fc.bigInt(1n, 1_100_000_000n), (before, amount) => {
      const { totalCents, totalSats, percent } = applyDiscount(before, { cents: cents(amount) });
      assert.equal(totalCents, amount >= before.cents ? 0n : before.cents - amount);
      assert.equal(totalSats, computeLeastPayable(before.sats * totalCents, before.cents));
      assert.ok(totalSats <= before.sats && totalSats % 100n === 0n);
      assert.ok(percent >= 0 && percent <= 100);
      const exact = Number(before.cents - totalCents) / Number(before.cents);
      assert.ok(Math.abs(percent / 100 - exact) <= 0.000_051);
    }),
    { numRuns: 2000 },
  );
});

test('[PROMO-03] computes known examples', () => {
  const before = { cents: cents(99_900n), sats: sats(900_000n) };
  assert.deepEqual(applyDiscount(before, { basisPoints: 1500 }), {
    totalCents: 84_915n,
    totalSats: 765_000n,
    percent: 15,
  });
  assert.deepEqual(applyDiscount(before, { cents: cents(5000n) }), {
    totalCents: 94_900n,
    totalSats: 855_000n,
    percent: 5.01,
  });
  assert.deepEqual(applyDiscount(before, { cents: cents(99_900n) }), { totalCents: 0n, totalSats: 0n, percent: 100 });
  assert.deepEqual(applyDiscount(before, { cents: cents(100_000n) }), { totalCents: 0n, totalSats: 0n, percent: 100 });
  assert.deepEqual(applyDiscount(before, null), { totalCents: 99_900n, totalSats: 900_000n, percent: 0 });
  // Half a cent rounds up to one cent.
  assert.equal(applyDiscount({ cents: cents(1n), sats: sats(100n) }, { basisPoints: 5000 }).totalCents, 1n);
  const nothing = { cents: cents(0n), sats: sats(0n) };
  assert.deepEqual(applyDiscount(nothing, { basisPoints: 10_000 }), { totalCents: 0n, totalSats: 0n, percent: 0 });
});
