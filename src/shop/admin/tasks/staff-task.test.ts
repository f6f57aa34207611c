import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SATS, sats } from '#src/shop/money.ts';
import type { LedgerOutput, PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import type { OrderEventKind } from '#src/shop/orders/kinds.ts';
import { staffTaskKinds, findStaffTask, isInformational, isTaskEvent } from './staff-task.ts';
import type { OrderForTask } from './staff-task.ts';
import { describeStaffTask } from './staff-task-messages.ts';

const at = (minutes: number): Date => new Date(Date.parse('2026-03-01T12:00:00Z') + minutes * 60_000);
const output = (change: Partial<LedgerOutput> = {}): LedgerOutput => ({
  txid: 'f'.repeat(64),
  vout: 0,
  amountSats: sats(1000n),
  isCoinbase: false,
  isLive: true,
  height: 90,
  firstSeen: at(30),
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
const orderWith = (
  { state, received = 1000n, surplus = 0n, isDeep = true, isSeenInTime = false }: TaskCase,
  more: Partial<OrderForTask> = {},
): OrderForTask => ({
  payment_status: 'expired',
  created_at: at(0),
  expired_at: at(120),
  refund_state: null,
  units_returned_at: null,
  evaluation: {
    state,
    receivedSats: sats(received),
    surplusSats: sats(surplus),
    isCoveredByFinal: isDeep,
    isSeenInTime,
  },
  outputs: [output()],
  tip: { height: 100 },
  lastEvents: new Map<OrderEventKind, Date>(),
  isLatePaymentAcceptable: true,
  openRefund: null,
  refundedSats: NO_SATS,
  unclaimedSats: NO_SATS,
  doubleRefund: null,
  minRefundSats: 294n,
  addressConfirmedAt: null,
  ...more,
});
const kindOf = (taskCase: TaskCase, more: Partial<OrderForTask> = {}): string | null =>
  findStaffTask(orderWith(taskCase, more))?.kind ?? null;

test('[PAY-10] a late payment waits for confirmations, rate, stock or promo code', () => {
  assert.equal(kindOf({ state: 'late', isDeep: false }), 'late-confirming');
  assert.equal(kindOf({ state: 'late' }, { isLatePaymentAcceptable: false }), 'late-rate');
  const lastEvents = new Map<OrderEventKind, Date>([['late_sold_out', at(130)]]);
  assert.equal(kindOf({ state: 'late' }, { lastEvents }), 'late-sold-out');
  assert.equal(kindOf({ state: 'late' }, { lastEvents, isLatePaymentAcceptable: false }), 'late-rate');
  const both = new Map<OrderEventKind, Date>([...lastEvents, ['late_promo_gone', at(140)]] as const);
  assert.deepEqual(findStaffTask(orderWith({ state: 'late' }, { lastEvents: both })), {
    kind: 'late-promo',
    since: at(140),
  });
});

test('[PAY-10] a late payment without a rate is not reported as changed rate', () => {
  assert.equal(kindOf({ state: 'late' }, { isLatePaymentAcceptable: null }), 'late-no-rate');
  const lastEvents = new Map<OrderEventKind, Date>([['late_sold_out', at(130)]]);
  assert.equal(kindOf({ state: 'late' }, { isLatePaymentAcceptable: null, lastEvents }), 'late-no-rate');
});

test('[PAY-10] a payment unconfirmed for too long is a staff task', () => {
  const lastEvents = new Map<OrderEventKind, Date>([['unconfirmed_too_long', at(150)]]);
  assert.deepEqual(findStaffTask(orderWith({ state: 'late', isDeep: false, isSeenInTime: true }, { lastEvents })), {
    kind: 'late-unconfirmed',
    since: at(150),
  });
  assert.equal(
    kindOf({ state: 'late', isSeenInTime: true }, { lastEvents, isLatePaymentAcceptable: false }),
    'late-rate',
  );
});

test('[PAY-11] a paid cancelled order and an expired partial payment need staff', () => {
  assert.equal(kindOf({ state: 'late' }, { payment_status: 'cancelled' }), 'cancelled-paid');
  assert.equal(kindOf({ state: 'underpaid' }, { payment_status: 'cancelled' }), 'cancelled-paid');
  assert.equal(kindOf({ state: 'awaiting', received: 0n }, { payment_status: 'cancelled' }), null);
  assert.deepEqual(findStaffTask(orderWith({ state: 'underpaid' })), { kind: 'underpaid-over', since: at(120) });
  for (const payment_status of ['pending', 'user_paid'] as const) {
    assert.equal(
      kindOf({ state: 'underpaid' }, { payment_status, expired_at: null }),
      null,
      'the payment window is open',
    );
  }
});

test('[PAY-09] [PAY-12] reports reorganised payments, and whether a surplus can be refunded', () => {
  assert.equal(kindOf({ state: 'reorged_out' }, { payment_status: 'user_paid' }), 'reorged-out');
  assert.equal(kindOf({ state: 'overpaid', surplus: 500n }, { payment_status: 'paid' }), 'surplus');
  // Below the dust limit, so it can't be refunded.
  assert.equal(kindOf({ state: 'overpaid', surplus: 293n }, { payment_status: 'paid' }), null);
  assert.equal(kindOf({ state: 'overpaid', surplus: 294n }, { payment_status: 'paid' }), 'surplus');
  const ready = {
    payment_status: 'paid',
    addressConfirmedAt: at(50),
    lastEvents: new Map<OrderEventKind, Date>([['overpaid', at(40)]]),
  } as const;
  assert.deepEqual(findStaffTask(orderWith({ state: 'overpaid', surplus: 500n }, ready)), {
    kind: 'surplus-ready',
    since: at(50),
  });
  assert.equal(kindOf({ state: 'overpaid', surplus: 294n }, ready), 'surplus-ready');
  assert.equal(kindOf({ state: 'overpaid', surplus: 293n }, ready), null, 'the network does not relay such an amount');
  assert.equal(kindOf({ state: 'paid' }, { payment_status: 'paid' }), null);
  for (const state of ['awaiting', 'seen', 'confirming', 'expired'] as const) assert.equal(kindOf({ state }), null);
});

test('[OPS-03] a refund is a task until confirmed, a later payment again', () => {
  const openRefund = { state: 'made', madeAt: at(200) } as const;
  const paid = { payment_status: 'paid' } as const;
  assert.deepEqual(findStaffTask(orderWith({ state: 'overpaid', surplus: 500n }, { ...paid, openRefund })), {
    kind: 'refund-to-send',
    since: at(200),
  });
  assert.equal(kindOf({ state: 'refunding' }, { openRefund }), 'refund-to-send');
  assert.equal(kindOf({ state: 'refunding' }, { openRefund: { ...openRefund, state: 'sent' } }), 'refund-sent');
  const refunded = { payment_status: 'refunded', refundedSats: sats(1000n) } as const;
  assert.equal(kindOf({ state: 'refunded' }, refunded), null);
  assert.equal(kindOf({ state: 'refunded', received: 1400n }, refunded), 'paid-after-refund');
});

test('[PAY-13] an order without stock after a withdrawn refund needs staff', () => {
  const withoutStock = {
    payment_status: 'paid',
    units_returned_at: at(300),
    lastEvents: new Map<OrderEventKind, Date>([['units_gone', at(320)]]),
  } as const;
  assert.deepEqual(findStaffTask(orderWith({ state: 'paid' }, withoutStock)), { kind: 'units-gone', since: at(320) });
  const refunded = {
    ...withoutStock,
    payment_status: 'refunded',
    refund_state: 'refunded',
    refundedSats: sats(1000n),
  } as const;
  assert.equal(kindOf({ state: 'refunded' }, refunded), null);
});

const reward = (height: number) => ({ outputs: [output({ isCoinbase: true, height })] });

test('[API-11] reports an immature coinbase output until it has 100 confirmations', () => {
  assert.equal(kindOf({ state: 'expired', received: 0n }, reward(2)), 'immature');
  assert.equal(kindOf({ state: 'awaiting', received: 0n }, { ...reward(2), payment_status: 'pending' }), 'immature');
  assert.equal(kindOf({ state: 'paid' }, { ...reward(1), payment_status: 'paid' }), null);
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

const sinceOf = (taskCase: TaskCase, more: Partial<OrderForTask>): Date | undefined =>
  findStaffTask(orderWith(taskCase, more))?.since;

test('[OPS-03] a task begins with the last live payment or refund change', () => {
  const outputs = [output({ firstSeen: at(130) }), output({ firstSeen: at(150), vout: 1 })];
  const removed = output({ firstSeen: at(170), vout: 2, isLive: false });
  const cancelled = { payment_status: 'cancelled', outputs: [...outputs, removed] } as const;
  assert.deepEqual(sinceOf({ state: 'late' }, cancelled), at(150));
  const more = {
    addressConfirmedAt: at(50),
    lastEvents: new Map<OrderEventKind, Date>([['overpaid', at(60)]]),
    payment_status: 'paid',
  } as const;
  assert.deepEqual(sinceOf({ state: 'overpaid', surplus: 500n }, more), at(60));
  const openRefund = { state: 'made', madeAt: at(200) } as const;
  const left = { openRefund, lastEvents: new Map<OrderEventKind, Date>([['refund_left', at(220)]]) };
  assert.deepEqual(sinceOf({ state: 'refunding' }, left), at(220));
});

test('[OPS-25] a written-off order needs staff after a claim or payment', () => {
  const closed = new Map<OrderEventKind, Date>([['written_off', at(200)]]);
  const unclaimedSats = sats(1000n);
  const writtenOff = { payment_status: 'cancelled', refund_state: 'written_off', lastEvents: closed } as const;
  assert.equal(kindOf({ state: 'written_off' }, { ...writtenOff, unclaimedSats }), null);
  assert.equal(
    kindOf({ state: 'written_off', received: 1500n }, { ...writtenOff, unclaimedSats }),
    'paid-after-write-off',
  );
  const lastEvents = new Map<OrderEventKind, Date>([...closed, ['write_off_reopened', at(300)]]);
  assert.deepEqual(findStaffTask(orderWith({ state: 'written_off' }, { ...writtenOff, lastEvents })), {
    kind: 'claimed',
    since: at(300),
  });
});

test('[PAY-14] a withdrawn refund that was sent precedes the open one', () => {
  const openRefund = { state: 'made', madeAt: at(150) } as const;
  const lastEvents = new Map<OrderEventKind, Date>([['refund_sent', at(160)]]);
  const about = { openRefund, lastEvents, doubleRefund: 'about-to' } as const;
  assert.equal(kindOf({ state: 'refunding' }, about), 'refund-superseded');
  assert.deepEqual(findStaffTask(orderWith({ state: 'refunded' }, { lastEvents, doubleRefund: 'sent' })), {
    kind: 'refunded-twice',
    since: at(160),
  });
  assert.ok(isTaskEvent('refund_sent'));
});

test('[PAY-13] a surplus below the dust limit of its address is not ready', () => {
  const ready = { payment_status: 'paid', addressConfirmedAt: at(100) } as const;
  assert.equal(kindOf({ state: 'overpaid', surplus: 545n }, { ...ready, minRefundSats: 546n }), 'surplus');
  assert.equal(kindOf({ state: 'overpaid', surplus: 546n }, { ...ready, minRefundSats: 546n }), 'surplus-ready');
});
