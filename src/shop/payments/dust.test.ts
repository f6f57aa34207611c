import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sats } from '../money.ts';
import { hasRefundable, isOnlyDust } from './dust.ts';

const output = fc.record({ amountSats: fc.bigInt(0n, 600n).map(sats), isLive: fc.boolean() });
const due = fc.bigInt(294n, 5000n).map(sats);

test('[PAY-14] only dust means live outputs below 294 that cover nothing', () => {
  const live = (...amounts: bigint[]) => amounts.map((amount) => ({ amountSats: sats(amount), isLive: true }));
  assert.equal(isOnlyDust([], sats(1000n)), false);
  assert.equal(isOnlyDust(live(0n), sats(1000n)), true);
  assert.equal(isOnlyDust(live(293n, 293n), sats(1000n)), true);
  assert.equal(isOnlyDust(live(294n), sats(1000n)), false);
  assert.equal(isOnlyDust(live(293n, 293n), sats(586n)), false, 'it covers what is due');
});

test('[PAY-14] what is live is either dust or refundable', () => {
  fc.assert(
    fc.property(fc.array(output, { maxLength: 8 }), due, (outputs, dueSats) => {
      const isLive = outputs.some((one) => one.isLive);
      assert.equal(isOnlyDust(outputs, dueSats) || hasRefundable(outputs, dueSats), isLive);
      assert.equal(isOnlyDust(outputs, dueSats) && hasRefundable(outputs, dueSats), false);
    }),
  );
});
