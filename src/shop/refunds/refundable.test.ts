import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addSats, NO_SATS, sats, subtractSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { sumDebits, sumFinalForRefund, computeRefundable, summarizeRefunds, findRefundProblem } from './refundable.ts';
import type { TotalCovers } from '#src/shop/orders/kinds.ts';
import type { Debit, OrderToRefund, RefundPosition, RefundDestination } from './refundable.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const TIP = { height: 300 };
const ORDER: OrderToRefund = {
  payment_status: 'paid',
  is_open: false,
  paid_at: AT,
  due_sats: sats(1000n),
  settled_sats: null,
  tolerance_sats: NO_SATS,
  required_confirmations: 2,
};
const CONFIRMED: RefundDestination = { status: 'confirmed', dustSats: 1n };

let outputs = 0;
const createOutput = (amountSats: bigint, height: number | null, more: Partial<LedgerOutput> = {}): LedgerOutput => ({
  txid: String((outputs += 1)).padStart(64, '0'),
  vout: 0,
  amountSats: sats(amountSats),
  isCoinbase: false,
  isLive: true,
  height,
  firstSeen: AT,
  leftBecause: null,
  leftAt: null,
  ...more,
});
const createDeepOutput = (amountSats: bigint): LedgerOutput => createOutput(amountSats, TIP.height - 1);
const createPosition = (
  order: Partial<OrderToRefund>,
  paid: readonly LedgerOutput[],
  debits: readonly Debit[] = [],
) => ({
  order: { ...ORDER, ...order },
  outputs: paid,
  tip: TIP,
  debits,
});
const debit = (covers: Debit['covers'], state: Debit['state'], debitSats: bigint): Debit => ({
  covers,
  state,
  debitSats: sats(debitSats),
});

const findProblem = (covers: TotalCovers, at: RefundPosition, address: RefundDestination | null = CONFIRMED) =>
  findRefundProblem(covers, at, address);
const summarizeDebits = (...debits: Debit[]) => summarizeRefunds(debits);

test('[PAY-13] only live outputs with enough confirmations are refundable', () => {
  const paid = [
    createDeepOutput(700n),
    createOutput(50n, TIP.height),
    createOutput(50n, null),
    createOutput(50n, TIP.height - 50, { isLive: false, height: null }),
    createOutput(50n, TIP.height - 98, { isCoinbase: true }),
    createOutput(9n, TIP.height - 99, { isCoinbase: true }),
  ];
  assert.equal(sumFinalForRefund(createPosition({}, paid)), 709n);
  assert.deepEqual(computeRefundable(createPosition({ payment_status: 'expired', paid_at: null }, paid)), {
    whole: 709n,
    surplus: 0n,
  });
});

test('[PAY-13] a surplus is what exceeds the due or accepted amount', () => {
  assert.deepEqual(computeRefundable(createPosition({}, [createDeepOutput(1300n)])), { whole: 1300n, surplus: 300n });
  assert.deepEqual(computeRefundable(createPosition({ settled_sats: sats(900n) }, [createDeepOutput(1300n)])), {
    whole: 1300n,
    surplus: 400n,
  });
  for (const status of ['expired', 'cancelled'] as const) {
    assert.equal(
      computeRefundable(createPosition({ payment_status: status }, [createDeepOutput(1300n)])).surplus,
      0n,
      status,
    );
  }
});

