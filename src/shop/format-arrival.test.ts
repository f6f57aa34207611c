import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DELIVERY_UNITS } from './delivery-times.ts';
import { computeArrival, formatArrival } from './format-arrival.ts';

const business = (from: number, to: number) => ({ from, to, unit: 'business-days' }) as const;
const arrive = (paidOn: string, ...times: Parameters<typeof computeArrival>[1][number][]): string =>
  formatArrival(computeArrival(new Date(paidOn), times));

test('[DASH-04] names the days of arrival, without weekends in business days', () => {
  // A Friday.
  assert.equal(arrive('2026-11-27', business(1, 1), business(1, 1)), 'Tue 1 Dec');
  assert.equal(arrive('2026-11-27', business(1, 2), business(2, 4)), 'Wed 2 Dec – Mon 7 Dec');
  // A Sunday.
  assert.equal(arrive('2026-11-29', business(0, 1)), 'Sun 29 Nov – Mon 30 Nov');
  assert.equal(arrive('2026-12-30', { from: 24, to: 49, unit: 'hours' }), 'Thu 31 Dec – Sat 2 Jan');
  assert.equal(arrive('2026-11-28', { from: 2, to: 2, unit: 'days' }), 'Mon 30 Nov');
});

const range = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), fc.constantFrom(...DELIVERY_UNITS))
  .map(([from, more, unit]) => ({ from, to: from + more, unit }));
const day = fc.integer({ min: 0, max: 36_500 }).map((count) => new Date(count * 24 * 60 * 60 * 1000));

test('[DASH-04] nothing arrives before its payment, nor its first day after its last', () => {
  fc.assert(
    fc.property(day, fc.array(range, { maxLength: 2 }), (paidOn, times) => {
      const [first, last] = computeArrival(paidOn, times);
      assert.ok(paidOn <= first && first <= last);
      const isBusiness = times.at(-1)?.unit === 'business-days' && (times.at(-1)?.from ?? 0) > 0;
      if (isBusiness) assert.ok([1, 2, 3, 4, 5].includes(first.getUTCDay()));
    }),
  );
});
