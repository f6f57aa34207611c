import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, centsPerBtc, PAYABLE_STEP_SATS, convertCentsToSats, SATS_PER_BTC } from '#src/shop/money.ts';
import { computeUnitPriceCents, computeUnitPriceSats } from './unit-price.ts';

const createIncreases = (...amounts: bigint[]) => amounts.map((amount) => ({ increaseCents: cents(amount) }));
const amount = fc.bigInt({ min: 0n, max: 10_000_000n });
const anyRate = fc.bigInt({ min: 1_000_000n, max: 100_000_000n }).map(centsPerBtc);

test('[PROD-03] adds the increases of the chosen values', () => {
  assert.equal(computeUnitPriceCents(cents(99_900n), createIncreases(20_000n, 0n, 1n)), 119_901n);
  assert.equal(computeUnitPriceCents(cents(99_900n), []), 99_900n);
});

test('[PROD-03] [PAY-06] rounds each part up before adding', () => {
  // At $30,000 per bitcoin one cent is 33.3 sats: each one-cent part becomes 100 sats, as would
  // their sum alone.
  const rate = centsPerBtc(3_000_000n);
  assert.equal(computeUnitPriceSats(cents(1n), createIncreases(1n, 1n), rate), 300n);
  assert.equal(convertCentsToSats(cents(3n), rate), 100n);
});

test('[PAY-06] converts $999 to 0.009 BTC at $111,000', () => {
  assert.equal(computeUnitPriceSats(cents(99_900n), createIncreases(0n, 0n), centsPerBtc(11_100_000n)), 900_000n);
});

test('[PROD-03] [PAY-06] rounds up each part by less than one step', () => {
  fc.assert(
    fc.property(amount, fc.array(amount, { maxLength: 6 }), anyRate, (base, parts, rate) => {
      const price = computeUnitPriceSats(cents(base), createIncreases(...parts), rate);
      const exactTimesRate = computeUnitPriceCents(cents(base), createIncreases(...parts)) * SATS_PER_BTC;
      const excess = price * rate - exactTimesRate;
      assert.equal(price % PAYABLE_STEP_SATS, 0n);
      assert.ok(excess >= 0n);
      assert.ok(excess < rate * PAYABLE_STEP_SATS * BigInt(parts.length + 1));
    }),
  );
});
