import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCartForm } from './cart-form.ts';

const read = (query: string) => parseCartForm(new URLSearchParams(query));

test('the button of a card adds one or removes', () => {
  assert.deepEqual(read('add=p1'), { kind: 'add', line: { product_id: 'p1', quantity: 1 } });
  assert.deepEqual(read('remove=p1'), { kind: 'remove', line: { product_id: 'p1' } });
});

test('chosen values come along, whatever their property', () => {
  const line = { product_id: 'p1', property_value_ids: ['v1', 'v2'], quantity: 1 };
  assert.deepEqual(read('value+a=v1&value+b=v2&add=p1&valued=no'), { kind: 'add', line });
});

test('[CART-03] a quantity is set, and below 1 the line is removed', () => {
  assert.deepEqual(read('product=p1&value=v1&quantity=3'), {
    kind: 'update',
    line: { product_id: 'p1', property_value_ids: ['v1'], quantity: 3 },
  });
  for (const below of ['0', '-1']) {
    assert.deepEqual(read(`product=p1&quantity=${below}`), { kind: 'remove', line: { product_id: 'p1' } });
  }
});

test('[CART-10] a typed quantity is set unless a button was pressed', () => {
  assert.deepEqual(read('product=p1&typed=12'), { kind: 'update', line: { product_id: 'p1', quantity: 12 } });
  assert.deepEqual(read('product=p1&typed=12&quantity=0'), { kind: 'remove', line: { product_id: 'p1' } });
  assert.equal(read('product=p1&typed='), null);
});

test('anything else is no deed', () => {
  for (const query of ['', 'quantity=1', 'product=p1', 'product=p1&quantity=', 'product=p1&quantity=1e3', 'x=1']) {
    assert.equal(read(query), null, query);
  }
});

test('[PROMO-02] [PROMO-06] a promo code is applied and taken away by a plain form; the pressed button wins over the field', () => {
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
