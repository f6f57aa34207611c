import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatDate, isTimeZone, UTC } from './format.ts';

const AT = '2026-11-22T23:30:00.000Z';

test('[FMT-03] writes a date in one form and names its time zone', () => {
  assert.equal(formatDate(AT, 'day', UTC), '22 Nov 2026');
  assert.equal(formatDate(AT, 'time', UTC), '23:30 UTC');
  assert.equal(formatDate(AT, 'moment', UTC), '22 Nov 2026, 23:30 UTC');
  assert.equal(formatDate(AT, 'clock', UTC), '23:30');
  assert.equal(formatDate(new Date(AT), 'moment', 'Asia/Tokyo'), '23 Nov 2026, 08:30 GMT+9');
  assert.equal(formatDate(AT, 'day', 'Asia/Tokyo'), '23 Nov 2026');
  assert.equal(formatDate(AT, 'day', 'America/New_York'), '22 Nov 2026');
});

test('[REV-01] writes the date of a review as day, month and year', () => {
  assert.equal(formatDate('2026-01-02T03:04:05.000Z', 'numeric', UTC), '02.01.2026');
  assert.equal(formatDate('2025-12-31T23:59:59.999Z', 'numeric', UTC), '31.12.2025');
  assert.equal(formatDate('2025-12-31T23:59:59.999Z', 'numeric', 'Asia/Tokyo'), '01.01.2026');
});

test('[FMT-03] accepts only time zones that can be formatted', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) {
    assert.ok(isTimeZone(name), name);
  }
  for (const name of ['', 'Mars/Olympus', '+01:00', 'Europe/Berlin; path=/', '../etc', 'a'.repeat(5000)]) {
    assert.ok(!isTimeZone(name), name);
  }
  fc.assert(
    fc.property(fc.string(), (name) => {
      if (isTimeZone(name)) formatDate(AT, 'moment', name);
    }),
  );
});
