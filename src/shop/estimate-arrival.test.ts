import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DeliveryRange } from './delivery-times.ts';
import { estimateArrival, formatArrival } from './estimate-arrival.ts';

const DISPATCH: DeliveryRange = { from: 1, to: 2, unit: 'business-days' };

test('[DASH-04] the arrival adds dispatch and delivery, without weekends in business days', () => {
  // A Friday.
  const paid = new Date('2026-11-27T15:00:00Z');
  const format = (...ranges: DeliveryRange[]): string => formatArrival(estimateArrival(paid, ranges));
  assert.equal(format({ from: 24, to: 24, unit: 'hours' }), 'Sat 28 Nov');
  assert.equal(format(DISPATCH), 'Mon 30 Nov – Tue 1 Dec');
  assert.equal(format(DISPATCH, { from: 2, to: 4, unit: 'business-days' }), 'Wed 2 Dec – Mon 7 Dec');
  assert.equal(format(DISPATCH, { from: 3, to: 3, unit: 'days' }), 'Thu 3 Dec – Fri 4 Dec');
  assert.equal(format(), 'Fri 27 Nov');
});

test('[DASH-04] an arrival is never before its start, nor its end before its begin', () => {
  const range = fc
    .record({
      from: fc.nat(40),
      more: fc.nat(40),
      unit: fc.constantFrom('hours', 'days', 'business-days'),
    } as const)
    .map(({ from, more, unit }): DeliveryRange => ({ from, to: from + more, unit }));
  const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moment, fc.array(range, { maxLength: 3 }), (start, ranges) => {
      const { earliest, latest } = estimateArrival(start, ranges);
      assert.ok(earliest.getTime() <= latest.getTime());
      assert.ok(earliest.getTime() > start.getTime() - 24 * 3_600_000);
      const isOnBusinessDay = ranges.some(({ unit, to }) => unit === 'business-days' && to > 0);
      const isLast = ranges.at(-1)?.unit === 'business-days' && (ranges.at(-1)?.to ?? 0) > 0;
      if (isOnBusinessDay && isLast) assert.ok(![0, 6].includes(latest.getUTCDay()));
    }),
  );
});
