import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announceCountdown } from './announce-countdown.ts';

test('[PAY-02] announces a countdown at 10, 5 and 1 minutes only', () => {
  const announcements: [number, string][] = [];
  for (let left = 7200; left > 0; left -= 1) {
    const words = announceCountdown(left, left - 1);
    if (words !== null) announcements.push([left - 1, words]);
  }
  assert.deepEqual(announcements, [
    [600, '10 minutes left to pay'],
    [300, '5 minutes left to pay'],
    [60, '1 minute left to pay'],
  ]);
});

test('[PAY-02] announces only the last passed mark, and nothing after the end', () => {
  assert.equal(announceCountdown(900, 240), '5 minutes left to pay');
  assert.equal(announceCountdown(900, 30), '1 minute left to pay');
  assert.equal(announceCountdown(900, 0), null);
  assert.equal(announceCountdown(500, 400), null);
});
