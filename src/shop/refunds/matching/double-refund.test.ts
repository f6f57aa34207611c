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
const withdrawn = (state: RefundState, amount: bigint, more: Partial<RefundSent> = {}) =>
  refund(state, amount, { withdrawnAt: AT, ...more });
const borne = (received: bigint, accepted = NO_SATS) => ({
  receivedSats: sats(received),
  dueSats: sats(1000n),
  acceptedSats: accepted,
});

test('[PAY-14] a withdrawn refund that was sent stops its successor', () => {
  const both = [withdrawn('sent', 300n), refund('made', 300n)];
  assert.deepEqual(findDoubleRefund(both, borne(1300n)), { kind: 'about-to', excessSats: 300n });
  assert.equal(findDoubleRefund(both, borne(1600n)), null, 'another payment arrived');
  assert.equal(findDoubleRefund([withdrawn('withdrawn', 300n), refund('made', 300n)], borne(1300n)), null);
});

test('[PAY-14] a double refund is reported until it is accepted as a loss', () => {
  const both = [withdrawn('confirmed', 300n), refund('sent', 300n)];
  assert.deepEqual(findDoubleRefund(both, borne(1300n)), { kind: 'sent', excessSats: 300n });
  assert.deepEqual(findDoubleRefund(both, borne(1400n)), { kind: 'sent', excessSats: 200n });
  assert.equal(findDoubleRefund(both, borne(1300n, sats(300n))), null);
  const whole = both.map((one) => ({ ...one, covers: 'whole' as const, debitSats: sats(1300n) }));
  assert.deepEqual(findDoubleRefund(whole, borne(1300n)), { kind: 'sent', excessSats: 1300n });
});

test('[PAY-14] a lost payment is not a double refund', () => {
  assert.equal(findDoubleRefund([refund('confirmed', 300n), refund('made', 50n)], borne(0n)), null);
  assert.equal(findDoubleRefund([withdrawn('confirmed', 300n)], borne(0n)), null);
});

const taking = (debitSats: bigint, state: RefundState, isWithdrawn = false) => ({
  debitSats: sats(debitSats),
  state,
  withdrawnAt: isWithdrawn ? AT : null,
});

test('[PAY-14] a withdrawn refund and its successor count once', () => {
  const taken = (...refunds: readonly ReturnType<typeof taking>[]): readonly bigint[] => {
    const { madeSats, sentSats } = computeRefundTotals(refunds);
    return [madeSats, sentSats];
  };
  assert.deepEqual(taken(taking(100n, 'withdrawn', true), taking(100n, 'made')), [100n, 0n]);
  assert.deepEqual(taken(taking(100n, 'sent', true), taking(100n, 'made')), [0n, 100n]);
  assert.deepEqual(taken(taking(100n, 'confirmed', true), taking(100n, 'sent')), [0n, 100n]);
  assert.deepEqual(taken(taking(50n, 'sent', true), taking(80n, 'made')), [30n, 50n]);
  assert.deepEqual(taken(taking(50n, 'confirmed'), taking(80n, 'sent')), [0n, 130n], 'two regular refunds add up');
});
