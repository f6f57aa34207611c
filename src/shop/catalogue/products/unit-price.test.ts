import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, centsPerBtc, PAYABLE_STEP_SATS, satsFromCents, SATS_PER_BTC } from '#src/shop/money.ts';
import { computeUnitPriceCents, computeUnitPriceSats } from './unit-price.ts';

const increases = (...amounts: bigint[]) => amounts.map((amount) => ({ increaseCents: cents(amount) }));
const amount = fc.bigInt({ min: 0n, max: 10_000_000n });
const anyRate = fc.bigInt({ min: 1_000_000n, max: 100_000_000n }).map(centsPerBtc);

test('[PROD-03] the price is the base price plus the increases of the chosen values', () => {
  assert.equal(computeUnitPriceCents(cents(99_900n), increases(20_000n, 0n, 1n)), 119_901n);
  assert.equal(computeUnitPriceCents(cents(99_900n), []), 99_900n);
});

test('[PROD-03] [PAY-06] each part is rounded up on its own before they are added', () => {
  // At 30,000 $ a bitcoin one cent is 33.3 sats: each part of one cent becomes 100 sats, their sum alone would too.
  const rate = centsPerBtc(3_000_000n);
  assert.equal(computeUnitPriceSats(cents(1n), increases(1n, 1n), rate), 300n);
  assert.equal(satsFromCents(cents(3n), rate), 100n);
});

test('[PAY-06] a phone of 999 $ costs 0.009 BTC at 111,000 $ a bitcoin', () => {
  assert.equal(computeUnitPriceSats(cents(99_900n), increases(0n, 0n), centsPerBtc(11_100_000n)), 900_000n);
});

test('[PROD-03] [PAY-06] any price is payable, never below the exact one and above it by less than a step a part', () => {
  fc.assert(
    fc.property(amount, fc.array(amount, { maxLength: 6 }), anyRate, (base, parts, rate) => {
      const price = computeUnitPriceSats(cents(base), increases(...parts), rate);
      const exactTimesRate = computeUnitPriceCents(cents(base), increases(...parts)) * SATS_PER_BTC;
      const rest = price * rate - exactTimesRate;
      assert.equal(price % PAYABLE_STEP_SATS, 0n);
      assert.ok(rest >= 0n);
      assert.ok(rest < rate * PAYABLE_STEP_SATS * BigInt(parts.length + 1));
    }),
  );
});
