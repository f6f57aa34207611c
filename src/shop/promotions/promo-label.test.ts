import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPromoBenefit, formatPromoLabel } from './promo-label.ts';

const formatLabel = (type: Parameters<typeof formatPromoBenefit>[0]['type'], value: number) => {
  const { name, detail } = formatPromoLabel({ type, discount_value: value });
  return detail === null ? name : `${name} ${detail}`;
};

test('[PROMO-05] labels the promotion of an order by type', () => {
  assert.equal(formatLabel('free_item', 0), 'Free item · Free product included');
  assert.equal(formatLabel('discount_percent', 10), 'Discount');
  assert.equal(formatLabel('extra_discount', 5), 'Extra discount');
  assert.equal(formatLabel('fixed_amount', 50), 'Fixed amount $50 off');
  assert.equal(formatLabel('fixed_percent', 15), 'Fixed percent 15% off');
  assert.equal(formatLabel('fixed_amount', 1000), 'Fixed amount $1,000 off');
  assert.equal(formatPromoLabel(null).name, 'No promo applied');
});

test('[PROMO-04] describes the benefit of a code briefly', () => {
  assert.equal(formatPromoBenefit({ type: 'free_item', discount_value: 0 }), 'a free gift');
  assert.equal(formatPromoBenefit({ type: 'fixed_amount', discount_value: 50 }), '$50 off');
  assert.equal(formatPromoBenefit({ type: 'extra_discount', discount_value: 5 }), '5% off');
});
