import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import type { PaymentEvaluation, PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import {
  acceptLatePayment,
  expireOrder,
  isDueWithinTolerance,
  reconcileOrder,
  shouldExpire,
} from './reconcile-order.ts';
import type { OrderToReconcile } from './reconcile-order.ts';

/** Limit for unconfirmed payments in seconds. */
const LIMIT = 86_400;
const NOW = new Date('2030-01-01T12:00:00Z');
const EARLIER = new Date('2030-01-01T10:00:00Z');

const order = (change: Partial<OrderToReconcile> = {}): OrderToReconcile => ({
  paymentStatus: 'pending',
  isOpen: true,
  paidAt: null,
  expiredAt: null,
  expiresAt: NOW,
  cancelledAt: null,
  dueSats: sats(1000n),
  recordedState: 'awaiting',
  recordedReceivedSats: sats(0n),
  ...change,
});
const createEvaluation = (
  state: PaymentState,
  received = 0n,
  more: Partial<PaymentEvaluation> = {},
): PaymentEvaluation => ({
  state,
  receivedSats: sats(received),
  confirmedSats: sats(0n),
  confirmations: 0,
  missingSats: sats(0n),
  shortSats: sats(0n),
  isConfirmedInTime: false,
  isSeenInTime: false,
  surplusSats: sats(0n),
  isCoveredInTime: false,
  isCoveredByFinal: false,
  ...more,
});

test('[PAY-09] paid once and no longer open; reconciling again changes nothing', () => {
  const { change, events } = reconcileOrder(
    order({ recordedState: 'confirming' }),
    createEvaluation('paid', 1000n),
    NOW,
  );
  assert.ok(change);
  assert.deepEqual([change.paymentStatus, change.isOpen, change.paidAt], ['paid', false, NOW]);
  assert.deepEqual(events, ['paid']);
  const again = reconcileOrder(order(change), createEvaluation('paid', 1000n), new Date(NOW.getTime() + 1));
  assert.deepEqual([again.change, again.events], [null, []]);
});

test('[PAY-09] records an overpayment with paid, or when it arrives', () => {
  assert.deepEqual(reconcileOrder(order(), createEvaluation('overpaid', 1001n), NOW).events, ['paid', 'overpaid']);
  const paid = order({ paymentStatus: 'paid', isOpen: false, paidAt: EARLIER, recordedState: 'paid' });
  assert.deepEqual(reconcileOrder(paid, createEvaluation('overpaid', 1001n), NOW).events, ['overpaid']);
});

test('[PAY-12] a reorganized order is user_paid and later paid again', () => {
  const paid = order({ paymentStatus: 'paid', isOpen: false, paidAt: EARLIER, recordedState: 'paid' });
  const out = reconcileOrder(paid, createEvaluation('reorged_out'), NOW);
  assert.ok(out.change);
  assert.deepEqual([out.change.paymentStatus, out.change.isOpen, out.change.paidAt], ['user_paid', false, EARLIER]);
  assert.deepEqual(out.events, ['reorged_out']);
  const reorged = { ...paid, ...out.change };
  assert.deepEqual(reconcileOrder(reorged, createEvaluation('reorged_out', 5n), NOW).events, []);
  assert.equal(shouldExpire(reorged, createEvaluation('reorged_out'), NOW, LIMIT), false);
  const back = reconcileOrder(reorged, createEvaluation('paid', 1000n), NOW);
  assert.ok(back.change);
  assert.deepEqual([back.change.paymentStatus, back.change.paidAt, back.events], ['paid', EARLIER, ['paid_again']]);
});

test('[PAY-12] reports an unpaid paid order despite a wrong recorded state', () => {
  const paid = order({ paymentStatus: 'paid', isOpen: false, paidAt: EARLIER, recordedState: 'reorged_out' });
  assert.deepEqual(reconcileOrder(paid, createEvaluation('reorged_out'), NOW).events, ['reorged_out']);
});

test('[PAY-09] records each state change once, with its event', () => {
  for (const [before, received, state, event] of [
    ['awaiting', 0n, 'seen', 'payment_seen'],
    ['confirming', 1000n, 'seen', 'unconfirmed'],
    ['seen', 1000n, 'confirming', 'confirming'],
    ['awaiting', 0n, 'underpaid', 'underpaid'],
    ['seen', 1000n, 'replaced', 'replaced'],
    ['seen', 1000n, 'dropped', 'dropped'],
    ['expired', 0n, 'late', 'late'],
    ['underpaid', 900n, 'expired', 'withdrawn'],
  ] as const) {
    const amount = state === 'replaced' || state === 'dropped' || state === 'expired' ? 0n : 1000n;
    const stored = order({ recordedState: before, recordedReceivedSats: sats(received) });
    const { change, events } = reconcileOrder(stored, createEvaluation(state, amount), NOW);
    assert.deepEqual(events, [event]);
    assert.deepEqual(reconcileOrder({ ...stored, ...change }, createEvaluation(state, amount), NOW).events, []);
  }
});

test('[PAY-08] records further parts and parts that left', () => {
  const part = order({ recordedState: 'underpaid', recordedReceivedSats: sats(300n) });
  assert.deepEqual(reconcileOrder(part, createEvaluation('underpaid', 594n), NOW).events, ['underpaid']);
  assert.deepEqual(reconcileOrder(part, createEvaluation('underpaid', 593n), NOW).events, [], 'dust adds no event');
  assert.deepEqual(reconcileOrder(part, createEvaluation('underpaid', 300n), NOW).events, []);
  assert.deepEqual(reconcileOrder(part, createEvaluation('underpaid', 100n), NOW).events, ['part_left']);
  const whole = order({ recordedState: 'seen', recordedReceivedSats: sats(1000n) });
  assert.deepEqual(reconcileOrder(whole, createEvaluation('underpaid', 100n), NOW).events, ['part_left']);
});

test('[PAY-10] expires only due, uncovered, never paid orders', () => {
  const covered = { isCoveredInTime: true, isConfirmedInTime: false };
  const open = { isCoveredInTime: false, isConfirmedInTime: false };
  const before = new Date(NOW.getTime() - 1);
  assert.equal(shouldExpire(order(), open, NOW, LIMIT), true);
  assert.equal(shouldExpire(order({ paymentStatus: 'user_paid' }), open, NOW, LIMIT), true);
  assert.equal(shouldExpire(order(), open, before, LIMIT), false);
  assert.equal(shouldExpire(order(), covered, NOW, LIMIT), false);
  for (const paymentStatus of ['paid', 'expired', 'cancelled', 'refunded'] as const) {
    assert.equal(shouldExpire(order({ paymentStatus }), open, NOW, LIMIT), false);
  }
});

test('[PAY-10] an expired underpaid order keeps its payment state', () => {
  const stored = order({ recordedState: 'underpaid', recordedReceivedSats: sats(300n) });
  const { change, events } = expireOrder(stored, createEvaluation('underpaid', 300n), NOW);
  assert.ok(change);
  assert.deepEqual([change.paymentStatus, change.isOpen, change.expiredAt], ['expired', false, NOW]);
  assert.deepEqual([change.recordedState, events], ['underpaid', ['expired']]);
});

test('[PAY-10] a final late payment needs acceptance unless the order is cancelled', () => {
  const expired = order({ paymentStatus: 'expired', isOpen: false, expiredAt: EARLIER, recordedState: 'expired' });
  assert.equal(reconcileOrder(expired, createEvaluation('late', 1000n), NOW).needsLateAcceptance, false);
  const final = createEvaluation('late', 1000n, { isCoveredByFinal: true });
  assert.equal(reconcileOrder(expired, final, NOW).needsLateAcceptance, true);
  assert.equal(reconcileOrder({ ...expired, paymentStatus: 'cancelled' }, final, NOW).needsLateAcceptance, false);
  const { change, events } = acceptLatePayment(expired, createEvaluation('paid', 1000n), NOW);
  assert.deepEqual([change?.paymentStatus, change?.paidAt, events], ['paid', NOW, ['late_accepted', 'paid']]);
});

test('[API-11] a refunded order has its own status until the refund is undone', () => {
  for (const [paymentStatus, facts] of [
    ['paid', { paidAt: EARLIER }],
    ['expired', { expiredAt: EARLIER }],
    ['cancelled', { cancelledAt: EARLIER, expiredAt: EARLIER }],
  ] as const) {
    const before = order({ paymentStatus, isOpen: false, recordedState: 'late', ...facts });
    const refunding = reconcileOrder(before, createEvaluation('refunding', 1000n, { isCoveredByFinal: true }), NOW);
    assert.deepEqual([refunding.change?.paymentStatus, refunding.needsLateAcceptance], [paymentStatus, false]);
    const refunded = reconcileOrder({ ...before, ...refunding.change }, createEvaluation('refunded', 1000n), NOW);
    assert.deepEqual([refunded.change?.paymentStatus, refunded.events], ['refunded', []]);
    const back = reconcileOrder({ ...before, ...refunded.change }, createEvaluation('refunding', 1000n), NOW);
    assert.equal(back.change?.paymentStatus, paymentStatus);
    assert.deepEqual(
      reconcileOrder({ ...before, recordedState: 'refunding' }, createEvaluation('late', 1000n), NOW).events,
      [],
    );
    // Also in one step; this reconciliation does not accept a late payment, since it reserved no
    // stock.
    const none = reconcileOrder(
      { ...before, ...refunded.change },
      createEvaluation('late', 1000n, { isCoveredByFinal: true }),
      NOW,
    );
    assert.deepEqual([none.change?.paymentStatus, none.events, none.needsLateAcceptance], [paymentStatus, [], false]);
  }
});

test('[PAY-10] the tolerance is exact to the satoshi', () => {
  const due = sats(100_000n);
  assert.equal(isDueWithinTolerance(due, sats(102_000n), 2), true);
  assert.equal(isDueWithinTolerance(due, sats(102_001n), 2), false);
  assert.equal(isDueWithinTolerance(due, sats(50_000n), 0), true);
  assert.equal(isDueWithinTolerance(due, sats(100_001n), 0), false);
  assert.equal(isDueWithinTolerance(due, sats(100_250n), 0.25), true);
});

test('[PAY-09] [PAY-11] records each further payment to a closed or overpaid order', () => {
  const overpaid = { recordedReceivedSats: sats(1001n), isOpen: false, paidAt: EARLIER };
  const cases = [
    [{ paymentStatus: 'paid', recordedState: 'overpaid' }, 'overpaid', 'overpaid'],
    [{ paymentStatus: 'expired', recordedState: 'late', paidAt: null }, 'late', 'late'],
    [{ paymentStatus: 'cancelled', recordedState: 'late', paidAt: null, cancelledAt: EARLIER }, 'late', 'late'],
    [{ paymentStatus: 'paid', recordedState: 'refunding' }, 'refunding', 'late'],
    [{ paymentStatus: 'refunded', recordedState: 'refunded' }, 'refunded', 'late'],
  ] as const;
  for (const [stored, state, event] of cases) {
    const closed = order({ ...overpaid, ...stored });
    assert.deepEqual(reconcileOrder(closed, createEvaluation(state, 1295n), NOW).events, [event], state);
    assert.deepEqual(reconcileOrder(closed, createEvaluation(state, 1294n), NOW).events, [], `${state}, dust`);
    assert.deepEqual(reconcileOrder(closed, createEvaluation(state, 1001n), NOW).events, [], `${state}, no more`);
    assert.deepEqual(reconcileOrder(closed, createEvaluation(state, 1000n), NOW).events, [], `${state}, less`);
  }
  assert.deepEqual(
    reconcileOrder(order({ ...overpaid, recordedState: 'seen' }), createEvaluation('seen', 1002n), NOW).events,
    [],
  );
});
