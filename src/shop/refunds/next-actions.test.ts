import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, NO_SATS, sats } from '#src/shop/money.ts';
import { reconcileWithLedger } from '#src/shop/orders/status/evaluate-order.ts';
import type { StoredOrder } from '#src/shop/orders/stored-order.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { summarizeRefunds, computeRefundTotals } from './refundable.ts';
import type { Debit } from './refundable.ts';
import { listNextActions, isFinal } from './next-actions.ts';
import type { OrderForActions } from './next-actions.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const EXPIRES = new Date('2026-03-01T14:00:00Z');
const NOW = new Date('2026-03-02T12:00:00Z');
const TIP = { height: 300 };
const REQUIRED = 3;
const DUE = 1000n;
const ADDRESS = { status: 'confirmed', dustSats: 294n, setAt: AT } as const satisfies OrderForActions['address'];

type Order = StoredOrder & OrderInLoss;
const ORDER: Order = {
  payment_status: 'pending',
  is_open: true,
  total_after_cents: cents(99_900n),
  due_sats: sats(DUE),
  tolerance_sats: NO_SATS,
  required_confirmations: REQUIRED,
  expires_at: EXPIRES,
  paid_at: null,
  expired_at: null,
  cancelled_at: null,
  recorded_state: null,
  recorded_received_sats: NO_SATS,
  credited_sats: NO_SATS,
  credited_until: null,
  unpaid_cents: null,
  settled_sats: null,
  refund_state: null,
  returned_sats: NO_SATS,
  fulfilment_status: 'unfulfilled',
};

let outputs = 0;
const createOutput = (amountSats: bigint, more: Partial<LedgerOutput> = {}): LedgerOutput => ({
  txid: String((outputs += 1)).padStart(64, '0'),
  vout: 0,
  amountSats: sats(amountSats),
  isCoinbase: false,
  isLive: true,
  height: TIP.height - REQUIRED + 1,
  firstSeen: AT,
  leftBecause: null,
  leftAt: null,
  ...more,
});

const BEGINNINGS: Readonly<Record<string, Partial<Order>>> = {
  open: {},
  'marked as paid by the buyer': { payment_status: 'user_paid' },
  expired: { payment_status: 'expired', is_open: false, expired_at: EXPIRES },
  cancelled: { payment_status: 'cancelled', is_open: false, cancelled_at: EXPIRES },
  paid: { payment_status: 'paid', is_open: false, paid_at: AT },
  shipped: { payment_status: 'paid', is_open: false, paid_at: AT, fulfilment_status: 'shipped' },
  'shipped, with an expired requote': {
    payment_status: 'expired',
    is_open: false,
    expired_at: EXPIRES,
    fulfilment_status: 'delivered',
  },
};

/** For tests without a write-off. */
const toRefund = ({ debitSats, state }: Debit) =>
  state === 'written_off' || state === 'reopened' ? [] : [{ debitSats, state, withdrawnAt: null }];

/** An order after reconciling it with its ledger and refunds. */
function createOrder(
  begun: Partial<Order>,
  paid: readonly LedgerOutput[],
  debits: readonly Debit[],
  address: OrderForActions['address'] = ADDRESS,
): OrderForActions {
  const ledger = { address: 'a', outputs: paid, tip: TIP };
  const { refundState, returnedSats } = summarizeRefunds(debits);
  const { madeSats, sentSats } = computeRefundTotals(debits.flatMap(toRefund));
  const isWhole = refundState !== null;
  const refunds = { refund_state: refundState, returned_sats: returnedSats };
  const before: Order = {
    ...ORDER,
    ...begun,
    ...refunds,
    refund_made_sats: madeSats,
    refund_sent_sats: sentSats,
    ...(isWhole ? { is_open: false } : {}),
  };
  const { change } = reconcileWithLedger(before, ledger, NOW, null);
  const order: Order =
    change === null
      ? before
      : {
          ...before,
          payment_status: change.paymentStatus,
          is_open: change.isOpen,
          paid_at: change.paidAt,
          expired_at: change.expiredAt,
          recorded_state: change.recordedState,
          recorded_received_sats: change.recordedReceivedSats,
        };
  const position = { order, outputs: paid, tip: TIP, debits };
  return { order, ledger, position, address, lastReopenedAt: null, now: NOW, unclaimedAfterDays: 90 };
}
const formatActions = (one: OrderForActions): string[] =>
  listNextActions(one).map(({ by, action }) => `${by}: ${action}`);

const createLeftOutput = (amountSats: bigint, conflictHeight: number | null): LedgerOutput =>
  createOutput(amountSats, { isLive: false, height: null, leftBecause: 'replaced', leftAt: AT, conflictHeight });
const createWholeDebit = (state: Debit['state'], debitSats = DUE): Debit => ({
  covers: 'whole',
  state,
  debitSats: sats(debitSats),
});

test('[PAY-14] lists the actions for each loss', () => {
  const { paid = {}, shipped = {} } = BEGINNINGS;
  const lostOutputs = [createLeftOutput(DUE, 290)];
  assert.deepEqual(formatActions(createOrder(paid, lostOutputs, [])), [
    'buyer: requote',
    'buyer: cancel',
    'staff: give-up',
  ]);
  assert.deepEqual(formatActions(createOrder(paid, [createLeftOutput(DUE, null)], [])), ['staff: give-up']);
  assert.deepEqual(formatActions(createOrder(shipped, lostOutputs, [])), ['buyer: requote', 'staff: close-as-loss']);
  const half = [createLeftOutput(DUE / 2n, 290), createOutput(DUE / 2n)];
  assert.deepEqual(formatActions(createOrder(paid, half, [])), [
    'buyer: requote',
    'staff: settle',
    'staff: give-up',
    'staff: refund',
    'staff: record-elsewhere',
  ]);
  assert.deepEqual(formatActions(createOrder(paid, lostOutputs, [createWholeDebit('made')])), [
    'staff: withdraw-refund',
  ]);
  assert.deepEqual(formatActions(createOrder(paid, [createOutput(DUE)], [createWholeDebit('made')])), [
    'staff: withdraw-refund',
    'staff: send-refund',
  ]);
  assert.deepEqual(formatActions(createOrder(paid, lostOutputs, [createWholeDebit('confirmed')])), [
    'staff: close-as-loss',
  ]);
});

