import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAfterDispatch, formatRange, listPromises } from './delivery-times.ts';

test('[OPS-07] a delivery time names its range and unit', () => {
  assert.equal(formatRange({ from: 1, to: 2, unit: 'business-days' }), '1–2 business days');
  assert.equal(formatRange({ from: 0, to: 1, unit: 'days' }), '0–1 day');
  assert.equal(formatAfterDispatch({ from: 24, to: 24, unit: 'hours' }), '24 hours after dispatch');
  assert.equal(formatAfterDispatch({ from: 1, to: 1, unit: 'days' }), '1 day after dispatch');
});

test('[OPS-07] an area without places or without a time promises nothing', () => {
  const range = { from: 2, to: 4, unit: 'business-days' } as const;
  assert.deepEqual(
    listPromises(
      [
        { regions: [], countries: [], range },
        { regions: ['Asia'], countries: [], range: null },
        { regions: ['Europe'], countries: ['GB'], range },
      ],
      null,
    ),
    [{ places: ['GB', 'Europe'], text: 'Delivery 2–4 business days after dispatch' }],
  );
});

test('[PROD-15] an area has a day of arrival once the time until dispatch is known', () => {
  const [dispatch, range] = [
    { from: 1, to: 2, unit: 'business-days' },
    { from: 24, to: 48, unit: 'hours' },
  ] as const;
  const [promise] = listPromises([{ regions: ['Europe'], countries: [], range }], dispatch);
  assert.deepEqual(promise?.times, [dispatch, range]);
});
