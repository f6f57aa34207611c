import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as assertProperty, bigInt, boolean, property, record } from 'fast-check';
import { sats } from '#src/shop/money.ts';
import { hasRefundable, isOnlyDust } from './dust.ts';

const output = record({ amountSats: bigInt(0n, 600n).map(sats), isLive: boolean() });
const due = bigInt(294n, 5000n).map(sats);

const createLiveOutputs = (...amounts: bigint[]) =>
  amounts.map((amount) => ({ amountSats: sats(amount), isLive: true }));

test('[PAY-11] live outputs below 294 that cover nothing are only dust', () => {
  assert.equal(isOnlyDust([], sats(1000n)), false);
  assert.equal(isOnlyDust(createLiveOutputs(0n), sats(1000n)), true);
  assert.equal(isOnlyDust(createLiveOutputs(293n, 293n), sats(1000n)), true);
  assert.equal(isOnlyDust(createLiveOutputs(294n), sats(1000n)), false);
  assert.equal(isOnlyDust(createLiveOutputs(293n, 293n), sats(586n)), false, 'it covers the amount due');
});

test('[PAY-11] live outputs are either only dust or refundable', () => {
  assertProperty(
    property(array(output, { maxLength: 8 }), due, (outputs, dueSats) => {
      const isLive = outputs.some((other) => other.isLive);
      assert.equal(isOnlyDust(outputs, dueSats) || hasRefundable(outputs, dueSats), isLive);
      assert.equal(isOnlyDust(outputs, dueSats) && hasRefundable(outputs, dueSats), false);
    }),
  );
});
