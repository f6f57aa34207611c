import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_CENTS } from '#src/shop/money.ts';
import { isReleasedAfter, listUnitsToRelease } from './units-to-release.ts';

const line = {
  position: 3,
  quantity: 6,
  cancelled: 1,
  received: 4,
  restocked: 1,
  damaged: 1,
  sentBack: 2,
  deductionCents: NO_CENTS,
};

test('[RET-06] units that are not refunded can be returned again, once', () => {
  const inspected = { cause: 'defect', state: 'inspected', lines: [line], isReleased: false } as const;
  // Two went back, one never arrived.
  assert.deepEqual(listUnitsToRelease(inspected, 'refunded'), [{ position: 3, quantity: 3, cancelled: 0 }]);
  assert.deepEqual(listUnitsToRelease(inspected, 'void'), [{ position: 3, quantity: 6, cancelled: 1 }]);
  // What was stopped stays so.
  assert.deepEqual(listUnitsToRelease(inspected, 'not-refunded'), [{ position: 3, quantity: 5, cancelled: 0 }]);
  const again = { ...inspected, isReleased: true };
  assert.deepEqual(listUnitsToRelease(again, 'refunded'), []);
  assert.deepEqual(listUnitsToRelease(again, 'void'), [{ position: 3, quantity: 3, cancelled: 1 }]);
  const sent = { cause: 'defect', state: 'in-transit', lines: [{ ...line, received: 0 }], isReleased: false } as const;
  assert.deepEqual(listUnitsToRelease(sent, 'refunded'), [], 'a proof of sending refunds all of them');
});

test('[RET-06] the shop keeps units of a withdrawal that was refunded by hand', () => {
  const withdrawal = { cause: 'withdrawal', lines: [line], isReleased: false } as const;
  const inspected = { ...withdrawal, state: 'inspected' } as const;
  assert.deepEqual(listUnitsToRelease(inspected, 'not-refunded'), [{ position: 3, quantity: 3, cancelled: 0 }]);
  const sent = { ...withdrawal, state: 'in-transit' } as const;
  assert.deepEqual(listUnitsToRelease(sent, 'not-refunded'), []);
  // What was not released before the units arrived can be inspected and released later.
  assert.deepEqual([isReleasedAfter(inspected, 'refunded'), isReleasedAfter(sent, 'refunded')], [true, false]);
});
