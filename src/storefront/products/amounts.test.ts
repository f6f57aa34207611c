import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBtcAmount, formatUsdAmount } from './amounts.ts';

test("[CARD-01] [FMT-01] formats bitcoin with six decimals, and '0.00' when not above 0", () => {
  assert.equal(formatBtcAmount(0.009), '0.009000');
  assert.equal(formatBtcAmount(12.3456789), '12.345679');
  assert.equal(formatBtcAmount(0), '0.00');
  assert.equal(formatBtcAmount(-1), '0.00');
});

test('[CARD-01] [FMT-01] formats dollars with two decimals', () => {
  assert.equal(formatUsdAmount(999), '999.00');
  assert.equal(formatUsdAmount(0.5), '0.50');
});

test('[FMT-03] groups thousands', () => {
  assert.equal(formatUsdAmount(1104.15), '1,104.15');
  assert.equal(formatUsdAmount(1_234_567), '1,234,567.00');
  assert.equal(formatBtcAmount(1234.5678901), '1,234.567890');
});
