import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toShopDay } from '#src/shop/shop-days.ts';
import { computeAgeLimit, computeDateLimit, computeYearLimit, findNextYear } from './retention-limit.ts';

const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-12-31'), noInvalidDate: true });
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles');

const limit = (now: string, timeZone = 'UTC'): string => computeYearLimit(new Date(now), 6, timeZone).toISOString();

test('[OPS-26] what ended in a year goes on the first day after the full years', () => {
  assert.equal(limit('2026-11-29T10:00:00Z'), '2020-01-01T00:00:00.000Z');
  assert.equal(limit('2025-12-31T23:59:59Z'), '2019-01-01T00:00:00.000Z');
  assert.equal(limit('2025-12-31T23:30:00Z', 'Europe/Berlin'), '2019-12-31T23:00:00.000Z');
  fc.assert(
    fc.property(moment, fc.integer({ min: 2, max: 30 }), zone, (ended, years, timeZone) => {
      const year = Number(toShopDay(ended, timeZone).slice(0, 4));
      const isOld = (now: Date) => ended < computeYearLimit(now, years, timeZone);
      const lastDay = new Date(Date.UTC(year + years, 11, 30));
      const firstDay = new Date(Date.UTC(year + years + 1, 0, 2));
      return !isOld(lastDay) && isOld(firstDay);
    }),
  );
});

test('[OPS-26] the limit moves at the start of the next year of the shop', () => {
  fc.assert(
    fc.property(moment, zone, (now, timeZone) => {
      const next = findNextYear(now, timeZone);
      const [before, after] = [new Date(next.getTime() - 1), next].map((at) => computeYearLimit(at, 10, timeZone));
      return next > now && +(before ?? 0) === +computeYearLimit(now, 10, timeZone) && (after ?? now) > (before ?? now);
    }),
  );
});

test('[OPS-26] messages are kept for years of 365 days, records of staff to the date', () => {
  const now = new Date('2032-03-01T10:00:00Z');
  assert.equal(computeAgeLimit(now, 1).toISOString(), '2031-03-02T10:00:00.000Z');
  assert.equal(computeDateLimit(now, 6).toISOString(), '2026-03-01T10:00:00.000Z');
});
