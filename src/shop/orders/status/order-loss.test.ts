import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NO_SATS, sats } from '#src/shop/money.ts';
import {
  sumDoubleSpentSats,
  isDoubleSpentForGood,
  sumPossibleSats,
} from '#src/shop/payments/ledger/double-spent-payments.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { sumFinalSats } from '#src/shop/payments/ledger/payment-state.ts';
import {
  isLossReversed,
  isPaymentLostForGood,
  isReopenable,
  findLossEvent,
  computeLoss,
  computeLostSats,
  findCloseAsLossProblem,
} from './order-loss.ts';
import { orderLosses } from '../kinds.ts';
import type { OrderInLoss } from './order-loss.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const TIP = { height: 300 };
const REQUIRED = 3;

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
const createLeftOutput = (amountSats: bigint, confirmations: number | null): LedgerOutput =>
  createOutput(amountSats, {
    isLive: false,
    height: null,
    leftBecause: 'replaced',
    leftAt: AT,
    conflictHeight: confirmations === null ? null : TIP.height - confirmations + 1,
  });
const order = (change: Partial<OrderInLoss> = {}): OrderInLoss => ({
  payment_status: 'user_paid',
  due_sats: sats(1000n),
  tolerance_sats: NO_SATS,
  settled_sats: null,
  required_confirmations: REQUIRED,
  refund_state: null,
  refund_made_sats: NO_SATS,
  refund_sent_sats: NO_SATS,
  paid_at: AT,
  fulfilment_status: 'unfulfilled',
  returned_sats: NO_SATS,
  closed_as_loss_of: null,
  ...change,
});
const createLedger = (...all: LedgerOutput[]) => ({ outputs: all, tip: TIP });

test('[PAY-14] a payment is lost at the confirmations its order requires', () => {
  for (const confirmations of [null, 1, 2, 3, 4]) {
    const isFinal = confirmations !== null && confirmations >= REQUIRED;
    assert.equal(isDoubleSpentForGood(createLeftOutput(1000n, confirmations), TIP, REQUIRED), isFinal);
    assert.equal(
      computeLoss(order(), createLedger(createLeftOutput(1000n, confirmations))),
      isFinal ? 'double_spent' : null,
    );
  }
  assert.equal(
    isDoubleSpentForGood(createLeftOutput(1000n, 3), { height: TIP.height - 1 }, REQUIRED),
    false,
    'one block undone',
  );
  assert.equal(isDoubleSpentForGood(createLeftOutput(1000n, 1), TIP, 0), true, 'one confirmation at least');
});

test('[PAY-14] a replacement to the same address is not a loss', () => {
  const bumped = [createLeftOutput(1000n, 3), createOutput(1000n)];
  assert.equal(isPaymentLostForGood(order(), createLedger(...bumped)), false);
  assert.equal(
    isPaymentLostForGood(order(), createLedger(createLeftOutput(1000n, 3), createOutput(1000n, { height: null }))),
    false,
    'on its way',
  );
  assert.equal(
    isPaymentLostForGood(order(), createLedger(createLeftOutput(1000n, 3), createLeftOutput(1000n, null))),
    false,
    'it may return',
  );
});

test('[PAY-14] distinguishes a lost part from the whole', () => {
  assert.equal(computeLoss(order(), createLedger(createLeftOutput(500n, 3), createOutput(500n))), 'part_double_spent');
  assert.equal(computeLostSats(order(), createLedger(createLeftOutput(500n, 3), createOutput(500n))), 500n);
  assert.equal(
    computeLoss(order({ settled_sats: sats(500n) }), createLedger(createLeftOutput(500n, 3), createOutput(500n))),
    null,
  );
  assert.equal(
    computeLoss(order(), createLedger(createLeftOutput(1000n, 3), createOutput(293n))),
    'double_spent',
    'dust does not count as a part',
  );
});

test('[PAY-14] [PAY-15] a part lost within the tolerance is not a loss', () => {
  const tolerant = order({ tolerance_sats: sats(300n) });
  assert.equal(computeLoss(tolerant, createLedger(createLeftOutput(300n, 3), createOutput(700n))), null);
  assert.equal(computeLoss(tolerant, createLedger(createLeftOutput(301n, 3), createOutput(699n))), 'part_double_spent');
});

