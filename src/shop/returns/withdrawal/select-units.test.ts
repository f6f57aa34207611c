import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findWithdrawalProblem } from './find-problem.ts';
import type { UnitsLeft } from './find-problem.ts';
import { selectUnits } from './select-units.ts';

const lines = fc.uniqueArray(fc.record({ position: fc.nat(9), unshipped: fc.nat(5), shipped: fc.nat(5) }), {
  selector: ({ position }) => position,
  maxLength: 6,
});
const choices = fc.option(
  fc.uniqueArray(fc.record({ position: fc.nat(9), quantity: fc.integer({ min: 1, max: 12 }) }), {
    selector: ({ position }) => position,
    maxLength: 6,
  }),
);
const countAll = (left: readonly UnitsLeft[]): number =>
  left.reduce((sum, { shipped, unshipped }) => sum + shipped + unshipped, 0);

test('[RET-02] withdrawals part after part take each unit once, until nothing is left', () => {
  fc.assert(
    fc.property(lines, fc.array(choices, { maxLength: 8 }), (first, rounds) => {
      let left: readonly UnitsLeft[] = first;
      let taken = 0;
      // The last one takes everything.
      for (const chosen of [...rounds, null]) {
        const selected = selectUnits(left, chosen);
        for (const { cancelled, position, quantity } of selected) {
          const line = left.find((one) => one.position === position) ?? assert.fail();
          assert.ok(quantity > 0 && quantity <= line.shipped + line.unshipped);
          // Shipped units are taken only when no unshipped one is left.
          assert.equal(cancelled, Math.min(quantity, line.unshipped));
          taken += quantity;
        }
        left = left.map((line) => {
          const one = selected.find(({ position }) => position === line.position);
          if (one === undefined) return line;
          const [unshipped, shipped] = [line.unshipped - one.cancelled, line.shipped - one.quantity + one.cancelled];
          return { ...line, unshipped, shipped };
        });
      }
      assert.equal(taken, countAll(first));
      assert.equal(countAll(left), 0);
    }),
  );
});

const PAID = { paymentStatus: 'paid', paidAt: new Date(0), refundState: null, vatNumber: null } as const;
const LEFT = [{ position: 0, unshipped: 1, shipped: 0 }];
const OPEN = { lastDay: null, isOver: false };

test('[RET-02] a withdrawal needs a paid order of a consumer, units that are left, and time', () => {
  assert.equal(findWithdrawalProblem(PAID, LEFT, OPEN, true), null);
  assert.equal(findWithdrawalProblem({ ...PAID, paymentStatus: 'user_paid' }, LEFT, OPEN, true), null);
  assert.equal(findWithdrawalProblem(PAID, LEFT, OPEN, false), 'switched-off');
  assert.equal(findWithdrawalProblem({ ...PAID, vatNumber: 'DE1' }, LEFT, OPEN, true), 'business');
  assert.equal(findWithdrawalProblem({ ...PAID, paidAt: null }, LEFT, OPEN, true), 'not-paid');
  assert.equal(findWithdrawalProblem({ ...PAID, paymentStatus: 'expired' }, LEFT, OPEN, true), 'not-paid');
  assert.equal(findWithdrawalProblem({ ...PAID, refundState: 'refunding' }, LEFT, OPEN, true), 'nothing-left');
  assert.equal(findWithdrawalProblem(PAID, [{ position: 0, unshipped: 0, shipped: 0 }], OPEN, true), 'nothing-left');
  assert.equal(findWithdrawalProblem(PAID, LEFT, { lastDay: '2026-01-15', isOver: true }, true), 'period-over');
});
