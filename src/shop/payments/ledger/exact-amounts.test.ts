import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatExactBtc, subtractBtc, subtractUsd, formatSats } from './exact-amounts.ts';

test('[PAY-03] [PAY-08] writes an amount to the satoshi in both units', () => {
  assert.equal(formatExactBtc(0.009), '0.009000');
  assert.equal(formatExactBtc(0.00487655), '0.00487655');
  assert.equal(formatExactBtc(0.0048765), '0.0048765');
  assert.equal(formatSats(0.00487655), '487655');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_100_000_000_000_000 }), (sats) => {
      assert.equal(formatSats(sats / 1e8), String(sats));
      assert.equal(Number(formatExactBtc(sats / 1e8)), sats / 1e8);
    }),
  );
});

test('[PAY-06] subtracts amounts in whole satoshis and cents', () => {
  assert.equal(subtractBtc(0.3, 0.1), 0.2);
  assert.equal(subtractUsd(1099.1, 1000), 99.1);
  const most = 2_100_000_000_000_000;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: most }), (from, less) => {
      assert.equal(subtractBtc(from / 1e8, less / 1e8), (from - less) / 1e8);
      assert.equal(subtractUsd(from / 100, less / 100), (from - less) / 100);
    }),
  );
});
