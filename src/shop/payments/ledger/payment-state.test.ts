import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NO_SATS, sats } from '#src/shop/money.ts';
import { evaluatePayment } from './payment-state.ts';
import { computeToleranceSats } from './payment-tolerance.ts';
import type { LedgerOutput, PaymentFacts, PaymentInput, PaymentState } from './payment-state.ts';

const DUE = 900_000n;
const SEGWIT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const TAPROOT = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';
const TIP = 200;
const EXPIRES = new Date('2030-01-01T12:00:00Z');
const IN_TIME = new Date('2030-01-01T11:00:00Z');
const TOO_LATE = new Date('2030-01-01T12:00:00.001Z');

let names = 0;
/** An output with a number of confirmations; 0 means in the mempool. */
function createOutput(amount: bigint, confirmations: number, other: Partial<LedgerOutput> = {}): LedgerOutput {
  names += 1;
  return {
    txid: names.toString(16).padStart(64, '0'),
    vout: 0,
    amountSats: sats(amount),
    isCoinbase: false,
    isLive: true,
    height: confirmations === 0 ? null : TIP - confirmations + 1,
    firstSeen: IN_TIME,
    leftBecause: null,
    leftAt: null,
    ...other,
  };
}
const createDepartedOutput = (leftBecause: 'replaced' | 'dropped', second: number, amount = DUE): LedgerOutput =>
  createOutput(amount, 0, { isLive: false, leftBecause, leftAt: new Date(IN_TIME.getTime() + second * 1000) });

const NOTHING: PaymentFacts = {
  paidAt: null,
  expiredAt: null,
  cancelledAt: null,
  settledSats: null,
  refund: null,
  returnedSats: NO_SATS,
};

function evaluate(outputs: LedgerOutput[], facts: Partial<PaymentFacts> = {}, needed = 2, due = DUE) {
  const input: PaymentInput = {
    outputs,
    tip: { height: TIP },
    quote: {
      dueSats: sats(due),
      address: SEGWIT,
      toleranceSats: NO_SATS,
      requiredConfirmations: needed,
      expiresAt: EXPIRES,
    },
    order: { ...NOTHING, ...facts },
  };
  return evaluatePayment(input);
}
const evaluateState = (...args: Parameters<typeof evaluate>): PaymentState => evaluate(...args).state;

test('[PAY-17] a missing amount can be sent: at least the dust limit', () => {
  for (const missing of [1n, 100n, 293n, 294n]) {
    const part = evaluate([createOutput(DUE - missing, 50)]);
    assert.deepEqual([part.state, part.missingSats], ['underpaid', 294n]);
  }
  assert.equal(evaluate([createOutput(DUE - 295n, 50)]).missingSats, 295n);
  assert.equal(evaluate([], {}, 2, 100n).missingSats, 294n, 'also of an order that costs less');
  assert.equal(evaluate([createOutput(DUE, 50)]).missingSats, 0n);
});

test('[PAY-15] [PAY-17] what is asked can be sent, pays the order, and leaves no satoshi out', () => {
  const address = fc.constantFrom({ address: SEGWIT, dustSats: 294n }, { address: TAPROOT, dustSats: 330n });
  const chosen = fc.constantFrom(0n, 100n, 2_000n);
  fc.assert(
    fc.property(address, chosen, fc.bigInt(1n, 20_000n), fc.bigInt(0n, 21_000n), (to, tolerance, due, paid) => {
      const toleranceSats = computeToleranceSats(
        { sats: tolerance, basisPoints: 0n, dustSats: to.dustSats },
        sats(due),
      );
      const evaluateAll = (...amounts: bigint[]) =>
        evaluatePayment({
          outputs: amounts.map((amount) => createOutput(amount, 9)),
          tip: { height: TIP },
          quote: {
            address: to.address,
            dueSats: sats(due),
            toleranceSats,
            requiredConfirmations: 1,
            expiresAt: EXPIRES,
          },
          order: NOTHING,
        });
      const { missingSats, receivedSats, shortSats, state, surplusSats } = evaluateAll(paid);
      assert.equal(receivedSats, paid);
      if (missingSats === 0n) {
        assert.ok(state === 'paid' || state === 'overpaid');
        assert.equal(paid + shortSats, due + surplusSats);
        return;
      }
      assert.ok(missingSats >= to.dustSats);
      assert.equal(shortSats, 0n);
      // Never more than is missing, unless a tenth of the order is less than the dust limit.
      assert.ok(missingSats === due - paid || due < 10n * to.dustSats);
      const completed = evaluateAll(paid, missingSats);
      assert.deepEqual([completed.missingSats, completed.shortSats], [0n, 0n]);
      assert.equal(completed.surplusSats, paid + missingSats - due);
    }),
  );
});

