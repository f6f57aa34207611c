import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  addSats,
  cents,
  centsPerBtc,
  multiplySats,
  NO_SATS,
  SATS_PER_BTC,
  sats,
  convertCentsToSats,
} from '#src/shop/money.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import { NO_TOLERANCE } from '#src/shop/payments/ledger/payment-tolerance.ts';
import { requoteOrder } from './requote-order.ts';
import type { LineToRequote, CurrentQuote } from './requote-order.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const END = new Date('2026-03-01T14:00:00Z');
const RATE = centsPerBtc(11_100_000n);

interface Quoted {
  readonly quote: CurrentQuote;
  readonly lines: readonly LineToRequote[];
}

/** An order from a checkout. */
function createQuoted(
  items: readonly { price: bigint; quantity: number; isFree?: boolean }[],
  percentOff: bigint,
  rate: CentsPerBtc,
): Quoted {
  const lines = items.map(({ price, quantity, isFree = false }, position) => ({
    position,
    quantity,
    price_cents: cents(price),
    price_sats: convertCentsToSats(cents(price), rate),
    is_free: isFree,
  }));
  const paid = lines.filter((line) => !line.is_free);
  const total = cents(paid.reduce((sum, line) => sum + line.price_cents * BigInt(line.quantity), 0n));
  const totalSats = addSats(...paid.map((line) => multiplySats(line.price_sats, line.quantity)));
  const after = cents(total - (total * percentOff) / 100n);
  const afterSats = sats(((totalSats * after + total * 100n - 1n) / (total * 100n)) * 100n);
  const quote = {
    total_cents: total,
    total_sats: totalSats,
    total_after_cents: after,
    total_after_sats: afterSats,
    due_sats: afterSats,
    rate_cents_per_btc: rate,
    expires_at: END,
    credited_sats: NO_SATS,
    credited_until: null,
    unpaid_cents: null,
    promo:
      percentOff === 0n
        ? null
        : {
            id: 'a',
            code: 'OFF',
            type: 'fixed_percent' as const,
            discount_value: Number(percentOff),
            discount_basis_points: Number(percentOff) * 100,
            discount_cents: null,
          },
  };
  return { quote, lines };
}

/** @param left remaining credit; all of it if omitted. */
const requoteAgain = ({ quote, lines }: Quoted, all: bigint, rate: CentsPerBtc, left?: bigint): Quoted => {
  const received = { credited: left === undefined ? quote.credited_sats : sats(left), all: sats(all) };
  const next = requoteOrder(quote, lines, received, { rate, now: NOW, windowSeconds: 7200, tolerance: NO_TOLERANCE });
  return {
    quote: { ...quote, ...next.order },
    lines: lines.map((line, index) => ({ ...line, price_sats: next.lines[index]?.price_sats ?? assert.fail() })),
  };
};

const rate = fc.bigInt({ min: 100_000n, max: 1_000_000_000n }).map(centsPerBtc);
const phone = createQuoted([{ price: 99_900n, quantity: 1 }], 0n, RATE);

test('[PAY-11] without payments, bitcoin amounts and window change, dollars stay', () => {
  const { quote, lines } = requoteAgain(phone, 0n, centsPerBtc(22_200_000n));
  assert.deepEqual([quote.total_cents, quote.total_after_cents, lines[0]?.price_cents], [99_900n, 99_900n, 99_900n]);
  assert.deepEqual([quote.total_sats, quote.total_after_sats, quote.due_sats], [450_000n, 450_000n, 450_000n]);
  assert.deepEqual([lines[0]?.price_sats, quote.rate_cents_per_btc], [450_000n, 22_200_000n]);
  assert.equal(quote.expires_at.getTime(), NOW.getTime() + 7_200_000);
  assert.deepEqual([quote.credited_sats, quote.unpaid_cents], [0n, null]);
});

test('[PAY-11] a timely third keeps its value; two thirds are requoted', () => {
  const { quote } = requoteAgain(phone, 300_000n, centsPerBtc(5_550_000n));
  // 666 dollars at 55,500 dollars a bitcoin are 0.012.
  assert.deepEqual([quote.due_sats, quote.credited_sats, quote.unpaid_cents], [1_500_000n, 300_000n, 66_600n]);
  assert.equal(quote.total_after_sats, 1_800_000n);
  // Half of the missing amount arrives and the rate doubles twice: 333 dollars at 222,000.
  const third = requoteAgain({ quote, lines: phone.lines }, 900_000n, centsPerBtc(22_200_000n)).quote;
  assert.deepEqual([third.due_sats, third.credited_sats, third.unpaid_cents], [1_050_000n, 900_000n, 33_300n]);
});

test('[PAY-11] a credited part that left is due again', () => {
  const { quote } = requoteAgain(phone, 300_000n, centsPerBtc(5_550_000n));
  const requoted = { quote, lines: phone.lines };
  const at = centsPerBtc(5_550_000n);
  const lost = requoteAgain(requoted, 150_000n, at, 150_000n).quote;
  // 166.50 of 999 dollars remain; 832.50 at 55,500 are 0.015.
  assert.deepEqual([lost.due_sats, lost.credited_sats, lost.unpaid_cents], [1_650_000n, 150_000n, 83_250n]);
  assert.equal(requoteAgain(requoted, 0n, at, 0n).quote.due_sats, 1_800_000n);
  // The replacement counts at the rate of its quote: all of 1,500,000 sats at 55,500.
  const instead = requoteAgain(requoted, 1_500_000n, at, 0n).quote;
  assert.deepEqual([instead.due_sats, instead.unpaid_cents], [1_800_000n, 16_650n]);
  const beyond = requoteAgain(requoted, 2_000_000n, at, 0n).quote;
  assert.deepEqual([beyond.due_sats, beyond.unpaid_cents], [1_800_000n, 0n], 'the excess remains a surplus');
});

