import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeChange, describeComparison } from './describe-comparison.ts';

const current = { from: '2026-11-22', to: '2026-11-28', until: '2026-11-28T22:05:00Z' };
const before = { from: '2026-11-15', to: '2026-11-21', until: '2026-11-21T22:05:00Z' };

test('[OPS-05] a comparison names its days and time in the shop’s zone', () => {
  const text = describeComparison({ current, before, first_sale: '2026-01-01', time_zone: 'Europe/Berlin' });
  assert.equal(
    text,
    'Sun, 22 Nov 2026 to Sat, 28 Nov 2026, until 23:05 (Europe/Berlin), ' +
      'compared with Sun, 15 Nov 2026 to Sat, 21 Nov 2026, until 23:05.',
  );
});

test('[OPS-05] a new shop shows why nothing is compared', () => {
  const nothing = { current, before: null, time_zone: 'UTC' };
  assert.match(describeComparison({ ...nothing, first_sale: null }), /Nothing was sold yet/);
  assert.match(
    describeComparison({ ...nothing, first_sale: '2026-11-27' }),
    /the first sale was on Fri, 27 Nov 2026\.$/,
  );
});

test('[OPS-05] no percentage is shown of nothing or of a loss', () => {
  assert.deepEqual(
    [describeChange(5, 0), describeChange(5, -3), describeChange(0, 0), describeChange(5, 5)],
    [null, null, null, 'no change'],
  );
  assert.deepEqual([describeChange(3, 2), describeChange(-1, 2)], ['+50%', '−150%']);
});