test('[PAY-13] the most relevant reason against a refund comes first', () => {
  const paid = [createDeepOutput(1300n)];
  for (const covers of ['surplus', 'whole'] as const) {
    assert.equal(findProblem(covers, createPosition({}, paid)), null);
    assert.equal(findProblem(covers, createPosition({ is_open: true, payment_status: 'pending' }, paid)), 'order-open');
    assert.equal(findProblem(covers, createPosition({ payment_status: 'user_paid' }, paid)), 'reorged-out');
    assert.equal(findProblem(covers, createPosition({}, paid), null), 'no-address');
    assert.equal(
      findProblem(covers, createPosition({}, paid), { ...CONFIRMED, status: 'unconfirmed' }),
      'address-not-confirmed',
    );
    assert.equal(findProblem(covers, createPosition({}, paid), { ...CONFIRMED, status: 'waiting' }), 'address-waits');
    assert.equal(findProblem(covers, createPosition({}, paid), { ...CONFIRMED, status: 'entered' }), null);
    for (const state of ['made', 'sent'] as const) {
      assert.equal(findProblem(covers, createPosition({}, paid, [debit('surplus', state, 1n)])), 'refund-open');
    }
    assert.equal(findProblem(covers, createPosition({}, paid, [debit('surplus', 'withdrawn', 300n)])), null);
    assert.equal(
      findProblem(covers, createPosition({}, paid, [debit('whole', 'confirmed', 1300n)])),
      'nothing-to-refund',
    );
  }
  assert.equal(
    findProblem('surplus', createPosition({}, paid, [debit('surplus', 'confirmed', 300n)])),
    'nothing-to-refund',
  );
  assert.equal(findProblem('whole', createPosition({}, paid, [debit('surplus', 'confirmed', 300n)])), null);
});

test('[PAY-13] the dust limit applies per address type, or without an address', () => {
  const [least, less] = [createPosition({}, [createDeepOutput(1294n)]), createPosition({}, [createDeepOutput(1293n)])];
  assert.deepEqual([findProblem('surplus', least, null), findProblem('surplus', less, null)], ['no-address', 'dust']);
  const legacy: RefundDestination = { status: 'unconfirmed', dustSats: 546n };
  assert.equal(findProblem('surplus', createPosition({}, [createDeepOutput(1545n)]), legacy), 'dust');
  assert.equal(findProblem('surplus', createPosition({}, [createDeepOutput(1546n)]), legacy), 'address-not-confirmed');
  assert.equal(findProblem('whole', less, legacy), 'address-not-confirmed', 'the whole amount is enough');
});

test('[PAY-09] refunds determine the refund state of their order', () => {
  assert.deepEqual(summarizeDebits(), {
    refundState: null,
    returnedSats: 0n,
    writtenOffSats: 0n,
    lineRefundSats: 0n,
  });
  assert.deepEqual(summarizeDebits(debit('surplus', 'confirmed', 300n), debit('surplus', 'sent', 5n)), {
    refundState: null,
    returnedSats: 300n,
    writtenOffSats: 0n,
    lineRefundSats: 0n,
  });
  assert.equal(summarizeDebits(debit('whole', 'made', 9n)).refundState, 'refunding');
  assert.equal(summarizeDebits(debit('whole', 'sent', 9n)).refundState, 'refunding');
  assert.equal(summarizeDebits(debit('whole', 'confirmed', 9n)).refundState, 'refunded');
  assert.equal(summarizeDebits(debit('whole', 'withdrawn', 9n)).refundState, null);
  // A further payment after a full refund is refunded too.
  assert.equal(summarizeDebits(debit('whole', 'confirmed', 9n), debit('whole', 'made', 1n)).refundState, 'refunding');
});

const lines = (state: Debit['state'], debitSats: bigint, holdsUnits = true): Debit => ({
  ...debit('lines', state, debitSats),
  holdsUnits,
});

test('[PAY-13] a refund of lines lowers what the order keeps, not its surplus', () => {
  const paid = [createDeepOutput(1300n)];
  const of = (...debits: Debit[]) => computeRefundable(createPosition({ payment_status: 'paid' }, paid, debits));
  const due = ORDER.due_sats;
  const surplus = 1300n - due;
  assert.deepEqual(of(lines('made', 400n)), { whole: sats(900n), surplus });
  assert.deepEqual(of(lines('confirmed', 400n), debit('surplus', 'confirmed', surplus)), {
    whole: sats(due - 400n),
    surplus: 0n,
  });
  // A withdrawn refund that was sent after its units were taken is paid from the surplus.
  assert.equal(of(lines('sent', 400n), lines('sent', 100n, false)).surplus, subtractSats(sats(surplus), sats(100n)));
});

