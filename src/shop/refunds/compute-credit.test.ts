import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, centsPerBtc, convertCentsToSats, sats } from '#src/shop/money.ts';
import { computeCredit } from './compute-credit.ts';
import { computeReturn } from './return-value.ts';

const rates = fc.bigInt({ min: 100_000n, max: 100_000_000n }).map(centsPerBtc);
const prices = fc.bigInt({ min: 100n, max: 10_000_000n }).map(cents);

test('[RET-08] units of one price pay for each other at any rate, exactly', () => {
  fc.assert(
    fc.property(rates, prices, fc.integer({ min: 1, max: 9 }), (rate, price, quantity) => {
      const totalCents = cents(price * BigInt(quantity));
      // Each unit is rounded up to a payable amount.
      const dueSats = sats(convertCentsToSats(price, rate) * BigInt(quantity));
      const basis = { debitSats: dueSats, surplusSats: sats(0n), valueCents: totalCents, isPaid: true };
      const terms = { method: 'value', rate: { centsPerBtc: rate, at: new Date(0), evidence: {} } } as const;
      const returns = computeReturn(basis, terms);
      assert.ok(returns !== null);
      const credit = computeCredit(returns, { totalCents, dueSats });
      assert.equal(credit.fullSats, dueSats);
      assert.equal(credit.value?.sats, dueSats);
      assert.equal(credit.value?.cents, totalCents);
    }),
  );
});

test('[RET-08] a credit is what the refund returns, unless rounding leaves some satoshis to pay', () => {
  const amounts = fc.bigInt({ min: 1n, max: 1_000_000_000n });
  fc.assert(
    fc.property(amounts, prices, prices, amounts, (full, valueCents, totalCents, due) => {
      const value = { cents: valueCents, sats: sats(full) };
      const rate = { centsPerBtc: centsPerBtc(6_000_000n), at: new Date(0), evidence: {} };
      const byValue = { method: 'value', fullSats: sats(full), value, rate } as const;
      const order = { totalCents, dueSats: sats(due) };
      const credit = computeCredit(byValue, order);
      const isRaised = valueCents >= totalCents && full < due;
      assert.equal(credit.fullSats, isRaised ? due : full);
      const inKind = { ...byValue, method: 'kind', rate: null } as const;
      assert.deepEqual(computeCredit(inKind, order), inKind, 'satoshis are credited as they were paid');
    }),
  );
});
