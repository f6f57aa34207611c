import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import { getDiscountValue, isRunning } from './promotion.ts';
import type { Promotion } from './promotion.ts';

const now = new Date('2026-03-01T12:00:00Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);

const createPromotion = (changed: Partial<Promotion>): Promotion => ({
  id: '019b0000-0000-7000-8000-000000000001',
  code: 'SPRING15',
  type: 'fixed_percent',
  discountBasisPoints: 1500,
  discountCents: null,
  giftProductId: null,
  startsAt: null,
  endsAt: null,
  minimumSubtotalCents: null,
  maxUses: null,
  maxUsesPerUser: null,
  uses: 0,
  isActive: true,
  isAdvertised: true,
  version: 1,
  ...changed,
});

test('[PAGE-04] runs from its start until its end, end excluded', () => {
  assert.equal(isRunning(createPromotion({}), now), true);
  assert.equal(isRunning(createPromotion({ startsAt: now }), now), true);
  assert.equal(isRunning(createPromotion({ startsAt: after }), now), false);
  assert.equal(isRunning(createPromotion({ endsAt: after }), now), true);
  assert.equal(isRunning(createPromotion({ endsAt: now }), now), false);
  assert.equal(isRunning(createPromotion({ startsAt: before, endsAt: after }), now), true);
});

test('[PAGE-04] does not run when used up or inactive', () => {
  assert.equal(isRunning(createPromotion({ maxUses: 2, uses: 1 }), now), true);
  assert.equal(isRunning(createPromotion({ maxUses: 2, uses: 2 }), now), false);
  assert.equal(isRunning(createPromotion({ isActive: false }), now), false);
});

test('[PROMO-03] returns percent, dollars, or 0 for a gift', () => {
  assert.equal(getDiscountValue(createPromotion({})), 15);
  assert.equal(getDiscountValue(createPromotion({ type: 'discount_percent', discountBasisPoints: 1250 })), 12.5);
  const amount = { type: 'fixed_amount', discountBasisPoints: null, discountCents: cents(4999n) } as const;
  assert.equal(getDiscountValue(createPromotion(amount)), 49.99);
  assert.equal(getDiscountValue(createPromotion({ type: 'free_item', discountBasisPoints: null })), 0);
});
