import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { listTimeZones, startOfShopDay, toShopDay } from '#src/shop/shop-days.ts';
import {
  addDays,
  chooseUnit,
  countDays,
  isDay,
  limitUnit,
  listSpans,
  listUnits,
  namedPeriods,
  resolveNamedPeriod,
  resolvePeriod,
  salesUnits,
  startOfUnit,
} from './sales-period.ts';

const TODAY = '2026-03-01';
const day = fc.integer({ min: 0, max: 12_000 }).map((days) => addDays('2010-01-01', days));

test('[OPS-05] named periods end today', () => {
  assert.deepEqual(resolveNamedPeriod(TODAY, '7d'), { from: '2026-02-23', to: '2026-03-01' });
  assert.deepEqual(resolveNamedPeriod(TODAY, '12m'), { from: '2025-04-01', to: '2026-03-01' });
  assert.equal(countDays(resolveNamedPeriod(TODAY, '90d')), 90);
});

test('[OPS-05] a period needs both days, in order, within ten years', () => {
  assert.deepEqual(resolvePeriod(TODAY, {}), resolveNamedPeriod(TODAY, '30d'));
  assert.deepEqual(resolvePeriod(TODAY, { period: '7d', from: '2026-01-02', to: '2026-01-02' }), {
    from: '2026-01-02',
    to: '2026-01-02',
  });
  for (const bad of [
    { from: '2026-01-02' },
    { to: '2026-01-02' },
    { from: '2026-01-02', to: '2026-01-01' },
    { from: '2010-01-01', to: '2026-01-01' },
  ])
    assert.equal(resolvePeriod(TODAY, bad), null, JSON.stringify(bad));
});

test('[OPS-05] accepts days of the calendar only', () => {
  for (const good of ['2026-02-28', '2024-02-29', '2199-12-31']) assert.ok(isDay(good), good);
  for (const bad of ['2026-02-29', '2026-13-01', '1999-12-31', '2026-1-1', '', 'today', '2026-01-01T00:00'])
    assert.ok(!isDay(bad), bad);
});

test('[OPS-05] every day of a period belongs to one of its units', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 500 }), fc.constantFrom(...salesUnits), (from, more, unit) => {
      const period = { from, to: addDays(from, more) };
      const units = listUnits(period, unit);
      assert.equal(new Set(units).size, units.length);
      assert.deepEqual(units, units.toSorted());
      const expected = new Set<string>();
      for (let at = 0; at <= more; at += 1) expected.add(startOfUnit(addDays(from, at), unit));
      assert.deepEqual(units, [...expected]);
    }),
    { numRuns: 50 },
  );
});

test('[OPS-05] weeks start on Monday', () => {
  assert.equal(startOfUnit('2026-03-01', 'week'), '2026-02-23');
  assert.equal(startOfUnit('2026-03-02', 'week'), '2026-03-02');
});

test('[OPS-05] chooses a longer unit for a longer period', () => {
  assert.deepEqual(
    namedPeriods.map((name) => chooseUnit(resolveNamedPeriod(TODAY, name))),
    ['day', 'day', 'week', 'month'],
  );
  assert.equal(limitUnit({ from: '2020-01-01', to: '2026-01-01' }, 'day'), 'week');
  assert.equal(limitUnit({ from: '2017-01-01', to: '2026-12-31' }, 'week'), 'month');
});

test('[OPS-05] spans of units follow each other and hold their days', () => {
  const zone = fc.constantFrom(...listTimeZones());
  const hours = fc.integer({ min: 0, max: 400 * 24 });
  fc.assert(
    fc.property(day, hours, fc.constantFrom(...salesUnits), zone, (from, more, unit, timeZone) => {
      const spans = listSpans({ from, to: addDays(from, Math.floor(more / 24)) }, unit, timeZone);
      assert.equal(spans[0]?.from.getTime(), startOfShopDay(from, timeZone).getTime());
      for (const [at, span] of spans.entries()) assert.deepEqual(span.to, spans[at + 1]?.from ?? span.to);
      const moment = new Date((spans[0]?.from.getTime() ?? 0) + more * 3_600_000);
      const found = spans.find((span) => span.from <= moment && moment < span.to);
      if (found) assert.equal(found.start, startOfUnit(toShopDay(moment, timeZone), unit));
    }),
    { numRuns: 100 },
  );
});