const confirmations = fc.integer({ min: 1, max: 5 }).map((count) => TIP.height - count + 1);
const anyOutput = fc.oneof(
  fc
    .record({
      amount: fc.constantFrom(1n, 300n, 500n, 1000n, 1500n),
      height: fc.option(confirmations),
      isLate: fc.boolean(),
    })
    .map(({ amount, height, isLate }) => createOutput(amount, { height, firstSeen: isLate ? NOW : AT })),
  fc
    .record({ amount: fc.constantFrom(500n, 1000n), height: fc.option(confirmations) })
    .map(({ amount, height }) => createLeftOutput(amount, height)),
);
const anyDebits = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Debit[]>([]) },
  fc
    .record({
      covers: fc.constantFrom('whole' as const, 'surplus' as const),
      state: fc.constantFrom(
        'made' as const,
        'sent' as const,
        'confirmed' as const,
        'withdrawn' as const,
        'written_off' as const,
        'reopened' as const,
      ),
      debitSats: fc.constantFrom(sats(500n), sats(1000n)),
    })
    .map((debit) => [debit]),
);

const anyAddress = fc.constantFrom<OrderForActions['address']>(
  null,
  ...(['confirmed', 'entered', 'waiting', 'unconfirmed'] as const).map((standing) => ({ ...ADDRESS, standing })),
);

test('[PAY-14] [OPS-25] owed money has an action for every address status', () => {
  const { cancelled = {} } = BEGINNINGS;
  const formatOwedActions = (
    standing: NonNullable<OrderForActions['address']>['status'] | null,
    amount = DUE,
  ): string[] =>
    formatActions(
      createOrder(cancelled, [createOutput(amount)], [], standing && { ...ADDRESS, status: standing }),
    ).filter((exit) => exit !== 'staff: settle' && exit !== 'staff: record-elsewhere');
  assert.deepEqual(formatOwedActions(null), ['buyer: name-address', 'staff: enter-address']);
  assert.deepEqual(formatOwedActions('unconfirmed'), ['buyer: name-address', 'staff: enter-address']);
  assert.deepEqual(formatOwedActions('waiting'), ['time: address-counts']);
  assert.deepEqual(formatOwedActions('entered'), ['staff: refund']);
  assert.deepEqual(formatOwedActions(null, 293n), ['staff: write-off']);
  const later = { ...createOrder(cancelled, [createOutput(DUE)], [], null), unclaimedAfterDays: 0 };
  assert.ok(formatActions(later).includes('staff: write-off'));
});

test('[PAY-11] dust and late payments have actions', () => {
  const { open = {}, expired = {} } = BEGINNINGS;
  assert.deepEqual(formatActions(createOrder(open, [], [])), [
    'buyer: cancel',
    'buyer: pay',
    'staff: release-stock',
    'time: expire',
  ]);
  assert.ok(formatActions(createOrder(open, [createOutput(1n)], [])).includes('staff: give-up'));
  assert.ok(formatActions(createOrder(expired, [createOutput(DUE)], [])).includes('time: accept-late'));
});

test('[PAY-14] every lasting state has an action', () => {
  const met = new Set<PaymentStatus>();
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(BEGINNINGS)),
      fc.array(anyOutput, { maxLength: 4 }),
      anyDebits,
      anyAddress,
      ([name, begun], paid, debits, address) => {
        // An open order refunds nothing.
        const one = createOrder(begun, paid, begun.is_open === false ? debits : [], address);
        met.add(one.order.payment_status);
        const { payment_status: status, refund_state: refund } = one.order;
        assert.ok(isFinal(one) || listNextActions(one).length > 0, `${name}: ${status}, refund ${refund}`);
      },
    ),
    { numRuns: 5000 },
  );
  assert.equal(met.size, 6);
});

test('[PAY-14] lost, paid and empty orders are final', () => {
  const { paid = {}, shipped = {}, cancelled = {} } = BEGINNINGS;
  assert.equal(isFinal(createOrder(paid, [createOutput(DUE)], [])), true);
  assert.equal(isFinal(createOrder(cancelled, [], [])), true);
  assert.equal(isFinal(createOrder(cancelled, [createOutput(293n)], [])), true);
  assert.equal(isFinal(createOrder(cancelled, [createOutput(294n)], [])), false);
  assert.equal(isFinal(createOrder(cancelled, [createOutput(DUE)], [createWholeDebit('written_off')])), true);
  assert.equal(isFinal(createOrder(cancelled, [createOutput(DUE)], [createWholeDebit('reopened')])), false);
  assert.equal(isFinal(createOrder(shipped, [], [])), false);
  assert.equal(isFinal(createOrder({ ...shipped, closed_as_loss_of: 'payment' }, [], [])), true);
  assert.equal(isFinal(createOrder(paid, [], [createWholeDebit('confirmed')])), false);
  assert.equal(
    isFinal(createOrder({ ...paid, closed_as_loss_of: 'refund' }, [], [createWholeDebit('confirmed')])),
    true,
  );
});
