import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { priceCart } from '#src/shop/cart/price-cart.ts';
import { cents, centsPerBtc, sats } from '#src/shop/money.ts';
import { snapshotLine, quoteOrder } from './quote-order.ts';

const terms = {
  rate: centsPerBtc(11_100_000n),
  now: new Date('2026-03-01T12:00:00Z'),
  windowSeconds: 7200,
  tolerance: { sats: 500n, basisPoints: 0n, dustSats: 0n },
  confirmationSteps: [
    { fromCents: cents(0n), confirmations: 1 },
    { fromCents: cents(50_000n), confirmations: 2 },
  ],
} as const;

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 99 }),
  priceCents: fc.bigInt({ min: 1n, max: 10_000_00n }).map(cents),
  priceSats: fc.bigInt({ min: 1n, max: 1_000_000n }).map((amount) => sats(amount * 100n)),
  isFree: fc.boolean(),
});

test('[API-11] [PAY-06] the amount due is the discounted total in 100-sat steps', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 50 }), (lines) => {
      const totals = priceCart(lines);
      const quote = quoteOrder(totals, terms);
      assert.equal(quote.due_sats, totals.totalSats);
      assert.equal(quote.due_sats % 100n, 0n);
      assert.ok(quote.total_after_sats <= quote.total_sats && quote.total_after_cents <= quote.total_cents);
    }),
  );
});

const quoteCents = (priceCents: bigint) =>
  quoteOrder(priceCart([{ quantity: 1, priceCents: cents(priceCents), priceSats: sats(900n), isFree: false }]), terms);

test('[API-11] confirmations depend on the total, the window on its setting', () => {
  assert.equal(quoteCents(49_999n).required_confirmations, 1);
  assert.equal(quoteCents(50_000n).required_confirmations, 2);
  assert.equal(quoteCents(1n).expires_at.toISOString(), '2026-03-01T14:00:00.000Z');
});

test('[API-11] [OPS-08] a line stores names, prices, values and SKU', () => {
  const value = { id: 'v', property: 'Memory Capacity', value: '1TB', increaseCents: 400n };
  const snapshot = snapshotLine({
    productId: 'p',
    name: 'iPhone',
    slug: 'iphone',
    mainImage: '/i.avif',
    quantity: 2,
    isFree: false,
    propertyValues: [value],
    variantId: 'x',
    sku: 'IPH-1TB',
    priceCents: cents(99_900n),
    priceSats: sats(900_000n),
  });
  assert.deepEqual([snapshot.variant_id, snapshot.sku], ['x', 'IPH-1TB']);
  assert.deepEqual(snapshot.property_values, [{ id: 'v', property: 'Memory Capacity', value: '1TB' }]);
  assert.deepEqual([snapshot.quantity, snapshot.price_cents, snapshot.price_sats], [2, 99_900n, 900_000n]);
});
