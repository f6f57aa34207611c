import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  formatBtc,
  formatBtcAmount,
  formatDollars,
  formatNumber,
  formatUsd,
  formatUsdAmount,
} from './format-number.ts';
import { cents, centsPerBtc, sats } from './money.ts';
import { formatExactBtc } from './payments/ledger/exact-amounts.ts';

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

test('[FMT-03] writes dollars with cents and grouped thousands', () => {
  assert.equal(formatUsd(cents(110_415n)), '$1,104.15');
  assert.equal(formatUsd(centsPerBtc(11_100_000n)), '$111,000.00');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (amount) => {
      const written = formatUsd(cents(amount));
      assert.match(written, /^\$\d{1,3}(?:,\d{3})*\.\d{2}$/);
      assert.equal(BigInt(written.replaceAll(/[$,.]/g, '')), amount);
    }),
  );
});

test('[FMT-01] [FMT-03] writes whole numbers and dollars with grouped thousands', () => {
  assert.equal(formatNumber(1104.5), '1,105');
  assert.equal(formatNumber(0.4), '0');
  assert.equal(formatNumber(487_655), '487,655');
  assert.equal(formatNumber(2_100_000_000_000_000n), '2,100,000,000,000,000');
  assert.equal(formatNumber(4.25, 1), '4.3');
  assert.equal(formatDollars(1500), '$1,500');
  assert.equal(formatDollars(49.5), '$49.50');
});

test('[PAY-08] writes satoshis as bitcoin to the satoshi', () => {
  assert.equal(formatBtc(sats(900_000n)), '0.009000 BTC');
  assert.equal(formatBtc(sats(487_655n)), '0.00487655 BTC');
  assert.equal(formatExactBtc(0.0048765), '0.0048765');
});
