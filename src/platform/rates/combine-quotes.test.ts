import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { combineQuotes } from './combine-quotes.ts';
import type { ExchangeQuote } from './combine-quotes.ts';

const createQuote = (source: string, cents: bigint, more: Partial<ExchangeQuote> = {}): ExchangeQuote => {
  return { source, bidCents: cents, askCents: cents, ageMs: 0, statedAgeMs: null, ...more };
};
const combineCents = (...cents: bigint[]) => combineQuotes(cents.map((price, at) => createQuote(`e${at}`, price)));

test('combines mid prices by their median, to the nearest cent', () => {
  assert.equal(combineCents(10_000_000n, 10_010_000n, 10_100_000n).centsPerBtc, 10_010_000n);
  assert.equal(combineCents(10_000_000n, 10_000_001n).centsPerBtc, 10_000_001n);
  assert.equal(combineCents(10_000_000n, 10_000_010n, 10_000_020n, 10_100_000n).centsPerBtc, 10_000_015n);
  const apart = createQuote('a', 0n, { bidCents: 9_990_000n, askCents: 10_010_001n });
  assert.equal(combineQuotes([apart, createQuote('b', 10_000_001n)]).centsPerBtc, 10_000_001n);
});

test('one quote, or two that disagree, are not a quorum', () => {
  assert.equal(combineCents().centsPerBtc, null);
  assert.equal(combineCents(10_000_000n).centsPerBtc, null);
  assert.deepEqual(combineCents(5_000_000n, 10_000_000n).centsPerBtc, null);
  assert.deepEqual(combineCents(5_000_000n, 5_000_000n, 10_000_000n, 10_000_000n).centsPerBtc, null);
});

test('old, crossed, wide and distant quotes are dropped by name', () => {
  const good = [createQuote('k', 10_000_000n), createQuote('l', 10_000_000n), createQuote('m', 10_000_000n)];
  const cases: readonly (readonly [Partial<ExchangeQuote>, string | null])[] = [
    [{ ageMs: 300_001 }, 'old'],
    [{ ageMs: 300_000 }, null],
    [{ statedAgeMs: 300_001 }, 'old'],
    [{ statedAgeMs: -300_001 }, 'old'],
    [{ statedAgeMs: -300_000 }, null],
    [{ bidCents: 10_000_001n }, 'crossed'],
    [{ bidCents: 0n }, 'crossed'],
    [{ bidCents: 9_900_000n, askCents: 10_098_000n }, null],
    [{ bidCents: 9_900_000n, askCents: 10_098_001n }, 'wide'],
    [{ bidCents: 10_200_000n, askCents: 10_200_000n }, null],
    [{ bidCents: 10_200_001n, askCents: 10_200_001n }, 'outlier'],
    [{ bidCents: 9_799_999n, askCents: 9_799_999n }, 'outlier'],
  ];
  for (const [more, because] of cases) {
    const { centsPerBtc, dropped } = combineQuotes([createQuote('x', 10_000_000n, more), ...good]);
    assert.equal(centsPerBtc, 10_000_000n);
    assert.deepEqual(dropped, because === null ? [] : [{ source: 'x', because }], JSON.stringify(Object.keys(more)));
  }
});

const price = fc.bigInt(1n, 100_000_000_000n);
const hopeless = fc.record({
  bidCents: fc.oneof(price, fc.constant(0n)),
  askCents: price,
  ageMs: fc.nat(600_000),
  statedAgeMs: fc.option(fc.integer({ min: -600_000, max: 600_000 })),
});
/** A valid quote, perhaps with a wrong price. */
const sound = fc.record({ bid: price, width: fc.bigInt(0n, 250n) }).map(({ bid, width }) => {
  return { bidCents: bid, askCents: bid + (bid * width) / 10_000n, ageMs: 0, statedAgeMs: null };
});
const anyQuote = fc.oneof({ arbitrary: sound, weight: 3 }, { arbitrary: hopeless, weight: 1 });
const nameQuotes = (many: readonly Omit<ExchangeQuote, 'source'>[], prefix: string): ExchangeQuote[] =>
  many.map((entry, at) => ({ ...entry, source: `${prefix}${at}` }));

test('a wrong minority cannot move the rate beyond the right quotes', () => {
  const honestAndLying = fc.integer({ min: 2, max: 5 }).chain((count) =>
    fc.record({
      base: fc.bigInt(100_000n, 100_000_000n),
      // Correct quotes are up to 1.5 % apart.
      steps: fc.array(fc.bigInt(0n, 150n), { minLength: count, maxLength: count }),
      wrongPrices: fc.array(anyQuote, { maxLength: count - 1 }),
      order: fc.nat(),
    }),
  );
  fc.assert(
    fc.property(honestAndLying, ({ base, steps, wrongPrices, order }) => {
      const honest = steps.map((step) => base + (base * step) / 10_000n);
      const quotes = [
        ...nameQuotes(wrongPrices, 'liar'),
        ...honest.map((cents, at) => createQuote(`honest${at}`, cents)),
      ];
      const rotated = [...quotes.slice(order % quotes.length), ...quotes.slice(0, order % quotes.length)];
      const { centsPerBtc, used } = combineQuotes(rotated);
      assert.ok(centsPerBtc !== null, 'the correct quotes are a quorum');
      const sorted = honest.toSorted((a, b) => Number(a - b));
      assert.ok(centsPerBtc >= (sorted[0] ?? 0n) && centsPerBtc <= (sorted.at(-1) ?? 0n), String(centsPerBtc));
      for (const at of honest.keys()) assert.ok(used.includes(`honest${at}`));
    }),
    { numRuns: 500 },
  );
});

test('every quote is used or dropped, in any order; used ones agree', () => {
  fc.assert(
    fc.property(fc.array(anyQuote, { maxLength: 6 }), (many) => {
      const quotes = nameQuotes(many, 'e');
      const { centsPerBtc, used, dropped } = combineQuotes(quotes);
      assert.deepEqual(
        [...used, ...dropped.map(({ source }) => source)].toSorted(),
        quotes.map(({ source }) => source),
      );
      assert.deepEqual(combineQuotes(quotes.toReversed()), { centsPerBtc, used, dropped });
      assert.equal(centsPerBtc === null, used.length < 2);
      const mids = quotes.filter(({ source }) => used.includes(source)).map((one) => one.bidCents + one.askCents);
      for (const one of mids) for (const other of mids) assert.ok((one - other) * 98n <= other * 4n);
    }),
    { numRuns: 500 },
  );
});
