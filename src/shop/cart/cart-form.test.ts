import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCartForm } from './cart-form.ts';

const read = (query: string) => parseCartForm(new URLSearchParams(query));

test('reads add and remove of a product card', () => {
  assert.deepEqual(read('add=p1'), { kind: 'add', line: { product_id: 'p1', quantity: 1 } });
  assert.deepEqual(read('remove=p1'), { kind: 'remove', line: { product_id: 'p1' } });
});

test('reads chosen values of any property', () => {
  const line = { product_id: 'p1', property_value_ids: ['v1', 'v2'], quantity: 1 };
  assert.deepEqual(read('value+a=v1&value+b=v2&add=p1&valued=no'), { kind: 'add', line });
});

test('[CART-03] sets a quantity and removes the line below 1', () => {
  assert.deepEqual(read('product=p1&value=v1&quantity=3'), {
    kind: 'update',
    line: { product_id: 'p1', property_value_ids: ['v1'], quantity: 3 },
  });
  for (const below of ['0', '-1']) {
    assert.deepEqual(read(`product=p1&quantity=${below}`), { kind: 'remove', line: { product_id: 'p1' } });
  }
});

test('[CART-10] sets a typed quantity unless a button was pressed', () => {
  assert.deepEqual(read('product=p1&typed=12'), { kind: 'update', line: { product_id: 'p1', quantity: 12 } });
  assert.deepEqual(read('product=p1&typed=12&quantity=0'), { kind: 'remove', line: { product_id: 'p1' } });
  assert.equal(read('product=p1&typed='), null);
});

test('returns null for any other form', () => {
  for (const query of ['', 'quantity=1', 'product=p1', 'product=p1&quantity=', 'product=p1&quantity=1e3', 'x=1']) {
    assert.equal(read(query), null, query);
  }
});

test('[PROMO-02] [PROMO-06] applies and removes a promo code by a plain form', () => {
  assert.deepEqual(parseCartForm([['promo', ' welcome10 ']]), { kind: 'apply-promo', code: 'welcome10' });
  assert.deepEqual(
    parseCartForm([
      ['promo', ''],
      ['promo', 'SPRING15'],
    ]),
    { kind: 'apply-promo', code: 'SPRING15' },
  );
  assert.deepEqual(
    parseCartForm([
      ['applied', 'SPRING15'],
      ['promo', ''],
    ]),
    { kind: 'remove-promo' },
  );
});
