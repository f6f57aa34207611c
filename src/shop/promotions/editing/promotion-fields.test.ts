import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createPromotionFields } from '../../../../tests/support/promotion-fields.ts';
import { findFieldProblems, findLimitProblems, toPromotionDraft } from './promotion-fields.ts';
import type { PromotionFields } from './contract.ts';
import { getDiscountValue } from '../promotion.ts';

const fields = createPromotionFields();
const gift = '019b0000-0000-7000-8000-000000000001';
const listProblems = (changed: Partial<PromotionFields>): string[] =>
  Object.keys(findFieldProblems({ ...fields, ...changed }));

test('[OPS-11] [PROMO-03] a promotion has the value of its type and no other', () => {
  assert.deepEqual(listProblems({}), []);
  for (const type of ['discount_percent', 'extra_discount', 'fixed_percent'] as const) {
    for (const value of [0.01, 12.34, 100, 99.99]) assert.deepEqual(listProblems({ type, discount_value: value }), []);
    for (const value of [0, 0.001, 12.345, 100.01, -1, Number.NaN])
      assert.deepEqual(listProblems({ type, discount_value: value }), ['discount_value'], String(value));
  }
  const amount = { type: 'fixed_amount' } as const;
  for (const value of [0.01, 49.99, 1_000_000])
    assert.deepEqual(listProblems({ ...amount, discount_value: value }), []);
  for (const value of [0, 0.005, 1_000_000.01, Number.NaN])
    assert.deepEqual(listProblems({ ...amount, discount_value: value }), ['discount_value']);
  const free = { type: 'free_item', discount_value: 0, gift_product_id: gift } as const;
  assert.deepEqual(listProblems(free), []);
  assert.deepEqual(listProblems({ ...free, gift_product_id: null }), ['gift_product_id']);
  assert.deepEqual(listProblems({ ...free, discount_value: 5 }), ['discount_value']);
  assert.deepEqual(listProblems({ gift_product_id: gift }), ['gift_product_id']);
});

test('[OPS-11] [PROMO-03] refuses codes, dates and limits that the table refuses', () => {
  for (const code of ['A1', ' spring-15 ', 'x_y', 'A'.repeat(40)]) assert.deepEqual(listProblems({ code }), []);
  for (const code of ['', 'A', '-AB', 'A B', 'ÄB', 'A'.repeat(41), '💰💰'])
    assert.deepEqual(listProblems({ code }), ['code'], code);
  const [start, end] = ['2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z'];
  assert.deepEqual(listProblems({ starts_at: start, ends_at: end }), []);
  assert.deepEqual(listProblems({ starts_at: end, ends_at: start }), ['ends_at']);
  assert.deepEqual(listProblems({ starts_at: start, ends_at: start }), ['ends_at']);
  assert.deepEqual(listProblems({ starts_at: '0001-01-01T00:00:00Z' }), ['starts_at']);
  assert.deepEqual(listProblems({ ends_at: '9999-01-01T00:00:00Z' }), ['ends_at']);
  for (const count of [0, -1, 1.5, 1_000_001]) {
    assert.deepEqual(listProblems({ max_uses: count }), ['max_uses']);
    assert.deepEqual(listProblems({ max_uses_per_user: count }), ['max_uses_per_user']);
  }
  assert.deepEqual(listProblems({ minimum_subtotal_usd: 0 }), ['minimum_subtotal_usd']);
  assert.deepEqual(listProblems({ position: -1 }), ['position']);
});

test('[OPS-11] every value with two decimals is stored exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (share) => {
      const draft = toPromotionDraft({ ...fields, discount_value: share / 100 });
      assert.deepEqual(findFieldProblems({ ...fields, discount_value: share / 100 }), {});
      assert.deepEqual([draft.discountBasisPoints, draft.discountCents], [share, null]);
      assert.equal(getDiscountValue({ ...draft, id: gift, uses: 0, version: 1 }), share / 100);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), (amount) => {
      const one = {
        ...fields,
        type: 'fixed_amount',
        discount_value: amount / 100,
        minimum_subtotal_usd: amount / 100,
      } as const;
      assert.deepEqual(findFieldProblems(one), {});
      const draft = toPromotionDraft(one);
      assert.deepEqual([draft.discountCents, draft.minimumSubtotalCents], [BigInt(amount), BigInt(amount)]);
      assert.equal(draft.discountBasisPoints, null);
    }),
  );
});

test('[OPS-11] a limit below the present uses names the uses', () => {
  const uses = { total: 3, mostByUser: 2 };
  assert.deepEqual(findLimitProblems({ maxUses: 3, maxUsesPerUser: 2 }, uses), {});
  assert.deepEqual(findLimitProblems({ maxUses: null, maxUsesPerUser: null }, uses), {});
  assert.deepEqual(findLimitProblems({ maxUses: 2, maxUsesPerUser: 1 }, uses), {
    max_uses: 'It has been used 3 times. Enter at least 3',
    max_uses_per_user: 'A customer has used it 2 times. Enter at least 2',
  });
});
