import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SATS, sats } from '#src/shop/money.ts';
import { decideAcceptAsPaid } from './decide-accept-as-paid.ts';
import type { OrderToAccept } from './decide-accept-as-paid.ts';

const order = (change: Partial<OrderToAccept> = {}): OrderToAccept => ({
  payment_status: 'expired',
  due_sats: sats(1000n),
  refund_state: null,
  returned_sats: NO_SATS,
  ...change,
});
const createAmounts = (received: bigint, final: bigint) => ({ receivedSats: sats(received), finalSats: sats(final) });
const decideReason = (stored: OrderToAccept, received: bigint, final: bigint): string => {
  const decision = decideAcceptAsPaid(stored, createAmounts(received, final));
  return decision.ok ? String(decision.acceptedSats) : decision.reason;
};

test('[OPS-03] accepts the final amount, at most the amount due', () => {
  for (const payment_status of ['pending', 'user_paid', 'expired', 'cancelled'] as const) {
    assert.equal(decideReason(order({ payment_status }), 400n, 400n), '400');
    assert.equal(decideReason(order({ payment_status }), 1000n, 1000n), '1000');
    assert.equal(decideReason(order({ payment_status }), 1500n, 1500n), '1000');
    assert.equal(decideReason(order({ payment_status }), 0n, 0n), 'nothing-received');
  }
});

test('[OPS-03] [PAY-09] waits for unconfirmed payments that complete the amount', () => {
  assert.equal(decideReason(order(), 400n, 0n), 'not-confirmed');
  assert.equal(decideReason(order(), 1000n, 0n), 'not-confirmed');
  assert.equal(decideReason(order(), 1000n, 400n), 'not-confirmed', 'the rest would become a surplus');
  assert.equal(decideReason(order(), 999n, 400n), '400', 'the rest would not cover the amount due');
  assert.equal(decideReason(order(), 1500n, 1000n), '1000');
});

test('[OPS-03] rejects paid or refunding orders; refunded amounts do not count', () => {
  assert.equal(decideReason(order({ payment_status: 'paid' }), 1000n, 1000n), 'already-paid');
  assert.equal(decideReason(order({ payment_status: 'refunded', refund_state: 'refunded' }), 1000n, 1000n), 'refunded');
  assert.equal(decideReason(order({ refund_state: 'refunding' }), 1000n, 1000n), 'refunding');
  const returned = order({ payment_status: 'user_paid', returned_sats: sats(300n) });
  assert.equal(decideReason(returned, 1100n, 1100n), '800');
  assert.equal(decideReason(returned, 300n, 300n), 'nothing-received');
});