test('[PAY-14] an uncovered refund is stopped, uncovered once sent, then lost', () => {
  const made = order({ payment_status: 'user_paid', refund_state: 'refunding', refund_made_sats: sats(1000n) });
  assert.equal(computeLoss(made, createLedger(createOutput(1000n))), null);
  assert.equal(
    computeLoss(made, createLedger(createOutput(1000n, { height: null }))),
    'refund_stopped',
    'reorganized out of its block',
  );
  assert.equal(computeLoss(made, createLedger(createLeftOutput(1000n, 3))), 'refund_stopped');
  const sent = { ...made, refund_made_sats: NO_SATS, refund_sent_sats: sats(1000n) };
  for (const state of ['refunding', 'refunded'] as const) {
    const refunded = { ...sent, refund_state: state, payment_status: 'refunded' } as const;
    assert.equal(computeLoss(refunded, createLedger(createOutput(1000n))), null);
    assert.equal(computeLoss(refunded, createLedger(createOutput(1000n, { height: null }))), 'refund_uncovered');
    assert.equal(computeLoss(refunded, createLedger(createLeftOutput(1000n, 2))), 'refund_uncovered');
    assert.equal(computeLoss(refunded, createLedger(createLeftOutput(1000n, 3))), 'refund_lost');
    assert.equal(computeLostSats(refunded, createLedger(createLeftOutput(1000n, 3))), 1000n);
  }
  const twice = {
    ...sent,
    refund_sent_sats: sats(2000n),
    refund_state: 'refunded',
    payment_status: 'refunded',
  } as const;
  assert.equal(computeLoss(twice, createLedger(createOutput(1000n))), 'refund_lost', 'sent twice');
});

test('[PAY-14] a surplus refund leaves the amount due', () => {
  const paid = order({ payment_status: 'paid', refund_sent_sats: sats(500n), returned_sats: sats(500n) });
  assert.equal(computeLoss(paid, createLedger(createOutput(1500n))), null);
  assert.equal(computeLoss(paid, createLedger(createOutput(1000n), createLeftOutput(500n, 3))), 'refund_lost');
  assert.equal(computeLoss(paid, createLedger(createOutput(1000n), createLeftOutput(500n, 1))), 'refund_uncovered');
  const stopped = order({ payment_status: 'paid', refund_made_sats: sats(500n) });
  assert.equal(computeLoss(stopped, createLedger(createOutput(1000n), createLeftOutput(500n, 3))), 'refund_stopped');
});

test('[PAY-14] only a double-spent order without refund can be requoted', () => {
  assert.equal(isReopenable(order(), createLedger(createLeftOutput(1000n, 3))), true);
  assert.equal(isReopenable(order(), createLedger(createLeftOutput(500n, 3), createOutput(500n))), true);
  assert.equal(isReopenable(order(), createLedger(createLeftOutput(1000n, 2))), false);
  assert.equal(
    isReopenable(order(), createLedger(createLeftOutput(600n, 3), createOutput(300n, { height: null }))),
    false,
    'on its way',
  );
  assert.equal(
    isReopenable(order(), createLedger(createLeftOutput(1000n, 3), createOutput(293n, { height: null }))),
    true,
    'dust is on its way',
  );
  assert.equal(isReopenable(order({ refund_state: 'refunding' }), createLedger(createLeftOutput(1000n, 3))), false);
  assert.equal(isReopenable(order({ returned_sats: sats(1n) }), createLedger(createLeftOutput(1000n, 3))), false);
  assert.equal(
    isReopenable(order({ paid_at: null }), createLedger(createLeftOutput(1000n, 3))),
    false,
    'it expects a payment',
  );
});

