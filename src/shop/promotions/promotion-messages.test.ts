import { UTC } from '#src/shop/format.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listConditions, describeBenefit } from './promotion-messages.ts';

const plain = {
  type: 'fixed_percent',
  discount_value: 15,
  ends_at: null,
  minimum_subtotal_usd: null,
  max_uses_per_user: null,
  is_limited: false,
  gift_product: null,
} as const;

const describeTitle = (changed: Partial<Parameters<typeof describeBenefit>[0]>): string =>
  describeBenefit({ ...plain, ...changed }).title;

test('[PAGE-04] describes the benefit of each type', () => {
  assert.equal(describeTitle({}), '15% off');
  assert.equal(describeTitle({ type: 'discount_percent', discount_value: 12.5 }), '12.5% discount');
  assert.equal(describeTitle({ type: 'extra_discount', discount_value: 5 }), '5% off everything');
  assert.equal(describeTitle({ type: 'fixed_amount', discount_value: 50 }), '$50 off');
  assert.equal(describeTitle({ type: 'fixed_amount', discount_value: 49.9 }), '$49.90 off');
  assert.equal(
    describeTitle({ type: 'free_item', discount_value: 0, gift_product: { name: 'AirTag' } }),
    'AirTag for free',
  );
});

test('[PAGE-04] lists the conditions, also if there are none', () => {
  assert.deepEqual(listConditions(plain, UTC), ['No minimum order', 'No end date']);
  const bound = {
    ...plain,
    minimum_subtotal_usd: 500,
    ends_at: '2026-04-01T00:00:00.000Z',
    max_uses_per_user: 1,
    is_limited: true,
  };
  assert.deepEqual(listConditions(bound, UTC), [
    'Orders from $500',
    'Until 31 Mar 2026, 23:59 UTC',
    'You can use it once',
    'While supplies last',
  ]);
  assert.equal(listConditions({ ...plain, max_uses_per_user: 3 }, UTC)[2], 'You can use it 3 times');
});
