import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, sats } from '#src/shop/money.ts';
import { priceCart } from './price-cart.ts';

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 99 }),
  priceCents: fc.bigInt(0n, 1_000_000_000n).map(cents),
  priceSats: fc.bigInt(0n, 100_000_000n).map((hundreds) => sats(hundreds * 100n)),
  isFree: fc.boolean(),
});

test('[API-03] [CART-06] sums all lines except gifts, discount is subtotal minus total', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 50 }), (lines) => {
      let dueCents = 0n;
      let dueSats = 0n;
      // Piece by piece, independently of the implementation.
      for (const { quantity, priceCents, priceSats, isFree } of lines) {
        if (isFree) continue;
        for (let piece = 0; piece < quantity; piece += 1) {
          dueCents += priceCents;
          dueSats += priceSats;
        }
      }
      const totals = priceCart(lines);
      assert.equal(totals.subtotalCents, dueCents);
      assert.equal(totals.subtotalSats, dueSats);
      assert.equal(totals.totalCents, dueCents - totals.discountCents);
      assert.equal(totals.totalSats, dueSats - totals.discountSats);
      assert.ok(totals.discountCents >= 0n && totals.discountSats >= 0n);
    }),
    { numRuns: 1000 },
  );
});

test('[PAY-06] rounds bitcoin totals to multiples of 100 satoshi', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 50 }), (lines) => {
      const { subtotalSats, totalSats, discountSats } = priceCart(lines);
      assert.deepEqual([subtotalSats % 100n, totalSats % 100n, discountSats % 100n], [0n, 0n, 0n]);
    }),
  );
});

test('[CART-06] totals zero for an empty cart or only gifts', () => {
  const gift = { quantity: 1, priceCents: cents(99_900n), priceSats: sats(900_000n), isFree: true };
  for (const lines of [[], [gift]]) {
    assert.deepEqual(priceCart(lines), {
      subtotalCents: 0n,
      subtotalSats: 0n,
      discountCents: 0n,
      discountSats: 0n,
      discountPercent: 0,
      totalCents: 0n,
      totalSats: 0n,
    });
  }
});
