import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { countLeft, selectShipment } from './select-shipment.ts';
import type { LineToShip } from './select-shipment.ts';

const createLine = (position: number, quantity: number, shipped = 0, refunded = 0, withdrawn = 0): LineToShip => ({
  position,
  quantity,
  shipped_quantity: shipped,
  refunded_unshipped_quantity: refunded,
  withdrawn_quantity: withdrawn,
});
const lines = [createLine(0, 3, 1), createLine(1, 1, 1), createLine(2, 2)];

test('[OPS-13] a shipment contains the requested units, or all that are left', () => {
  const rest = [
    { position: 0, quantity: 2 },
    { position: 2, quantity: 2 },
  ];
  assert.deepEqual(selectShipment(lines, null), { ok: true, units: rest, isLast: true });
  assert.deepEqual(selectShipment(lines, [{ position: 2, quantity: 1 }]), {
    ok: true,
    units: [{ position: 2, quantity: 1 }],
    isLast: false,
  });
});

test('[OPS-13] a shipment contains no unit twice and none that was not ordered', () => {
  for (const requested of [
    [{ position: 0, quantity: 3 }],
    [{ position: 1, quantity: 1 }],
    [{ position: 9, quantity: 1 }],
    [
      { position: 2, quantity: 1 },
      { position: 2, quantity: 2 },
    ],
  ]) {
    assert.deepEqual(selectShipment(lines, requested), { ok: false, reason: 'too-many-units' });
  }
  assert.deepEqual(selectShipment(lines, []), { ok: false, reason: 'nothing-to-ship' });
  assert.deepEqual(selectShipment([createLine(0, 1, 1)], null), {
    ok: false,
    reason: 'nothing-to-ship',
  });
});

test('[OPS-13] units that were refunded before shipping are not shipped', () => {
  const refunded = [createLine(0, 3, 1, 1), createLine(1, 1, 0, 1)];
  assert.deepEqual(selectShipment(refunded, null), { ok: true, units: [{ position: 0, quantity: 1 }], isLast: true });
  for (const position of [0, 1]) {
    const selection = selectShipment(refunded, [{ position, quantity: 2 - position }]);
    assert.deepEqual(selection, { ok: false, reason: 'too-many-units' });
  }
});

test('[OPS-13] any sequence of shipments ships each ordered unit exactly once', () => {
  const quantities = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
  const units = fc.record({ position: fc.nat(6), quantity: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(quantities, fc.array(fc.array(units, { maxLength: 4 }), { maxLength: 12 }), (ordered, requests) => {
      let state = ordered.map((quantity, position) => createLine(position, quantity));
      let sent = 0;
      for (const requested of [...requests, null]) {
        const selection = selectShipment(state, requested);
        if (!selection.ok) continue;
        sent += selection.units.reduce((sum, { quantity }) => sum + quantity, 0);
        state = state.map((line) => ({
          ...line,
          shipped_quantity:
            line.shipped_quantity + (selection.units.find(({ position }) => position === line.position)?.quantity ?? 0),
        }));
        assert.ok(state.every((line) => countLeft(line) >= 0));
        assert.equal(
          selection.isLast,
          state.every((line) => countLeft(line) === 0),
        );
      }
      assert.equal(
        sent,
        ordered.reduce((sum, quantity) => sum + quantity, 0),
      );
    }),
  );
});
