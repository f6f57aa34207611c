import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineNotices } from '#src/shop/cart/line-notices.ts';
import type { LineNotice } from '#src/shop/cart/line-notices.ts';
import { cents, sats } from '#src/shop/money.ts';
import { isCountryInRegion, findCheckoutProblem } from './find-checkout-problem.ts';
import type { CartToOrder } from './find-checkout-problem.ts';

const createLine = (notices: readonly LineNotice[] = [], name = 'iPhone 17'): CartToOrder['lines'][number] => ({
  name,
  notices,
  isFree: false,
  priceCents: cents(109_900n),
});
const gift = { ...createLine(), isFree: true };
const createCart = (lines: CartToOrder['lines'], totalSats: bigint, more: Partial<CartToOrder> = {}): CartToOrder => ({
  lines,
  totals: { totalSats: sats(totalSats), totalCents: cents(109_900n) },
  promotion: null,
  promotionProblem: null,
  ...more,
});
const DUST = 294n;
const findReason = (one: CartToOrder | null, dust = DUST): string | null =>
  findCheckoutProblem(one, dust)?.reason ?? null;
const createNotices = (changed: Partial<Parameters<typeof createLineNotices>[0]>): LineNotice[] =>
  createLineNotices({
    isWithdrawn: false,
    priceCents: cents(109_900n),
    seenCents: null,
    quantity: 2,
    available: null,
    ...changed,
  });

test('[API-06] rejects an empty cart and one of gifts only', () => {
  assert.equal(findReason(null), 'empty-cart');
  assert.equal(findReason(createCart([], 0n)), 'empty-cart');
  assert.equal(findReason(createCart([gift], 0n)), 'empty-cart');
  assert.equal(findReason(createCart([gift, createLine()], 900_000n)), null);
});

test('[PAY-06] rejects totals below the dust limit, except 0', () => {
  assert.equal(findReason(createCart([createLine()], 200n)), 'below-dust');
  assert.equal(findReason(createCart([createLine()], 300n)), null);
  // A taproot output has a higher dust limit.
  assert.equal(findReason(createCart([createLine()], 300n), 330n), 'below-dust');
  assert.equal(findReason(createCart([createLine()], 400n), 330n), null);
  assert.equal(findReason(createCart([createLine()], 0n)), null);
});

test('[CART-09] [PROMO-03] rejects a total that the buyer has not seen', () => {
  const cart = createCart([createLine()], 900_000n);
  assert.equal(findCheckoutProblem(cart, DUST, cents(109_900n)), null);
  for (const [seen, shown] of [
    [99_900n, '$999.00'],
    [119_900n, '$1,199.00'],
  ] as const) {
    assert.deepEqual(findCheckoutProblem(cart, DUST, cents(seen)), {
      reason: 'repriced',
      words: `The total is now $1,099.00 instead of ${shown}. Check your cart and order again`,
    });
  }
});

test('[CART-09] reports unavailable products first, by name', () => {
  const withdrawn = createLine(createNotices({ isWithdrawn: true }), 'iPad');
  assert.deepEqual(findCheckoutProblem(createCart([createLine(), withdrawn], 900_000n), DUST), {
    reason: 'withdrawn',
    words: 'iPad is no longer available. Remove it to continue',
  });
  assert.equal(findReason(createCart([withdrawn], 0n)), 'withdrawn');
});

test('[CART-09] reports price increases, not decreases', () => {
  const dearer = createLine(createNotices({ seenCents: cents(99_900n) }));
  assert.deepEqual(findCheckoutProblem(createCart([dearer], 900_000n), DUST), {
    reason: 'repriced',
    words: 'iPhone 17 now costs $1,099.00 instead of $999.00. Review your cart to continue',
  });
  assert.equal(findReason(createCart([createLine(createNotices({ seenCents: cents(119_900n) }))], 900_000n)), null);
});

test('[CART-09] reports every problem of a line', () => {
  assert.deepEqual(createNotices({}), []);
  assert.deepEqual(createNotices({ available: 2, seenCents: cents(109_900n) }), []);
  assert.deepEqual(createNotices({ available: 1, seenCents: cents(99_900n) }), [
    { code: 'short', message: 'Only 1 left', available: 1 },
    {
      code: 'repriced',
      message: 'It was $999.00 when you added it',
      wasCents: 99_900n,
      isDearer: true,
    },
  ]);
  assert.deepEqual(createNotices({ available: 0 }), [{ code: 'sold-out', message: 'Sold out' }]);
});

test('[BILL-02] a country belongs to one region', () => {
  assert.equal(isCountryInRegion('GB', 'Europe'), true);
  assert.equal(isCountryInRegion('GB', 'Asia'), false);
  assert.equal(isCountryInRegion('XX', 'Europe'), false);
});