test('[PAY-09] awaiting: no live output', () => {
  assert.equal(evaluateState([]), 'awaiting');
  assert.deepEqual(evaluate([]), {
    state: 'awaiting',
    receivedSats: 0n,
    confirmedSats: 0n,
    confirmations: 0,
    missingSats: DUE,
    shortSats: 0n,
    surplusSats: 0n,
    isCoveredInTime: false,
    isConfirmedInTime: false,
    isSeenInTime: false,
    isCoveredByFinal: false,
  });
});

test('[PAY-09] seen: covered but unconfirmed; never paid at zero confirmations', () => {
  assert.equal(evaluateState([createOutput(DUE, 0)]), 'seen');
  assert.equal(evaluateState([createOutput(DUE, 0)], {}, 1), 'seen');
  assert.equal(evaluateState([createOutput(DUE - 1n, 5), createOutput(1n, 0)]), 'seen');
});

test('[PAY-09] confirming: covered in blocks, not yet final', () => {
  assert.equal(evaluateState([createOutput(DUE, 1)]), 'confirming');
  assert.equal(evaluateState([createOutput(DUE - 1n, 9), createOutput(1n, 1)]), 'confirming');
});

test('[PAY-09] underpaid: less than the amount due is live', () => {
  assert.equal(evaluateState([createOutput(294n, 0)]), 'underpaid');
  assert.equal(evaluateState([createOutput(293n, 0), createOutput(0n, 9)]), 'awaiting', 'dust pays nothing');
  assert.equal(evaluateState([createOutput(DUE - 1n, 50)]), 'underpaid');
  assert.equal(evaluate([createOutput(DUE - 1000n, 50)]).missingSats, 1000n);
});

test('[PAY-09] paid and overpaid count final outputs to the satoshi', () => {
  assert.equal(evaluateState([createOutput(DUE, 2)]), 'paid');
  assert.equal(evaluateState([createOutput(DUE + 1n, 2)]), 'overpaid');
  const surplusOnItsWay = evaluate([createOutput(DUE, 2), createOutput(5n, 1)]);
  assert.equal(surplusOnItsWay.state, 'paid');
  assert.equal(surplusOnItsWay.receivedSats, DUE + 5n);
  assert.equal(evaluate([createOutput(DUE, 2), createOutput(5n, 2)]).surplusSats, 5n);
});

test('[PAY-09] paid by any number of outputs', () => {
  const outputs = Array.from({ length: 200_000 }, () => createOutput(5n, 2));
  assert.deepEqual([evaluate(outputs).state, evaluate(outputs).surplusSats], ['overpaid', 100_000n]);
});

test('[PAY-09] late: first seen after expires_at; that moment is in time', () => {
  assert.equal(evaluateState([createOutput(DUE, 9, { firstSeen: TOO_LATE })]), 'late');
  assert.equal(evaluateState([createOutput(DUE, 0, { firstSeen: TOO_LATE })]), 'late');
  assert.equal(evaluateState([createOutput(DUE, 2, { firstSeen: EXPIRES })]), 'paid');
});

test('[PAY-10] an expired underpaid order keeps its state; top-ups are late', () => {
  const part = createOutput(DUE / 2n, 5);
  assert.equal(evaluateState([part], { expiredAt: EXPIRES }), 'underpaid');
  const topUp = createOutput(DUE / 2n, 5, { firstSeen: TOO_LATE });
  const { state: late, isCoveredInTime, isCoveredByFinal } = evaluate([part, topUp], { expiredAt: EXPIRES });
  assert.deepEqual([late, isCoveredInTime, isCoveredByFinal], ['late', false, true]);
});

