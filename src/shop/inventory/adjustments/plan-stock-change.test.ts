import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeOnHand, MAX_UNITS, planRestatement, planStockChange } from './plan-stock-change.ts';
import type { StockLevels } from './plan-stock-change.ts';

const units = fc.integer({ min: 0, max: 1_000 });
const tracked = fc.record({ available: fc.integer({ min: -500, max: 1_000 }), reserved: units, committed: units });
const untracked = fc.record({ available: fc.constant(null), reserved: units, committed: units });
const levels: fc.Arbitrary<StockLevels> = fc.oneof(tracked, untracked);

test('[OPS-10] a count sets what is on hand, whatever orders promise', () => {
  fc.assert(
    fc.property(levels, units, (before, quantity) => {
      const seen = computeOnHand(before);
      const planned = planStockChange(before, { kind: 'set', of: 'on_hand', quantity, seen });
      assert.ok(planned.ok);
      assert.equal(computeOnHand({ ...before, available: planned.available }), quantity);
    }),
  );
});

test('[OPS-10] a set quantity is refused if the form saw another number', () => {
  fc.assert(
    fc.property(
      levels,
      fc.constantFrom('on_hand' as const, 'available' as const),
      fc.option(fc.integer({ min: -500, max: 3_000 })),
      (before, of, seen) => {
        const present = of === 'on_hand' ? computeOnHand(before) : before.available;
        const planned = planStockChange(before, { kind: 'set', of, quantity: 7, seen });
        assert.equal(planned.ok, seen === present);
        if (!planned.ok) assert.equal(planned.reason, 'outdated');
      },
    ),
  );
});

test('[OPS-10] an adjustment moves available and on hand alike, never below an empty shelf', () => {
  fc.assert(
    fc.property(tracked, fc.integer({ min: -3_000, max: 3_000 }), (before, by) => {
      const planned = planStockChange(before, { kind: 'adjust', by });
      const onHand = computeOnHand(before) ?? 0;
      if (by < 0 && onHand + by < 0) assert.deepEqual(planned, { ok: false, reason: 'below-zero' });
      else assert.deepEqual(planned, { ok: true, available: before.available + by });
    }),
  );
});

test('[OPS-10] only tracked stock is adjusted, up to the maximum', () => {
  const none = { available: null, reserved: 0, committed: 2 };
  assert.deepEqual(planStockChange(none, { kind: 'adjust', by: 1 }), { ok: false, reason: 'not-tracked' });
  assert.deepEqual(planStockChange(none, { kind: 'stop-tracking' }), { ok: false, reason: 'not-tracked' });
  const full = { available: MAX_UNITS, reserved: 0, committed: 0 };
  assert.deepEqual(planStockChange(full, { kind: 'adjust', by: 1 }), { ok: false, reason: 'too-many' });
  assert.deepEqual(planStockChange(full, { kind: 'stop-tracking' }), { ok: true, available: null });
});

test('[OPS-10] a count below what orders promise leaves available negative', () => {
  const before = { available: 1, reserved: 2, committed: 3 };
  const counted = { kind: 'set', of: 'on_hand', quantity: 3, seen: 6 } as const;
  assert.deepEqual(planStockChange(before, counted), { ok: true, available: -2 });
});

test('[OPS-12] a restatement moves stock by its difference, never below none', () => {
  const amount = fc.option(units);
  fc.assert(
    fc.property(fc.option(fc.integer({ min: -500, max: 1_000 })), amount, amount, (present, before, after) => {
      const planned = planRestatement(present, { before, after });
      if (before === null || after === null) assert.equal(planned, after);
      else if (present === null) assert.equal(planned, null);
      else assert.equal(planned, Math.max(Math.min(0, present), present + after - before));
    }),
  );
});
