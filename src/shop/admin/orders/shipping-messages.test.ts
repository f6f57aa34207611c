import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createPickList, formatUnshipped } from './shipping-messages.ts';

const line = fc.record({
  position: fc.nat(50),
  name: fc.constantFrom('Phone', 'Case', 'Cable'),
  sku: fc.option(fc.constantFrom('A-1', 'A-2', 'B-1')),
  quantity: fc.integer({ min: 1, max: 9 }),
  shipped_quantity: fc.nat(9),
  refunded_unshipped_quantity: fc.nat(9),
  withdrawn_quantity: fc.nat(9),
});
const validLine = line.map((one) => {
  const shipped_quantity = Math.min(one.shipped_quantity, one.quantity);
  const refunded_unshipped_quantity = Math.min(one.refunded_unshipped_quantity, one.quantity - shipped_quantity);
  const withdrawn_quantity = Math.min(
    one.withdrawn_quantity,
    one.quantity - shipped_quantity - refunded_unshipped_quantity,
  );
  return { ...one, shipped_quantity, refunded_unshipped_quantity, withdrawn_quantity };
});
const orders = fc.array(fc.record({ number: fc.string({ minLength: 1 }), lines: fc.array(validLine) }));

test('[OPS-13] a pick list counts every unit left to ship once', () => {
  fc.assert(
    fc.property(orders, (chosen) => {
      const picked = createPickList(chosen);
      const left = chosen
        .flatMap(({ lines }) => lines)
        .reduce(
          (sum, one) =>
            sum + one.quantity - one.shipped_quantity - one.refunded_unshipped_quantity - one.withdrawn_quantity,
          0,
        );
      assert.equal(
        picked.reduce((sum, { quantity }) => sum + quantity, 0),
        left,
      );
      const keys = picked.map(({ name, sku }) => sku ?? `name ${name}`);
      assert.equal(new Set(keys).size, keys.length);
    }),
  );
});

test('[OPS-13] a pick list is sorted by SKU and names its orders', () => {
  const lines = [
    {
      position: 0,
      name: 'Phone',
      sku: 'B-10',
      quantity: 2,
      shipped_quantity: 1,
      refunded_unshipped_quantity: 0,
      withdrawn_quantity: 0,
    },
    {
      position: 1,
      name: 'Case',
      sku: 'B-9',
      quantity: 1,
      shipped_quantity: 0,
      refunded_unshipped_quantity: 0,
      withdrawn_quantity: 0,
    },
    {
      position: 2,
      name: 'Gift',
      sku: null,
      quantity: 1,
      shipped_quantity: 1,
      refunded_unshipped_quantity: 0,
      withdrawn_quantity: 0,
    },
  ];
  assert.deepEqual(
    createPickList([
      { number: 'CM-1', lines },
      { number: 'CM-2', lines },
    ]),
    [
      { sku: 'B-9', name: 'Case', quantity: 2, orders: ['CM-1', 'CM-2'] },
      { sku: 'B-10', name: 'Phone', quantity: 2, orders: ['CM-1', 'CM-2'] },
    ],
  );
  assert.equal(formatUnshipped(lines), '1 × Phone, 1 × Case');
});