test('[PAY-10] a timely payment that returns after expiry is late', () => {
  assert.equal(evaluateState([createOutput(DUE, 0)], { expiredAt: EXPIRES }), 'late');
});

test('[PAY-09] expired comes before replaced and dropped', () => {
  assert.equal(evaluateState([], { expiredAt: EXPIRES }), 'expired');
  assert.equal(evaluateState([createDepartedOutput('dropped', 1)], { expiredAt: EXPIRES }), 'expired');
});

test('[PAY-09] replaced and dropped follow the output that left last', () => {
  assert.equal(evaluateState([createDepartedOutput('replaced', 1)]), 'replaced');
  assert.equal(evaluateState([createDepartedOutput('replaced', 1), createDepartedOutput('dropped', 2)]), 'dropped');
  assert.equal(evaluateState([createDepartedOutput('replaced', 3), createDepartedOutput('dropped', 2)]), 'replaced');
  const [first, second] = [createDepartedOutput('replaced', 1), createDepartedOutput('dropped', 1)];
  assert.equal(evaluateState([first, second]), evaluateState([second, first]), 'the order of rows does not matter');
  assert.equal(
    evaluateState([createDepartedOutput('dropped', 1), createOutput(DUE, 0)]),
    'seen',
    'live outputs take precedence',
  );
});

test('[PAY-12] reorged_out: no longer paid; payable again at any time', () => {
  const paid = { paidAt: IN_TIME };
  for (const outputs of [
    [],
    [createOutput(DUE, 0)],
    [createOutput(DUE, 1)],
    [createOutput(DUE - 1n, 9)],
    [createDepartedOutput('replaced', 1)],
  ]) {
    assert.equal(evaluateState(outputs, paid), 'reorged_out');
  }
  assert.equal(evaluateState([createOutput(DUE, 2)], paid), 'paid');
  assert.equal(evaluateState([createOutput(DUE, 2, { firstSeen: TOO_LATE })], paid), 'paid');
});

test('[PAY-11] a cancelled order never becomes paid', () => {
  const cancelled = { cancelledAt: IN_TIME };
  assert.equal(evaluateState([createOutput(DUE, 9)], cancelled), 'late');
  assert.equal(evaluateState([createOutput(DUE - 1n, 9)], cancelled), 'underpaid');
  assert.equal(evaluateState([], cancelled), 'awaiting');
  assert.equal(evaluateState([], cancelled, 1, 0n), 'awaiting');
});

test('[PAY-09] an amount accepted by staff replaces amount due and window', () => {
  const facts = { settledSats: sats(DUE - 5n), expiredAt: EXPIRES };
  assert.equal(evaluateState([createOutput(DUE - 5n, 2, { firstSeen: TOO_LATE })], facts), 'paid');
  assert.equal(evaluateState([createOutput(DUE - 5n, 2)], { ...facts, paidAt: IN_TIME }), 'paid');
  assert.equal(evaluateState([], { ...facts, paidAt: IN_TIME }), 'reorged_out');
});

test('[PAY-14] a payment accepted by staff does not pay a cancelled order', () => {
  const givenUp = { settledSats: sats(1000n), paidAt: IN_TIME, cancelledAt: TOO_LATE };
  assert.equal(evaluateState([createOutput(DUE, 0, { firstSeen: TOO_LATE })], givenUp), 'late');
  assert.equal(evaluateState([createOutput(DUE - 1n, 9, { firstSeen: TOO_LATE })], givenUp), 'underpaid');
});

test('[PAY-14] dust with an immature reward is not a partial payment', () => {
  const reward = createOutput(DUE, 1, { isCoinbase: true });
  assert.equal(evaluateState([reward, createOutput(1n, 1)], { expiredAt: EXPIRES }), 'expired');
});

test('[PAY-09] a refund of the whole order precedes every other state', () => {
  assert.equal(evaluateState([createOutput(DUE, 9)], { refund: 'refunding', paidAt: IN_TIME }), 'refunding');
  assert.equal(evaluateState([], { refund: 'refunded', paidAt: IN_TIME }), 'refunded');
});

test('[PAY-09] an order with nothing due is paid', () => {
  assert.equal(evaluateState([], {}, 6, 0n), 'paid');
  assert.equal(evaluateState([], { paidAt: IN_TIME }, 6, 0n), 'paid');
});