test('[PAY-11] losing the credit values no satoshi above the rate', () => {
  const lost = fc.record({ part: fc.integer({ min: 1, max: 9999 }), after: fc.bigInt({ min: 1n, max: 5_000_000n }) });
  fc.assert(
    fc.property(rate, rate, lost, (second, third, { part, after }) => {
      const credited = (phone.quote.due_sats * BigInt(part)) / 10_000n;
      const { quote } = requoteAgain(phone, credited, second);
      const instead = requoteAgain({ quote, lines: phone.lines }, after, third, 0n).quote;
      const worth = 99_900n - (instead.unpaid_cents ?? 99_900n);
      // Tolerance: one cent plus the rounding to a payable amount.
      assert.ok(worth <= (after * second) / SATS_PER_BTC + (100n * second) / SATS_PER_BTC + 1n);
      assert.ok(instead.due_sats % 100n === 0n && instead.due_sats >= instead.credited_sats);
    }),
    { numRuns: 1000 },
  );
});

const items = fc.array(
  fc.record({ price: fc.bigInt({ min: 100n, max: 1_000_000n }), quantity: fc.integer({ min: 1, max: 9 }) }),
  { minLength: 1, maxLength: 5 },
);
/** At each quote a percentage of the missing amount arrives in time; then the rate changes. */
const history = fc.array(fc.record({ percent: fc.integer({ min: 0, max: 99 }), rate }), { minLength: 1, maxLength: 6 });

test('[PAY-11] [PAY-06] after any history the amount is payable and the rest exact', () => {
  fc.assert(
    fc.property(items, fc.bigInt({ min: 0n, max: 90n }), rate, history, (bought, percentOff, first, steps) => {
      let now = createQuoted(bought, percentOff, first);
      const total = now.quote.total_after_cents;
      let received = 0n;
      // In millionths of a cent, computed independently: each part leaves its share of the rest.
      const scale = 1_000_000n;
      let unpaid = total * scale;
      for (const step of steps) {
        const { due_sats: due, credited_sats: credited } = now.quote;
        const part = ((due - received) * BigInt(step.percent)) / 100n;
        const [missing, left] = [due - credited, due - received - part];
        received += part;
        if (missing > 0n) unpaid = (unpaid * left) / missing;
        const before = now.quote;
        now = requoteAgain(now, received, step.rate);
        const { quote } = now;
        for (const amount of [quote.due_sats, quote.total_sats, quote.total_after_sats]) {
          assert.ok(amount >= 0n && amount % 100n === 0n);
        }
        assert.equal(quote.credited_sats, received);
        assert.ok(quote.credited_sats >= before.credited_sats && quote.due_sats >= quote.credited_sats);
        assert.deepEqual([quote.total_cents, quote.total_after_cents], [before.total_cents, before.total_after_cents]);
        if (received === 0n) {
          assert.equal(quote.due_sats, quote.total_after_sats);
          continue;
        }
        const stored = quote.unpaid_cents ?? assert.fail('nothing is stored as unpaid');
        assert.ok(
          stored * scale >= unpaid && stored * scale <= unpaid + scale * BigInt(steps.length),
          'a cent a quote',
        );
        if (before.rate_cents_per_btc === step.rate) assert.equal(quote.due_sats, before.due_sats);
        else {
          const rest = (quote.due_sats - received) * step.rate;
          assert.ok(rest > (stored - 1n) * SATS_PER_BTC && rest < stored * SATS_PER_BTC + 101n * step.rate);
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test('[PAY-11] an unchanged rate changes only the window', () => {
  fc.assert(
    fc.property(items, rate, fc.integer({ min: 0, max: 100 }), (bought, same, percent) => {
      const first = createQuoted(bought, 0n, same);
      const received = (first.quote.due_sats * BigInt(percent)) / 100n;
      const { quote, lines } = requoteAgain(first, received, same);
      const recorded = {
        total_sats: quote.total_sats,
        total_after_sats: quote.total_after_sats,
        due_sats: quote.due_sats,
      };
      const { total_sats, total_after_sats, due_sats } = first.quote;
      assert.deepEqual(recorded, { total_sats, total_after_sats, due_sats });
      assert.deepEqual(lines, first.lines);
    }),
  );
});

test('[PAY-11] an overpaid order owes nothing and keeps its surplus', () => {
  const { quote } = requoteAgain(phone, 950_000n, centsPerBtc(5_550_000n));
  assert.deepEqual([quote.due_sats, quote.credited_sats, quote.unpaid_cents], [900_000n, 900_000n, 0n]);
  assert.equal(requoteAgain({ quote, lines: phone.lines }, 950_000n, RATE).quote.due_sats, 900_000n);
});

test('[PAY-11] a gift stays free', () => {
  const withGift = createQuoted(
    [
      { price: 99_900n, quantity: 1 },
      { price: 2_000n, quantity: 1, isFree: true },
    ],
    0n,
    RATE,
  );
  const { quote, lines } = requoteAgain(withGift, 0n, centsPerBtc(22_200_000n));
  assert.deepEqual([quote.due_sats, lines[1]?.price_sats], [450_000n, withGift.lines[1]?.price_sats]);
});
