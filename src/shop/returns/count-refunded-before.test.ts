import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { countRefundedBefore } from './count-refunded-before.ts';

const at = (sequence: number, quantity = 1) => ({ sequence: BigInt(sequence), quantity });

test('a refund before a return pays for none of its units, a later one does', () => {
  assert.equal(countRefundedBefore([at(1)], [at(2)]), 1);
  assert.equal(countRefundedBefore([at(3)], [at(2)]), 0);
  assert.equal(countRefundedBefore([at(1), at(3)], [at(2)]), 1);
  assert.equal(countRefundedBefore([at(1), at(3)], []), 0);
});

test('a refund between two returns pays for the first one', () => {
  assert.equal(countRefundedBefore([at(2)], [at(1), at(3)]), 0);
  assert.equal(countRefundedBefore([at(2, 2)], [at(1), at(3)]), 1);
});

test('the count is what counting step by step would find', () => {
  const step = fc.record({ isRefund: fc.boolean(), quantity: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      let [refunded, returned, before] = [0, 0, 0];
      for (const { isRefund, quantity } of steps) {
        if (isRefund) refunded += quantity;
        else {
          before = Math.max(before, refunded - returned);
          returned += quantity;
        }
      }
      const select = (isRefund: boolean) =>
        steps.flatMap((one, index) => (one.isRefund === isRefund ? [at(index, one.quantity)] : []));
      assert.equal(countRefundedBefore(select(true), select(false)), before);
    }),
  );
});
