import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SATS, sats } from '#src/shop/money.ts';
import type { LedgerOutput, PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { isTaskEvent } from '#src/shop/orders/order-events.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import { staffTaskKinds, findStaffTask, isInformational } from './staff-task.ts';
import type { OrderForTask } from './staff-task.ts';
import { describeStaffTask } from './staff-task-messages.ts';

const getTimeAt = (minutes: number): Date => new Date(Date.parse('2026-03-01T12:00:00Z') + minutes * 60_000);
const createOutput = (change: Partial<LedgerOutput> = {}): LedgerOutput => ({
  txid: 'f'.repeat(64),
  vout: 0,
  amountSats: sats(1000n),
  isCoinbase: false,
  isLive: true,
  height: 90,
  firstSeen: getTimeAt(30),
  leftBecause: null,
  leftAt: null,
  ...change,
});

interface TaskCase {
  readonly isSeenInTime?: boolean;
  readonly state: PaymentState;
  readonly received?: bigint;
  readonly surplus?: bigint;
  readonly isDeep?: boolean;
}
const createOrder = (
  { state, received = 1000n, surplus = 0n, isDeep = true, isSeenInTime = false }: TaskCase,
  more: Partial<OrderForTask> = {},
): OrderForTask => ({
  payment_status: 'expired',
  created_at: getTimeAt(0),
  expired_at: getTimeAt(120),
  refund_state: null,
  units_returned_at: null,
  evaluation: {
    state,
    receivedSats: sats(received),
    surplusSats: sats(surplus),
    isCoveredByFinal: isDeep,
    isSeenInTime,
  },
  outputs: [createOutput()],
  tip: { height: 100 },
  lastEvents: new Map<OrderEventKind, Date>(),
  isLatePaymentAcceptable: true,
  isTooLate: false,
  openRefund: null,
  refundedSats: NO_SATS,
  unclaimedSats: NO_SATS,
  doubleRefund: null,
  minRefundSats: 294n,
  addressConfirmedAt: null,
  ...more,
});
const findKind = (taskCase: TaskCase, more: Partial<OrderForTask> = {}): string | null =>
  findStaffTask(createOrder(taskCase, more))?.kind ?? null;

test('[PAY-10] a late payment waits for confirmations, rate, stock or promo code', () => {
  assert.equal(findKind({ state: 'late', isDeep: false }), 'late-confirming');
  assert.equal(findKind({ state: 'late' }, { isLatePaymentAcceptable: false }), 'late-rate');
  const lastEvents = new Map<OrderEventKind, Date>([['late_sold_out', getTimeAt(130)]]);
  assert.equal(findKind({ state: 'late' }, { lastEvents }), 'late-sold-out');
  assert.equal(findKind({ state: 'late' }, { lastEvents, isLatePaymentAcceptable: false }), 'late-rate');
  const both = new Map<OrderEventKind, Date>([...lastEvents, ['late_promo_gone', getTimeAt(140)]] as const);
  assert.deepEqual(findStaffTask(createOrder({ state: 'late' }, { lastEvents: both })), {
    kind: 'late-promo',
    since: getTimeAt(140),
  });
});

test('[PAY-16] a late payment after the limit waits for staff, whatever the rate', () => {
  const lastEvents = new Map<OrderEventKind, Date>([['late_waits', getTimeAt(130)]]);
  for (const isLatePaymentAcceptable of [true, false, null]) {
    const over = { isLatePaymentAcceptable, isTooLate: true, lastEvents };
    assert.deepEqual(findStaffTask(createOrder({ state: 'late' }, over)), {
      kind: 'late-overdue',
      since: getTimeAt(130),
    });
  }
  assert.equal(findKind({ state: 'late', isDeep: false }, { isTooLate: true }), 'late-confirming');
});

test('[PAY-10] a late payment without a rate is not reported as changed rate', () => {
  assert.equal(findKind({ state: 'late' }, { isLatePaymentAcceptable: null }), 'late-no-rate');
  const lastEvents = new Map<OrderEventKind, Date>([['late_sold_out', getTimeAt(130)]]);
  assert.equal(findKind({ state: 'late' }, { isLatePaymentAcceptable: null, lastEvents }), 'late-no-rate');
});

test('[PAY-10] a payment unconfirmed for too long is a staff task', () => {
  const lastEvents = new Map<OrderEventKind, Date>([['unconfirmed_too_long', getTimeAt(150)]]);
  assert.deepEqual(findStaffTask(createOrder({ state: 'late', isDeep: false, isSeenInTime: true }, { lastEvents })), {
    kind: 'late-unconfirmed',
    since: getTimeAt(150),
  });
  assert.equal(
    findKind({ state: 'late', isSeenInTime: true }, { lastEvents, isLatePaymentAcceptable: false }),
    'late-rate',
  );
});

test('[PAY-11] a paid cancelled order and an expired partial payment need staff', () => {
  assert.equal(findKind({ state: 'late' }, { payment_status: 'cancelled' }), 'cancelled-paid');
  assert.equal(findKind({ state: 'underpaid' }, { payment_status: 'cancelled' }), 'cancelled-paid');
  assert.equal(findKind({ state: 'awaiting', received: 0n }, { payment_status: 'cancelled' }), null);
  assert.deepEqual(findStaffTask(createOrder({ state: 'underpaid' })), {
    kind: 'underpaid-over',
    since: getTimeAt(120),
  });
  for (const payment_status of ['pending', 'user_paid'] as const) {
    assert.equal(
      findKind({ state: 'underpaid' }, { payment_status, expired_at: null }),
      null,
      'the payment window is open',
    );
  }
});

test('[PAY-09] [PAY-12] reports reorganised payments, and whether a surplus can be refunded', () => {
  assert.equal(findKind({ state: 'reorged_out' }, { payment_status: 'user_paid' }), 'reorged-out');
  assert.equal(findKind({ state: 'overpaid', surplus: 500n }, { payment_status: 'paid' }), 'surplus');
  // Below the dust limit, so it can't be refunded.
  assert.equal(findKind({ state: 'overpaid', surplus: 293n }, { payment_status: 'paid' }), null);
  assert.equal(findKind({ state: 'overpaid', surplus: 294n }, { payment_status: 'paid' }), 'surplus');
  const ready = {
    payment_status: 'paid',
    addressConfirmedAt: getTimeAt(50),
    lastEvents: new Map<OrderEventKind, Date>([['overpaid', getTimeAt(40)]]),
  } as const;
  assert.deepEqual(findStaffTask(createOrder({ state: 'overpaid', surplus: 500n }, ready)), {
    kind: 'surplus-ready',
    since: getTimeAt(50),
  });
  assert.equal(findKind({ state: 'overpaid', surplus: 294n }, ready), 'surplus-ready');
  assert.equal(
    findKind({ state: 'overpaid', surplus: 293n }, ready),
    null,
    'the network does not relay such an amount',
  );
  assert.equal(findKind({ state: 'paid' }, { payment_status: 'paid' }), null);
  for (const state of ['awaiting', 'seen', 'confirming', 'expired'] as const) assert.equal(findKind({ state }), null);
});

test('[OPS-03] a refund is a task until confirmed, a later payment again', () => {
  const openRefund = { state: 'made', madeAt: getTimeAt(200) } as const;
  const paid = { payment_status: 'paid' } as const;
  assert.deepEqual(findStaffTask(createOrder({ state: 'overpaid', surplus: 500n }, { ...paid, openRefund })), {
    kind: 'refund-to-send',
    since: getTimeAt(200),
  });
  assert.equal(findKind({ state: 'refunding' }, { openRefund }), 'refund-to-send');
  assert.equal(findKind({ state: 'refunding' }, { openRefund: { ...openRefund, state: 'sent' } }), 'refund-sent');
  const refunded = { payment_status: 'refunded', refundedSats: sats(1000n) } as const;
  assert.equal(findKind({ state: 'refunded' }, refunded), null);
  assert.equal(findKind({ state: 'refunded', received: 1400n }, refunded), 'paid-after-refund');
});

test('[PAY-13] an order without stock after a withdrawn refund needs staff', () => {
  const withoutStock = {
    payment_status: 'paid',
    units_returned_at: getTimeAt(300),
    lastEvents: new Map<OrderEventKind, Date>([['units_gone', getTimeAt(320)]]),
  } as const;
  assert.deepEqual(findStaffTask(createOrder({ state: 'paid' }, withoutStock)), {
    kind: 'units-gone',
    since: getTimeAt(320),
  });
  const refunded = {
    ...withoutStock,
    payment_status: 'refunded',
    refund_state: 'refunded',
    refundedSats: sats(1000n),
  } as const;
  assert.equal(findKind({ state: 'refunded' }, refunded), null);
});

const createReward = (height: number) => ({ outputs: [createOutput({ isCoinbase: true, height })] });

test('[API-11] reports an immature coinbase output until it has 100 confirmations', () => {
  assert.equal(findKind({ state: 'expired', received: 0n }, createReward(2)), 'immature');
  assert.equal(
    findKind({ state: 'awaiting', received: 0n }, { ...createReward(2), payment_status: 'pending' }),
    'immature',
  );
  assert.equal(findKind({ state: 'paid' }, { ...createReward(1), payment_status: 'paid' }), null);
});

test('[OPS-03] every task has texts; informational tasks are marked', () => {
  for (const kind of staffTaskKinds) {
    const { title, text } = describeStaffTask(kind);
    assert.ok(title.length > 5 && text.length > 20, kind);
  }
  assert.deepEqual(staffTaskKinds.filter(isInformational), [
    'late-confirming',
    'late-no-rate',
    'refund-sent',
    'immature',
  ]);
});

test('[OPS-03] order events that may create a task notify staff', () => {
  const late = ['late', 'late_waits', 'late_sold_out', 'late_promo_gone'] as const;
  // Of a cancelled order, or during a refund.
  const money = ['underpaid', 'overpaid', 'expired', 'cancelled', 'reorged_out', 'refund_address_confirmed'] as const;
  const refunds = ['refund_left', 'refund_confirmed', 'refund_recorded'] as const;
  for (const kind of [...late, ...money, ...refunds]) assert.ok(isTaskEvent(kind), kind);
  for (const kind of ['created', 'user_paid', 'paid', 'shipped', 'delivered', 'refund_made', 'unknown'] as const) {
    assert.ok(!isTaskEvent(kind), kind);
  }
});

const findSince = (taskCase: TaskCase, more: Partial<OrderForTask>): Date | undefined =>
  findStaffTask(createOrder(taskCase, more))?.since;

test('[OPS-03] a task begins with the last live payment or refund change', () => {
  const outputs = [createOutput({ firstSeen: getTimeAt(130) }), createOutput({ firstSeen: getTimeAt(150), vout: 1 })];
  const removed = createOutput({ firstSeen: getTimeAt(170), vout: 2, isLive: false });
  const cancelled = { payment_status: 'cancelled', outputs: [...outputs, removed] } as const;
  assert.deepEqual(findSince({ state: 'late' }, cancelled), getTimeAt(150));
  const more = {
    addressConfirmedAt: getTimeAt(50),
    lastEvents: new Map<OrderEventKind, Date>([['overpaid', getTimeAt(60)]]),
    payment_status: 'paid',
  } as const;
  assert.deepEqual(findSince({ state: 'overpaid', surplus: 500n }, more), getTimeAt(60));
  const openRefund = { state: 'made', madeAt: getTimeAt(200) } as const;
  const left = { openRefund, lastEvents: new Map<OrderEventKind, Date>([['refund_left', getTimeAt(220)]]) };
  assert.deepEqual(findSince({ state: 'refunding' }, left), getTimeAt(220));
});

test('[OPS-25] a written-off order needs staff after a claim or payment', () => {
  const closed = new Map<OrderEventKind, Date>([['written_off', getTimeAt(200)]]);
  const unclaimedSats = sats(1000n);
  const writtenOff = { payment_status: 'cancelled', refund_state: 'written_off', lastEvents: closed } as const;
  assert.equal(findKind({ state: 'written_off' }, { ...writtenOff, unclaimedSats }), null);
  assert.equal(
    findKind({ state: 'written_off', received: 1500n }, { ...writtenOff, unclaimedSats }),
    'paid-after-write-off',
  );
  const lastEvents = new Map<OrderEventKind, Date>([...closed, ['write_off_reopened', getTimeAt(300)]]);
  assert.deepEqual(findStaffTask(createOrder({ state: 'written_off' }, { ...writtenOff, lastEvents })), {
    kind: 'claimed',
    since: getTimeAt(300),
  });
});

test('[PAY-14] a withdrawn refund that was sent precedes the open one', () => {
  const openRefund = { state: 'made', madeAt: getTimeAt(150) } as const;
  const lastEvents = new Map<OrderEventKind, Date>([['refund_sent', getTimeAt(160)]]);
  const about = { openRefund, lastEvents, doubleRefund: 'about-to' } as const;
  assert.equal(findKind({ state: 'refunding' }, about), 'refund-superseded');
  assert.deepEqual(findStaffTask(createOrder({ state: 'refunded' }, { lastEvents, doubleRefund: 'sent' })), {
    kind: 'refunded-twice',
    since: getTimeAt(160),
  });
  assert.ok(isTaskEvent('refund_sent'));
});

test('[PAY-13] a surplus below the dust limit of its address is not ready', () => {
  const ready = { payment_status: 'paid', addressConfirmedAt: getTimeAt(100) } as const;
  assert.equal(findKind({ state: 'overpaid', surplus: 545n }, { ...ready, minRefundSats: 546n }), 'surplus');
  assert.equal(findKind({ state: 'overpaid', surplus: 546n }, { ...ready, minRefundSats: 546n }), 'surplus-ready');
});
