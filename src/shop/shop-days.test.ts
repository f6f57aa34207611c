import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { endOfShopDay, formatShopMinute, listTimeZones, startOfShopDay, toPeriod, toShopDay } from './shop-days.ts';

const HOUR_MS = 3_600_000;
const zone = fc.constantFrom(...listTimeZones());
const moment = fc.date({
  min: new Date('2012-01-01T00:00:00Z'),
  max: new Date('2099-12-31T00:00:00Z'),
  noInvalidDate: true,
});

/** The day by the parts of another format. */
function readIntlDay(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.get('year')}-${part.get('month')}-${part.get('day')}`;
}

test('[OPS-05] each moment is within its day by Intl', () => {
  fc.assert(
    fc.property(moment, zone, (at, timeZone) => {
      const day = toShopDay(at, timeZone);
      assert.equal(day, readIntlDay(at, timeZone));
      assert.ok(
        startOfShopDay(day, timeZone) <= at && at < endOfShopDay(day, timeZone),
        `${at.toISOString()} ${timeZone}`,
      );
    }),
    { numRuns: 500 },
  );
});

test('[OPS-05] a day begins when Intl changes the date', () => {
  fc.assert(
    fc.property(moment, zone, (at, timeZone) => {
      const day = toShopDay(at, timeZone);
      const start = startOfShopDay(day, timeZone);
      assert.equal(readIntlDay(start, timeZone), day);
      assert.ok(readIntlDay(new Date(start.getTime() - 1), timeZone) < day);
    }),
    { numRuns: 500 },
  );
});

const countHours = (day: string, timeZone: string): number =>
  (endOfShopDay(day, timeZone).getTime() - startOfShopDay(day, timeZone).getTime()) / HOUR_MS;

test('[OPS-05] days are shorter and longer when clocks change', () => {
  assert.equal(countHours('2026-03-29', 'Europe/Berlin'), 23);
  assert.equal(countHours('2026-10-25', 'Europe/Berlin'), 25);
  assert.equal(countHours('2026-04-05', 'Australia/Lord_Howe'), 24.5);
  // Clocks change at midnight: the day starts at 01:00.
  assert.equal(startOfShopDay('2018-11-04', 'America/Sao_Paulo').toISOString(), '2018-11-04T03:00:00.000Z');
  // The zone left this day out.
  assert.equal(countHours('2011-12-30', 'Pacific/Apia'), 0);
});

test('[OPS-05] a period ends after its last day', () => {
  assert.deepEqual(toPeriod({ from: '2026-01-01', to: '2026-01-31' }, 'Asia/Tokyo'), {
    from: new Date('2025-12-31T15:00:00Z'),
    to: new Date('2026-01-31T15:00:00Z'),
  });
  assert.deepEqual(toPeriod({}, 'Asia/Tokyo'), { from: null, to: null });
});

test('[OPS-16] a printed time names its zone', () => {
  const at = new Date('2026-07-01T22:30:00Z');
  assert.equal(formatShopMinute(at, 'Europe/Berlin'), '2026-07-02 00:30 Europe/Berlin');
  assert.equal(formatShopMinute(at, 'UTC'), '2026-07-01 22:30 UTC');
});
