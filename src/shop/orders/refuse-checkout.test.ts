import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '../money.ts';
import { isCountryInRegion, refuseCheckout } from './refuse-checkout.ts';

const cart = (
  lines: readonly { isFree: boolean }[],
  totalSats: bigint,
  withdrawnProductIds: readonly string[] = [],
) => ({
  lines,
  withdrawnProductIds,
  totals: { totalSats: sats(totalSats) },
});
const line = { isFree: false };
const gift = { isFree: true };

test('[API-06] an empty cart, and one of gifts alone, makes no order', () => {
  assert.equal(refuseCheckout(null), 'empty-cart');
  assert.equal(refuseCheckout(cart([], 0n)), 'empty-cart');
  assert.equal(refuseCheckout(cart([gift], 0n)), 'empty-cart');
  assert.equal(refuseCheckout(cart([gift, line], 900_000n)), null);
});

test('[PAY-06] less than the network carries cannot be asked for', () => {
  assert.equal(refuseCheckout(cart([line], 200n)), 'below-dust');
  assert.equal(refuseCheckout(cart([line], 300n)), null);
});

test('what is not sold any more is said before anything else', () => {
  assert.equal(refuseCheckout(cart([line], 900_000n, ['a'])), 'withdrawn');
  assert.equal(refuseCheckout(cart([], 0n, ['a'])), 'withdrawn');
});

test('[BILL-02] a country belongs to its one region', () => {
  assert.equal(isCountryInRegion('GB', 'Europe'), true);
  assert.equal(isCountryInRegion('GB', 'Asia'), false);
  assert.equal(isCountryInRegion('XX', 'Europe'), false);
});
