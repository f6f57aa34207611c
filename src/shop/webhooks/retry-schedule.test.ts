import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  computePauseMs,
  computeRetryDelayMs,
  DISABLE_AFTER_MS,
  findDisableReason,
  GIVE_UP_MS,
  isGivenUp,
  isSuccessStatus,
} from './retry-schedule.ts';

const HOUR_MS = 3_600_000;

test('[OPS-19] retries grow to twelve hours and end after three days', () => {
  const tries = fc.integer({ min: 1, max: 1_000 });
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(tries, random, (number, chance) => {
      const delay = computeRetryDelayMs(number, chance);
      assert.ok(delay >= 4_000 && delay <= 12 * HOUR_MS * 1.2);
      assert.ok(computeRetryDelayMs(number + 1, chance) >= delay);
    }),
  );
  let [elapsed, attempts] = [0, 1];
  while (elapsed < GIVE_UP_MS) elapsed += computeRetryDelayMs(attempts++, 0.5);
  assert.ok(attempts >= 12 && attempts <= 15, String(attempts));
});

test('[OPS-19] an endpoint pauses at most a minute after failures', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((failures) => computePauseMs(failures)),
    [0, 0, 1_000, 2_000],
  );
  assert.equal(computePauseMs(1_000), 60_000);
});

test('[OPS-19] only a status of 2xx is a success', () => {
  for (const status of [200, 201, 204, 299]) assert.ok(isSuccessStatus(status));
  for (const status of [null, 100, 199, 300, 301, 302, 307, 400, 410, 429, 500, 503])
    assert.ok(!isSuccessStatus(status));
});

test('[OPS-19] three days of failures or status 410 disable an endpoint', () => {
  const now = new Date('2026-05-04T00:00:00Z');
  const since = (ms: number): Date => new Date(now.getTime() - ms);
  assert.equal(findDisableReason(500, since(DISABLE_AFTER_MS - 1), now), null);
  assert.equal(findDisableReason(500, since(DISABLE_AFTER_MS), now), 'failing');
  assert.equal(findDisableReason(null, since(DISABLE_AFTER_MS), now), 'failing');
  assert.equal(findDisableReason(410, now, now), 'gone');
  assert.deepEqual([isGivenUp(now, now), isGivenUp(now, new Date(now.getTime() + 1))], [true, false]);
});
