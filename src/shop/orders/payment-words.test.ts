import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { paymentStates } from '../payments/payment-state.ts';
import { formatCountdown } from './format-countdown.ts';
import { headingOf, tellPayment } from './payment-words.ts';

test('[PAY-01] each status has its heading', () => {
  assert.deepEqual(headingOf('pending'), { heading: 'Complete your order', status: 'Awaiting payment' });
  assert.deepEqual(headingOf('user_paid'), { heading: 'Waiting for confirmation', status: 'Awaiting confirmation' });
  assert.deepEqual(headingOf('paid'), { heading: 'Order paid.', status: 'Paid' });
  for (const status of ['expired', 'cancelled', 'refunded'] as const) {
    assert.equal(headingOf(status).heading.toLowerCase(), status);
    assert.equal(headingOf(status).status.toLowerCase(), status);
  }
});

test('[PAY-09] every state of a payment is told in words that help', () => {
  const told = paymentStates.map((state) =>
    tellPayment({ state, confirmations: 1, required: 2, missingBtc: '0.001000', isExpired: false }),
  );
  assert.equal(new Set(told).size, paymentStates.length);
  assert.match(told[paymentStates.indexOf('underpaid')] ?? '', /0\.001000 BTC/);
  assert.match(told[paymentStates.indexOf('confirming')] ?? '', /1 of 2 confirmations/);
});

test('[PAY-02] the countdown is hh:mm:ss and ends at zero', () => {
  assert.equal(formatCountdown(7_200_000), '02:00:00');
  assert.equal(formatCountdown(7_199_001), '02:00:00');
  assert.equal(formatCountdown(3_661_000), '01:01:01');
  assert.equal(formatCountdown(0), '00:00:00');
  assert.equal(formatCountdown(-5), '00:00:00');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 359_999 }), (seconds) => {
      const [hours = 0, minutes = 0, rest = 0] = formatCountdown(seconds * 1000)
        .split(':')
        .map(Number);
      assert.equal(hours * 3600 + minutes * 60 + rest, seconds);
      assert.ok(minutes < 60 && rest < 60);
    }),
  );
});
