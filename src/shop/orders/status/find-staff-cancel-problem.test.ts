import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import { findStaffCancelProblem } from './find-staff-cancel-problem.ts';

const at = new Date('2026-03-01T12:00:00Z');
const dust = {
  txid: 'ab'.repeat(32),
  vout: 0,
  amountSats: sats(1n),
  isCoinbase: false,
  isLive: true,
  height: 300,
  firstSeen: at,
  leftBecause: null,
  leftAt: null,
};
const refuse = (fulfilment_status: 'unfulfilled' | 'shipped' | 'delivered') =>
  findStaffCancelProblem(
    {
      payment_status: 'expired',
      fulfilment_status,
      paid_at: null,
      refund_state: null,
      due_sats: sats(100_000n),
      required_confirmations: 1,
    },
    { outputs: [dust], tip: { height: 300 } },
  );

test('[PAY-14] a shipped order is never cancelled, dust or not', () => {
  assert.equal(refuse('unfulfilled'), null);
  assert.equal(refuse('shipped'), 'shipped');
  assert.equal(refuse('delivered'), 'shipped');
});
