import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { listTimeZones, toShopDay } from '#src/shop/shop-days.ts';
import { comparedDays, comparePeriods, hasEarlierSales } from './compare-periods.ts';
import { countDays } from './sales-period.ts';

const moment = fc.date({
  min: new Date('2012-01-01T00:00:00Z'),
  max: new Date('2099-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
const DAY_MS = 86_400_000;
/** Clocks change by at most an hour, but zones were moved by a day. */
const MOST_MS = 26 * 3_600_000;

test('[OPS-05] both periods have the same weekdays, and the earlier one ends before', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...comparedDays), fc.constantFrom(...listTimeZones()), (now, days, zone) => {
      const { current, before } = comparePeriods(now, days, zone);
      assert.equal(countDays(current), Number(days));
      assert.equal(countDays(before), Number(days));
      assert.equal(weekday(current.to), weekday(before.to));
      assert.equal(current.to, toShopDay(now, zone));
      assert.equal(current.until, now);
      assert.ok(before.since <= before.until && before.until <= current.since, zone);
      assert.ok(toShopDay(new Date(before.until.getTime() - 1), zone) <= before.to);
      const [length, earlier] = [current, before].map(({ since, until }) => until.getTime() - since.getTime());
      assert.ok(Math.abs((length ?? 0) - (earlier ?? 0)) <= MOST_MS);
    }),
    { numRuns: 500 },
  );
});

test('[OPS-05] the day before ends at the same time of the clock', () => {
  // Clocks went forward on 29 March 2026.
  const { before, current } = comparePeriods(new Date('2026-03-30T08:30:00Z'), '1', 'Europe/Berlin');
  assert.equal(current.since.toISOString(), '2026-03-29T22:00:00.000Z');
  assert.deepEqual(
    [before.from, before.since.toISOString(), before.until.toISOString()],
    ['2026-03-23', '2026-03-22T23:00:00.000Z', '2026-03-23T09:30:00.000Z'],
  );
  assert.equal(current.until.getTime() - before.until.getTime(), 7 * DAY_MS - 3_600_000);
});

test('[OPS-05] a shop that sold nothing on the first earlier day compares nothing', () => {
  const { before } = comparePeriods(new Date('2026-11-28T12:00:00Z'), '7', 'UTC');
  assert.equal(before.from, '2026-11-15');
  assert.deepEqual(
    [null, '2026-11-16', '2026-11-15', '2026-01-01'].map((day) => hasEarlierSales(day, before)),
    [false, false, true, true],
  );
});
