import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SATS, sats } from '#src/shop/money.ts';
import { findDoubleRefund } from './double-refund.ts';
import type { RefundSent } from './double-refund.ts';
import { computeRefundTotals } from '../refundable.ts';
import type { RefundState } from '#src/shop/orders/kinds.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const refund = (state: RefundState, amount: bigint, more: Partial<RefundSent> = {}): RefundSent => ({
  covers: 'surplus',
  state,
  debitSats: sats(amount),
  withdrawnAt: null,
  ...more,
});
const createWithdrawn = (state: RefundState, amount: bigint, more: Partial<RefundSent> = {}) =>
  refund(state, amount, { withdrawnAt: AT, ...more });
const createAmounts = (received: bigint, accepted = NO_SATS) => ({
  receivedSats: sats(received),
  dueSats: sats(1000n),
  acceptedSats: accepted,
});

test('[PAY-14] a withdrawn refund that was sent stops its successor', () => {
  const both = [createWithdrawn('sent', 300n), refund('made', 300n)];
  assert.deepEqual(findDoubleRefund(both, createAmounts(1300n)), { kind: 'about-to', excessSats: 300n });
  assert.equal(findDoubleRefund(both, createAmounts(1600n)), null, 'another payment arrived');
  assert.equal(
    findDoubleRefund([createWithdrawn('withdrawn', 300n), refund('made', 300n)], createAmounts(1300n)),
    null,
  );
});

test('[PAY-14] a double refund is reported until it is accepted as a loss', () => {
  const both = [createWithdrawn('confirmed', 300n), refund('sent', 300n)];
  assert.deepEqual(findDoubleRefund(both, createAmounts(1300n)), { kind: 'sent', excessSats: 300n });
  assert.deepEqual(findDoubleRefund(both, createAmounts(1400n)), { kind: 'sent', excessSats: 200n });
  assert.equal(findDoubleRefund(both, createAmounts(1300n, sats(300n))), null);
  const whole = both.map((one) => ({ ...one, covers: 'whole' as const, debitSats: sats(1300n) }));
  assert.deepEqual(findDoubleRefund(whole, createAmounts(1300n)), { kind: 'sent', excessSats: 1300n });
});

test('[PAY-14] a lost payment is not a double refund', () => {
  assert.equal(findDoubleRefund([refund('confirmed', 300n), refund('made', 50n)], createAmounts(0n)), null);
  assert.equal(findDoubleRefund([createWithdrawn('confirmed', 300n)], createAmounts(0n)), null);
});

const createTaking = (debitSats: bigint, state: RefundState, isWithdrawn = false) => ({
  debitSats: sats(debitSats),
  state,
  withdrawnAt: isWithdrawn ? AT : null,
});

test('[PAY-14] a withdrawn refund and its successor count once', () => {
  const computeTaken = (...refunds: readonly ReturnType<typeof createTaking>[]): readonly bigint[] => {
    const { madeSats, sentSats } = computeRefundTotals(refunds);
    return [madeSats, sentSats];
  };
  assert.deepEqual(computeTaken(createTaking(100n, 'withdrawn', true), createTaking(100n, 'made')), [100n, 0n]);
  assert.deepEqual(computeTaken(createTaking(100n, 'sent', true), createTaking(100n, 'made')), [0n, 100n]);
  assert.deepEqual(computeTaken(createTaking(100n, 'confirmed', true), createTaking(100n, 'sent')), [0n, 100n]);
  assert.deepEqual(computeTaken(createTaking(50n, 'sent', true), createTaking(80n, 'made')), [30n, 50n]);
  assert.deepEqual(
    computeTaken(createTaking(50n, 'confirmed'), createTaking(80n, 'sent')),
    [0n, 130n],
    'two regular refunds add up',
  );
});
