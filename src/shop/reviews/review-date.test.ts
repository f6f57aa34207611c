import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewDate } from './review-date.ts';

test('[REV-01] a date is day, month, year as in Russian, in UTC whatever the machine says', () => {
  assert.equal(reviewDate('2026-01-02T03:04:05.000Z'), '02.01.2026');
  assert.equal(reviewDate('2025-12-31T23:59:59.999Z'), '31.12.2025');
  assert.equal(reviewDate('2026-01-01T00:00:00.000Z'), '01.01.2026');
});