const countConfirmations = (...outputs: LedgerOutput[]): number => evaluate(outputs, {}, 6).confirmations;

test('[API-11] confirmations are those of the newest output needed', () => {
  assert.equal(countConfirmations(createOutput(DUE, 4), createOutput(DUE, 0)), 4);
  assert.equal(countConfirmations(createOutput(DUE / 2n, 5), createOutput(DUE / 2n, 3), createOutput(DUE, 1)), 3);
  assert.equal(countConfirmations(createOutput(DUE / 2n, 5), createOutput(DUE / 2n, 0)), 0);
  assert.equal(countConfirmations(createOutput(1n, 7), createOutput(2n, 3)), 3, 'an underpaid order needs all outputs');
  assert.equal(countConfirmations(), 0);
});

test('[API-11] received includes the mempool, confirmed only the best chain', () => {
  const { receivedSats, confirmedSats } = evaluate([
    createOutput(5n, 0),
    createOutput(7n, 1),
    createDepartedOutput('dropped', 1, 100n),
  ]);
  assert.deepEqual([receivedSats, confirmedSats], [12n, 7n]);
});

test('[API-11] a coinbase output counts from 100 confirmations on', () => {
  const young = evaluate([createOutput(DUE, 99, { isCoinbase: true })], {}, 1);
  assert.deepEqual([young.state, young.receivedSats, young.confirmedSats], ['awaiting', 0n, 0n]);
  assert.equal(evaluateState([createOutput(DUE, 100, { isCoinbase: true })], {}, 1), 'paid');
});

test('[PAY-09] [API-11] a reorganized mining reward leaves no trace', () => {
  const reward = { ...createDepartedOutput('dropped', 5), isCoinbase: true };
  assert.deepEqual(evaluate([reward]), evaluate([]));
  assert.equal(evaluateState([reward], { expiredAt: EXPIRES }), 'expired');
  assert.equal(
    evaluateState([reward, createDepartedOutput('replaced', 3)]),
    'replaced',
    'coinbase outputs are ignored',
  );
  assert.equal(evaluateState([reward, createOutput(DUE, 1)]), 'confirming');
});

test('[PAY-09] without a known block nothing is confirmed', () => {
  const input = { outputs: [createOutput(DUE, 5)], tip: null, order: NOTHING };
  const quote = {
    dueSats: sats(DUE),
    address: SEGWIT,
    toleranceSats: NO_SATS,
    requiredConfirmations: 1,
    expiresAt: EXPIRES,
  };
  assert.equal(evaluatePayment({ ...input, quote }).state, 'seen');
});

test('[PAY-09] a refunded surplus leaves the order paid', () => {
  const all = [createOutput(DUE + 500n, 5)];
  const evaluateReturned = (returned: bigint) => evaluate(all, { paidAt: IN_TIME, returnedSats: sats(returned) });
  assert.deepEqual([evaluateReturned(0n).state, evaluateReturned(0n).surplusSats], ['overpaid', 500n]);
  assert.deepEqual([evaluateReturned(200n).state, evaluateReturned(200n).surplusSats], ['overpaid', 300n]);
  assert.deepEqual([evaluateReturned(500n).state, evaluateReturned(500n).surplusSats], ['paid', 0n]);
});

test('[PAY-15] an amount within the tolerance counts as full payment', () => {
  const evaluateWithTolerance = (amount: bigint, depth: number, facts: Partial<PaymentFacts> = {}) => {
    const quote = {
      dueSats: sats(DUE),
      address: SEGWIT,
      toleranceSats: sats(500n),
      requiredConfirmations: 2,
      expiresAt: EXPIRES,
    };
    const outputs = [createOutput(amount, depth)];
    return evaluatePayment({ outputs, tip: { height: TIP }, quote, order: { ...NOTHING, ...facts } });
  };
  assert.deepEqual(
    [0, 1, 2].map((depth) => evaluateWithTolerance(DUE - 500n, depth).state),
    ['seen', 'confirming', 'paid'],
  );
  const { missingSats, shortSats, surplusSats } = evaluateWithTolerance(DUE - 500n, 2);
  assert.deepEqual([missingSats, shortSats, surplusSats], [0n, 500n, 0n]);
  const part = evaluateWithTolerance(DUE - 501n, 2);
  assert.deepEqual([part.state, part.missingSats, part.shortSats], ['underpaid', 501n, 0n]);
  assert.equal(evaluateWithTolerance(DUE - 500n, 2, { expiredAt: EXPIRES }).state, 'late');
  assert.equal(evaluateWithTolerance(DUE - 500n, 2, { expiredAt: EXPIRES }).isCoveredByFinal, true);
  assert.equal(evaluateWithTolerance(DUE, 2).shortSats, 0n);
  // No tolerance applies to an amount accepted by staff.
  assert.equal(
    evaluateWithTolerance(DUE - 600n, 2, { settledSats: sats(DUE - 100n), paidAt: IN_TIME }).state,
    'reorged_out',
  );
});