test('[PAY-13] refunds of all units are a refund of the whole', () => {
  assert.equal(summarizeRefunds([lines('confirmed', 9n)]).refundState, null);
  assert.equal(summarizeRefunds([lines('confirmed', 9n)], true).refundState, 'refunded');
  assert.equal(summarizeRefunds([lines('confirmed', 9n), lines('sent', 9n)], true).refundState, 'refunding');
  assert.deepEqual(summarizeRefunds([lines('confirmed', 9n), lines('sent', 5n, false)]), {
    refundState: null,
    returnedSats: 0n,
    writtenOffSats: 0n,
    lineRefundSats: 9n,
  });
});

const amount = fc.bigInt({ min: 1n, max: 2000n });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('arrives' as const), amount }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('make' as const), covers: fc.constantFrom('surplus', 'whole') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('becomes' as const),
      state: fc.constantFrom('sent', 'confirmed', 'withdrawn'),
    }),
  },
);

test('[PAY-13] random refunds never exceed the received amount', () => {
  let count = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('paid', 'expired', 'cancelled'),
      fc.option(amount, { nil: null }),
      fc.array(step, { maxLength: 25 }),
      (status, settled, steps) => {
        const order = {
          ...ORDER,
          payment_status: status,
          paid_at: status === 'paid' ? AT : null,
          settled_sats: settled === null ? null : sats(settled),
        } as const;
        const paid: LedgerOutput[] = [];
        const debits: Debit[] = [];
        for (const one of steps) {
          const at = { order, outputs: paid, tip: TIP, debits };
          if (one.kind === 'arrives') paid.push(createDeepOutput(one.amount));
          else if (one.kind === 'becomes') {
            const last = debits.pop();
            if (last) debits.push(last.state === 'confirmed' ? last : { ...last, state: one.state });
          } else if (findRefundProblem(one.covers, at, CONFIRMED) === null) {
            const before = sumDebits(debits);
            debits.push({ covers: one.covers, state: 'made', debitSats: computeRefundable(at)[one.covers] });
            count += 1;
            const received: Sats = addSats(NO_SATS, ...paid.map(({ amountSats }) => amountSats));
            assert.ok(sumDebits(debits) > before, 'a refund was made');
            assert.ok(sumDebits(debits) <= received, 'not more than received');
            if (one.covers === 'surplus') assert.ok(received - sumDebits(debits) >= (settled ?? order.due_sats));
            assert.equal(debits.filter(({ state }) => state === 'made' || state === 'sent').length, 1, 'one at a time');
          }
        }
      },
    ),
    { numRuns: 1000 },
  );
  assert.ok(count > 200, `only ${count} refunds were made`);
});

test('[OPS-25] write-offs determine the refund state and the refundable amount', () => {
  assert.deepEqual(summarizeDebits(debit('surplus', 'confirmed', 300n), debit('surplus', 'written_off', 20n)), {
    refundState: null,
    returnedSats: 320n,
    writtenOffSats: 20n,
    lineRefundSats: 0n,
  });
  assert.deepEqual(summarizeDebits(debit('surplus', 'reopened', 20n)), summarizeDebits());
  assert.equal(summarizeDebits(debit('whole', 'written_off', 9n)).refundState, 'written_off');
  assert.equal(summarizeDebits(debit('whole', 'reopened', 9n)).refundState, 'written_off', 'it can only be refunded');
  assert.equal(summarizeDebits(debit('whole', 'reopened', 9n), debit('whole', 'made', 9n)).refundState, 'refunding');
  assert.equal(
    summarizeDebits(debit('whole', 'reopened', 9n), debit('whole', 'confirmed', 9n)).refundState,
    'refunded',
  );
  assert.equal(
    summarizeDebits(debit('whole', 'reopened', 9n), debit('whole', 'withdrawn', 9n)).refundState,
    'written_off',
  );
  const cancelled = { payment_status: 'cancelled', paid_at: null } as const;
  const createClosed = (state: Debit['state']) =>
    createPosition(cancelled, [createDeepOutput(900n)], [debit('whole', state, 900n)]);
  assert.equal(computeRefundable(createClosed('written_off')).whole, 0n);
  assert.equal(computeRefundable(createClosed('reopened')).whole, 900n);
});
