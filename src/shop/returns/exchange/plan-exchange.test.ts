import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import { computeDifference } from '../compute-difference.ts';
import { planExchange } from './plan-exchange.ts';

const line = { position: 0, productId: 'phone', variantId: 'small', quantity: 2 };
const variants = [
  { id: 'small', product_id: 'phone', property_value_ids: ['1'] },
  { id: 'large', product_id: 'phone', property_value_ids: ['2'] },
  { id: 'case', product_id: 'cover', property_value_ids: [] },
];
const choose = (variantId: string, position = 0) => planExchange([line], variants, [{ position, variantId }]);

const refused = (variantId: string, position?: number) => {
  const planned = choose(variantId, position);
  return planned.ok ? null : planned.reason;
};

test('[RET-08] as many units of the other variant are ordered as are credited', () => {
  assert.deepEqual(choose('large'), {
    ok: true,
    lines: [{ product_id: 'phone', property_value_ids: ['2'], quantity: 2 }],
  });
});

test('[RET-08] refuses the same variant, another product and a line without credited units', () => {
  assert.equal(refused('small'), 'same-variant');
  assert.equal(refused('case'), 'not-on-sale');
  assert.equal(refused('gone'), 'not-on-sale');
  assert.equal(refused('large', 1), 'no-units');
  const nothing = planExchange([{ ...line, quantity: 0 }], variants, [{ position: 0, variantId: 'large' }]);
  assert.equal(nothing.ok ? null : nothing.reason, 'no-units');
});

test('[RET-08] credit and payment are the price and what is left, to the cent', () => {
  const amounts = fc.bigInt({ min: 0n, max: 100_000_000n }).map(cents);
  fc.assert(
    fc.property(amounts, amounts, (credit, total) => {
      const { leftCents, paysCents } = computeDifference(credit, total);
      assert.equal(credit + paysCents, total + leftCents);
      assert.ok(leftCents === 0n || paysCents === 0n);
      assert.ok(leftCents >= 0n && paysCents >= 0n);
    }),
  );
});