test('[PAY-10] keeps the price of credited coins only while they are confirmed too', () => {
  // 400,000 are credited; without the credit the order would now cost 2,000,000.
  const later = new Date(EXPIRES.getTime() + 3_600_000);
  const credit = { sats: sats(400_000n), until: EXPIRES, dueWithoutSats: sats(2_000_000n) };
  const quote = {
    dueSats: sats(1_600_000n),
    credit,
    address: SEGWIT,
    toleranceSats: NO_SATS,
    requiredConfirmations: 2,
    expiresAt: later,
  };
  const evaluateBy = (outputs: LedgerOutput[], facts: Partial<PaymentFacts> = {}) =>
    evaluatePayment({ outputs, tip: { height: TIP }, quote, order: { ...NOTHING, ...facts } });
  const rest = { firstSeen: new Date(EXPIRES.getTime() + 1000) };
  const expired = { expiredAt: later };

  assert.equal(evaluateBy([createOutput(400_000n, 5), createOutput(1_200_000n, 2, rest)]).state, 'paid');
  // Enough is final, but the credited coins can still be double-spent.
  const risky = evaluateBy([createOutput(400_000n, 0), createOutput(1_600_000n, 5, rest)]);
  assert.deepEqual([risky.state, risky.confirmations, risky.isConfirmedInTime], ['seen', 0, false]);
  const mined = evaluateBy([createOutput(400_000n, 1), createOutput(1_600_000n, 5, rest)]);
  assert.deepEqual([mined.state, mined.confirmations, mined.isConfirmedInTime], ['confirming', 1, true]);
  assert.equal(
    evaluateBy([createOutput(400_000n, 0), createOutput(1_600_000n, 5, rest)], expired).isCoveredByFinal,
    false,
  );
  assert.equal(
    evaluateBy([createOutput(400_000n, 2), createOutput(1_600_000n, 5, rest)], expired).isCoveredByFinal,
    true,
  );
  // The present price is covered without the credit.
  assert.equal(evaluateBy([createOutput(400_000n, 0), createOutput(2_000_000n, 5, rest)]).state, 'overpaid');
  // Once paid, the amount due is the original one.
  assert.equal(evaluateBy([createOutput(1_600_000n, 5, rest)], { paidAt: later }).state, 'paid');
});

test('[PAY-10] a late payment counts without a credit that left', () => {
  const credit = { sats: sats(400_000n), until: EXPIRES, dueWithoutSats: sats(2_000_000n) };
  const quote = {
    dueSats: sats(1_600_000n),
    credit,
    address: SEGWIT,
    toleranceSats: NO_SATS,
    requiredConfirmations: 2,
    expiresAt: EXPIRES,
  };
  const late = createOutput(1_600_000n, 5, { firstSeen: TOO_LATE });
  const createCreditedOutput = (isLive: boolean) => createOutput(400_000n, 0, { isLive });
  for (const [outputs, isCoveredByFinal] of [
    [[createCreditedOutput(true), late], false],
    [[createCreditedOutput(false), late], true],
  ] as const) {
    const order = { ...NOTHING, expiredAt: TOO_LATE };
    const evaluation = evaluatePayment({ outputs, tip: { height: TIP }, quote, order });
    assert.deepEqual([evaluation.state, evaluation.isCoveredByFinal], ['late', isCoveredByFinal]);
  }
});
