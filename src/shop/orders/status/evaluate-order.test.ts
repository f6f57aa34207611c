import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, centsPerBtc, NO_SATS, sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { expireWithLedger, reconcileWithLedger } from './evaluate-order.ts';
import { requireLedger } from '../stored-order.ts';
import type { OrderLedger, StoredOrder } from '../stored-order.ts';
import type { Reconciliation } from './reconcile-order.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const getTimeAt = (seconds: number): Date => new Date(START + seconds * 1000);
const WINDOW = 7200;
const TIP = 100;

const fresh: StoredOrder = {
  payment_status: 'pending',
  is_open: true,
  total_after_cents: cents(99_900n),
  tolerance_sats: NO_SATS,
  due_sats: sats(900_000n),
  required_confirmations: 2,
  expires_at: getTimeAt(WINDOW),
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
};

const output = fc.record({
  amount: fc.constantFrom(100n, 450_000n, 899_900n, 900_000n, 1_000_000n),
  height: fc.constantFrom(null, TIP, TIP - 1, TIP - 5),
  seconds: fc.constantFrom(0, WINDOW - 1, WINDOW, WINDOW + 1),
  isLive: fc.boolean(),
});
const outputs = fc.array(output, { maxLength: 4 }).map((ledgerOutputs) =>
  ledgerOutputs.map(({ amount, height, seconds, isLive }, index): LedgerOutput => ({
    txid: String(index).padStart(64, '0'),
    vout: 0,
    amountSats: sats(amount),
    isCoinbase: false,
    isLive,
    height: isLive ? height : null,
    firstSeen: getTimeAt(seconds),
    leftBecause: isLive ? null : 'replaced',
    leftAt: isLive ? null : getTimeAt(seconds + 1),
  })),
);
const createLedger = (ledgerOutputs: readonly LedgerOutput[]): OrderLedger => ({
  address: 'bcrt1q',
  outputs: ledgerOutputs,
  tip: { height: TIP },
});
const LIMIT = 86_400;
const expireBy = (order: StoredOrder, ledger: OrderLedger, now: number, reconciled: number): Reconciliation | null =>
  expireWithLedger(order, ledger, getTimeAt(now), {
    reconciledAt: getTimeAt(reconciled),
    unconfirmedLimitSeconds: LIMIT,
  });
const paidLate: LedgerOutput = {
  txid: 'f'.repeat(64),
  vout: 1,
  amountSats: sats(900_000n),
  isCoinbase: false,
  isLive: true,
  height: TIP - 1,
  firstSeen: getTimeAt(WINDOW + 1),
  leftBecause: null,
  leftAt: null,
};
const terms = { presentRate: centsPerBtc(11_100_000n), tolerancePercent: 2, limitDays: 7 };

const applyChange = (order: StoredOrder, { change }: Reconciliation): StoredOrder =>
  change === null
    ? order
    : {
        ...order,
        payment_status: change.paymentStatus,
        is_open: change.isOpen,
        paid_at: change.paidAt,
        expired_at: change.expiredAt,
        recorded_state: change.recordedState,
        recorded_received_sats: change.recordedReceivedSats,
      };
const sumFinal = (ledgerOutputs: readonly LedgerOutput[]): bigint =>
  ledgerOutputs.reduce(
    (sum, { isLive, height, amountSats }) => (isLive && height !== null && height < TIP ? sum + amountSats : sum),
    0n,
  );

test('[PAY-09] final outputs cover every paid order, after any history', () => {
  const step = fc.oneof(
    outputs.map((ledgerOutputs) => ({ found: ledgerOutputs })),
    fc.constantFrom(0, WINDOW, WINDOW * 2).map((seconds) => ({ seconds })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let order = fresh;
      let ledger = createLedger([]);
      let paidEvents = 0;
      for (const change of steps) {
        if ('found' in change) ledger = createLedger(change.found);
        const reconciliation = 'found' in change ? reconcileWithLedger(order, ledger, getTimeAt(WINDOW), terms) : null;
        const expired = 'seconds' in change ? expireBy(order, ledger, change.seconds, change.seconds) : null;
        const decided = reconciliation ?? expired;
        if (!decided) continue;
        paidEvents += decided.events.filter((kind) => kind === 'paid').length;
        order = applyChange(order, decided);
        if (order.payment_status === 'paid') assert.ok(sumFinal(ledger.outputs) >= order.due_sats);
        assert.ok(!order.is_open || order.payment_status === 'pending' || order.payment_status === 'user_paid');
        const again = reconcileWithLedger(order, ledger, getTimeAt(WINDOW), terms);
        assert.deepEqual([again.change, again.events], [null, []], 'idempotent');
      }
      assert.ok(paidEvents <= 1);
    }),
    { numRuns: 500 },
  );
});

test('[PAY-10] expires nothing before its time or on an outdated ledger', () => {
  const ledger = createLedger([]);
  assert.equal(expireBy(fresh, ledger, WINDOW - 1, WINDOW - 1), null);
  assert.equal(expireBy(fresh, ledger, WINDOW + 60, WINDOW - 1), null);
  assert.equal(expireBy(fresh, ledger, WINDOW - 1, WINDOW + 60), null, 'the clock went back');
  const expired = expireBy(fresh, ledger, WINDOW, WINDOW);
  assert.deepEqual([expired?.change?.paymentStatus, expired?.change?.isOpen], ['expired', false]);
  assert.deepEqual(expired?.events, ['expired']);
});

test('[PAY-10] accepts a late payment within the tolerance, none without a rate', () => {
  const late = createLedger([paidLate]);
  const expired = applyChange(fresh, expireBy(fresh, createLedger([]), WINDOW, WINDOW) ?? assert.fail());
  const evaluateStatusAt = (rate: bigint | null): string => {
    const presentRate = rate === null ? null : centsPerBtc(rate);
    const reconciliation = reconcileWithLedger(expired, late, getTimeAt(WINDOW + 900), {
      presentRate,
      tolerancePercent: 2,
      limitDays: 7,
    });
    return applyChange(expired, reconciliation).payment_status;
  };
  assert.equal(evaluateStatusAt(11_100_000n), 'paid');
  assert.equal(evaluateStatusAt(20_000_000n), 'paid');
  // 99,900 cents are 918,000 sats at the first rate, exactly 2 percent more, and 918,100 at the
  // second.
  assert.equal(evaluateStatusAt(10_882_353n), 'paid');
  assert.equal(evaluateStatusAt(10_882_352n), 'expired');
  assert.equal(evaluateStatusAt(null), 'expired');
});

test('an order without an address is an error', () => {
  const ledgers = { tip: null, ledgers: new Map([['a', { address: 'bcrt1q', outputs: [] }]]) };
  assert.deepEqual(requireLedger(ledgers, 'a'), { address: 'bcrt1q', outputs: [], tip: null, dayFeePerKvb: null });
  assert.throws(() => requireLedger(ledgers, 'b'), /no address/);
});
