import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { exactBtcText, groupedText, lessBtc, lessUsd, rateText, satsText, wholeUsdText } from './exact-amounts.ts';

test('[PAY-03] [PAY-08] an amount to be sent is written to the satoshi, in both units', () => {
  assert.equal(exactBtcText(0.009), '0.009000');
  assert.equal(exactBtcText(0.00487655), '0.00487655');
  assert.equal(exactBtcText(0.0048765), '0.0048765');
  assert.equal(satsText(0.00487655), '487655');
  assert.equal(groupedText('487655'), '487,655');
  assert.equal(groupedText('12'), '12');
  assert.equal(rateText(111_000), '111,000.00');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_100_000_000_000_000 }), (sats) => {
      assert.equal(satsText(sats / 1e8), String(sats));
      assert.equal(Number(exactBtcText(sats / 1e8)), sats / 1e8);
      assert.equal(groupedText(String(sats)).replaceAll(',', ''), String(sats));
    }),
  );
});

test('[PAY-06] amounts less others are those of whole satoshi and cents', () => {
  assert.equal(lessBtc(0.3, 0.1), 0.2);
  assert.equal(lessUsd(1099.1, 1000), 99.1);
  const most = 2_100_000_000_000_000;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: most }), (from, less) => {
      assert.equal(lessBtc(from / 1e8, less / 1e8), (from - less) / 1e8);
      assert.equal(lessUsd(from / 100, less / 100), (from - less) / 100);
    }),
  );
});

test('[FMT-01] an order total in a list is a whole number of dollars', () => {
  assert.equal(wholeUsdText(1104.5), '1,105');
  assert.equal(wholeUsdText(0.4), '0');
});