test('[PAY-14] closes only shipped unpaid orders without pending payments', () => {
  const sent = order({ fulfilment_status: 'shipped' });
  assert.equal(findCloseAsLossProblem(sent, createLedger(createLeftOutput(1000n, 3))), null);
  assert.equal(
    findCloseAsLossProblem(sent, createLedger(createLeftOutput(1000n, null))),
    null,
    'the conflict is unknown',
  );
  assert.equal(findCloseAsLossProblem(sent, createLedger(createLeftOutput(500n, 3), createOutput(500n))), null);
  assert.equal(findCloseAsLossProblem({ ...sent, fulfilment_status: 'delivered' }, createLedger()), null);
  assert.equal(findCloseAsLossProblem({ ...sent, payment_status: 'expired', paid_at: null }, createLedger()), null);
  assert.equal(findCloseAsLossProblem(sent, createLedger(createOutput(1000n, { height: null }))), 'payment-live');
  assert.equal(findCloseAsLossProblem(order(), createLedger(createLeftOutput(1000n, 3))), 'not-shipped');
  assert.equal(
    findCloseAsLossProblem({ ...sent, payment_status: 'paid' }, createLedger(createOutput(1000n))),
    'already-paid',
  );
  assert.equal(findCloseAsLossProblem({ ...sent, refund_state: 'refunding' }, createLedger()), 'refunding');
  assert.equal(findCloseAsLossProblem({ ...sent, refund_state: 'written_off' }, createLedger()), 'written-off');
  const lost = order({ payment_status: 'refunded', refund_state: 'refunded', refund_sent_sats: sats(1000n) });
  assert.equal(findCloseAsLossProblem(lost, createLedger(createLeftOutput(1000n, 3))), null);
  assert.equal(findCloseAsLossProblem(lost, createLedger(createOutput(1000n))), 'refunded');
});

test('[PAY-14] a payment that returns reverses a closed loss', () => {
  const closed = order({ fulfilment_status: 'shipped', closed_as_loss_of: 'payment' });
  assert.equal(isLossReversed(closed, createLedger(createLeftOutput(1000n, 3))), false);
  assert.equal(isLossReversed({ ...closed, payment_status: 'paid' }, createLedger(createOutput(1000n))), true);
  const refund = order({ payment_status: 'refunded', refund_state: 'refunded', refund_sent_sats: sats(1000n) });
  const closedRefund = { ...refund, closed_as_loss_of: 'refund' } as const;
  assert.equal(isLossReversed(closedRefund, createLedger(createLeftOutput(1000n, 3))), false);
  assert.equal(isLossReversed(closedRefund, createLedger(createOutput(1000n))), true);
});

const anyOutput = fc
  .record({
    amount: fc.bigInt({ min: 0n, max: 1500n }),
    height: fc.option(fc.integer({ min: 290, max: 300 })),
    isLive: fc.boolean(),
    conflict: fc.option(fc.integer({ min: 290, max: 300 })),
  })
  .map(({ amount, height, isLive, conflict }) =>
    createOutput(amount, isLive ? { height } : { isLive, height: null, leftAt: AT, conflictHeight: conflict }),
  );

test('[PAY-14] possible payments include confirmed ones and exclude double-spent ones', () => {
  fc.assert(
    fc.property(fc.array(anyOutput, { maxLength: 6 }), fc.integer({ min: 0, max: 6 }), (all, required) => {
      const possible = sumPossibleSats(all, TIP, required);
      const total = all.reduce((sum, { amountSats }) => sum + amountSats, 0n);
      assert.ok(possible >= sumFinalSats(all, TIP, required));
      assert.equal(possible + sumDoubleSpentSats(all, TIP, required), total);
    }),
  );
});

test('[PAY-14] reports each change of a loss once', () => {
  const statuses = fc.constantFrom(...(['user_paid', 'paid', 'pending', 'expired', 'cancelled'] as const));
  fc.assert(
    fc.property(fc.array(anyOutput, { maxLength: 6 }), statuses, (all, status) => {
      const stored = order({ payment_status: status });
      const loss = computeLoss(stored, createLedger(...all));
      assert.equal(findLossEvent(loss, loss, stored), null);
      for (const before of [null, ...orderLosses]) {
        if (loss !== null && before !== loss) assert.equal(findLossEvent(before, loss, stored), loss);
      }
      if (sumFinalSats(all, TIP, REQUIRED) >= stored.due_sats) assert.equal(loss, null);
    }),
  );
});
