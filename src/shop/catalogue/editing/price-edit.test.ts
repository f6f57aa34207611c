import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import { applyPriceEdit, MAX_PRICE_CENTS } from './price-edit.ts';

const price = fc.bigInt({ min: 1n, max: MAX_PRICE_CENTS }).map(cents);
const hundredths = fc.bigInt({ min: -10_000n, max: 100_000n });

test('[OPS-02] an edited price is within the limits, rounded to the nearest cent', () => {
  fc.assert(
    fc.property(price, hundredths, (before, percent) => {
      const after = applyPriceEdit(before, { kind: 'percent', hundredths: percent });
      const exact = before * (10_000n + percent);
      if (after === null) {
        assert.ok(exact < 5_000n || exact > MAX_PRICE_CENTS * 10_000n, `${exact}`);
        return;
      }
      assert.ok(after >= 1n && after <= MAX_PRICE_CENTS);
      const difference = after * 10_000n - exact;
      assert.ok(difference > -5_000n && difference <= 5_000n);
    }),
  );
});

test('[OPS-02] an amount is added exactly, and never makes a price free', () => {
  fc.assert(
    fc.property(price, fc.bigInt({ min: -MAX_PRICE_CENTS, max: MAX_PRICE_CENTS }), (before, amountCents) => {
      const after = applyPriceEdit(before, { kind: 'add', amountCents });
      const sum = before + amountCents;
      assert.equal(after, sum > 0n && sum <= MAX_PRICE_CENTS ? sum : null);
    }),
  );
});

test('[OPS-02] a set price replaces the price', () => {
  assert.equal(applyPriceEdit(cents(5n), { kind: 'set', priceCents: cents(7n) }), 7n);
});
