import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { COMPARED_MS, computeLowestPrice, findPriorPrice } from './prior-price.ts';
import type { PriceHistory, PriceRecord } from './prior-price.ts';
import type { Reduction, SalePrice } from './sale-price.ts';

const MINUTE = 60_000;
const START = new Date('2026-03-01T00:00:00Z').getTime();
/** Minutes of the simulated time, of which the last 30 days count. */
const MINUTES = 45 * 24 * 60;
const at = (minute: number): Date => new Date(START + minute * MINUTE);

const createRecord = (
  minute: number,
  base: bigint | null,
  changed: Partial<PriceRecord['prices']> = {},
): PriceRecord => ({
  recordedAt: at(minute),
  prices:
    base === null
      ? null
      : { basePriceCents: cents(base), increases: new Map(), ownPrices: new Map(), unsold: new Set(), ...changed },
});

let ids = 0;
const createSale = (from: number, until: number | null, reduction: Reduction): SalePrice => ({
  id: String((ids += 1)),
  startsAt: at(from),
  endsAt: until === null ? null : at(until),
  reduction,
});
const amount = (base: bigint): Reduction => ({ kind: 'amount', basePriceCents: cents(base), ownPrices: new Map() });

const DAY = 24 * 60;

test('[OPS-09] the lowest price is that of the 30 days before', () => {
  const records = [createRecord(0, 900n), createRecord(10 * DAY, 1000n)];
  const lowest = (day: number) => computeLowestPrice({ records, salePrices: [] }, at(day * DAY), null);
  assert.equal(lowest(20), 900n);
  assert.equal(lowest(40), 1000n);
  assert.equal(lowest(41), 1000n);
});

test('[OPS-09] an earlier sale price counts by its schedule', () => {
  const history = { records: [createRecord(0, 1000n)], salePrices: [createSale(5 * DAY, 6 * DAY, amount(800n))] };
  assert.equal(computeLowestPrice(history, at(5 * DAY), null), 1000n);
  assert.equal(computeLowestPrice(history, at(7 * DAY), null), 800n);
  assert.equal(computeLowestPrice(history, at(36 * DAY), null), 1000n);
});

test('[OPS-09] withdrawn times do not count', () => {
  const records = [createRecord(0, 500n), createRecord(DAY, null), createRecord(40 * DAY, 900n)];
  const history = { records, salePrices: [createSale(2 * DAY, 3 * DAY, amount(100n))] };
  assert.equal(computeLowestPrice(history, at(41 * DAY), null), 900n);
  assert.equal(computeLowestPrice(history, at(39 * DAY), null), null);
});

test('[OPS-09] a product without earlier prices has no lowest price', () => {
  assert.equal(computeLowestPrice({ records: [], salePrices: [] }, at(0), null), null);
  assert.equal(computeLowestPrice({ records: [createRecord(5, 100n)], salePrices: [] }, at(5), null), null);
});

test('[OPS-09] a variant has its own lowest price, while it was sold', () => {
  const parts = { increases: new Map([['red', cents(50n)]]), ownPrices: new Map([['blue', cents(2000n)]]) };
  const records = [createRecord(0, 1000n, { ...parts, unsold: new Set(['red']) }), createRecord(5 * DAY, 1200n, parts)];
  const lowest = (valueIds: readonly string[]) =>
    computeLowestPrice({ records, salePrices: [] }, at(6 * DAY), valueIds);
  assert.equal(lowest(['red']), 1250n);
  assert.equal(lowest(['blue']), 2000n);
  assert.equal(lowest(['green']), null);
});

const percent = (basisPoints: number): Reduction => ({ kind: 'percent', basisPoints });

test('[OPS-09] a reduction is compared with the price that was asked before', () => {
  const salePrices = [createSale(40 * DAY, null, amount(800n))];
  const prior = (day: number, ...records: readonly PriceRecord[]) =>
    findPriorPrice({ records: [createRecord(0, 1000n), ...records], salePrices }, at(day * DAY), null, cents(800n));
  assert.equal(prior(40), 1000n);
  // A normal price entered during the sale was never asked.
  assert.equal(prior(42, createRecord(41 * DAY, 1500n)), 1000n);
  // A price that was raised for a minute is not the lowest one.
  assert.equal(prior(40, createRecord(40 * DAY - 1, 1500n)), 1000n);
  assert.equal(prior(40, createRecord(20 * DAY, 700n), createRecord(21 * DAY, 1000n)), null);
});

test('[OPS-09] a sale after a sale is compared with the first one', () => {
  const records = [createRecord(0, 1000n)];
  const prior = (second: bigint, from: number) => {
    const salePrices = [createSale(30 * DAY, 31 * DAY, amount(800n)), createSale(from, null, amount(second))];
    return findPriorPrice({ records, salePrices }, at(from), null, cents(second));
  };
  assert.equal(prior(800n, 40 * DAY), null);
  assert.equal(prior(900n, 40 * DAY), null);
  assert.equal(prior(700n, 40 * DAY), 800n);
});

test('[OPS-09] progressive reductions keep the price before the first', () => {
  const records = [createRecord(0, 1000n)];
  const prior = (steps: readonly bigint[], pauseMinutes = 0) => {
    const salePrices = steps.map((base, index) =>
      createSale((30 + index) * DAY, (31 + index) * DAY - pauseMinutes, amount(base)),
    );
    const last = steps.at(-1) ?? 0n;
    return findPriorPrice({ records, salePrices }, at((29 + steps.length) * DAY), null, cents(last));
  };
  assert.equal(prior([900n, 800n, 700n]), 1000n);
  assert.equal(prior([900n, 900n, 700n]), 1000n);
  // It became dearer: a new reduction.
  assert.equal(prior([700n, 900n, 800n]), null);
  assert.equal(prior([700n, 900n, 600n]), 700n);
  assert.equal(prior([900n, 800n, 700n], 1), 800n);
});

test('[OPS-09] a normal price raised during a sale ends its reduction', () => {
  const records = [createRecord(0, 1000n), createRecord(41 * DAY, 1900n)];
  const salePrices = [createSale(40 * DAY, null, percent(5000))];
  assert.equal(findPriorPrice({ records, salePrices }, at(40 * DAY), null, cents(500n)), 1000n);
  assert.equal(findPriorPrice({ records, salePrices }, at(42 * DAY), null, cents(950n)), null);
  const lowered = [createRecord(0, 1000n), createRecord(41 * DAY, 800n)];
  assert.equal(findPriorPrice({ records: lowered, salePrices }, at(42 * DAY), null, cents(400n)), 1000n);
});

test('[OPS-09] a reduction goes on after a product was withdrawn', () => {
  const records = [createRecord(0, 1000n), createRecord(41 * DAY, null), createRecord(42 * DAY, 1000n)];
  const salePrices = [createSale(40 * DAY, null, amount(800n))];
  assert.equal(findPriorPrice({ records, salePrices }, at(43 * DAY), null, cents(800n)), 1000n);
});

test('[OPS-09] options are compared with their own earlier price', () => {
  const [before, later] = [0n, 500n].map((red) => ({ increases: new Map([['red', cents(red)]]) }));
  const records = [createRecord(0, 1000n, before), createRecord(39 * DAY, 1000n, later)];
  const salePrices = [createSale(40 * DAY, null, percent(1000))];
  assert.equal(findPriorPrice({ records, salePrices }, at(40 * DAY), ['red'], cents(1350n)), null);
  assert.equal(findPriorPrice({ records, salePrices }, at(40 * DAY), null, cents(900n)), 1000n);
});

/** A price per minute, written minute by minute. */
function writeOracle(
  changes: readonly { readonly minute: number; readonly base: bigint | null }[],
  sales: readonly { readonly from: number; readonly until: number; readonly base: bigint }[],
): readonly (Cents | null)[] {
  const prices = Array.from<Cents | null>({ length: MINUTES }).fill(null);
  for (const { minute, base } of changes) prices.fill(base === null ? null : cents(base), minute);
  for (const { from, until, base } of sales) {
    for (let minute = from; minute < until; minute += 1) if (prices[minute] !== null) prices[minute] = cents(base);
  }
  return prices;
}

const minuteOf = fc.integer({ min: 0, max: MINUTES - 1 });
const base = fc.bigInt({ min: 1n, max: 40n });

interface Simulated {
  readonly changes: readonly { readonly minute: number; readonly base: bigint | null }[];
  readonly sales: readonly { readonly from: number; readonly until: number; readonly base: bigint }[];
}

/** Few different prices and times, so that sales follow each other and prices are equal by chance. */
const simulated: fc.Arbitrary<Simulated> = fc
  .record({
    changes: fc.uniqueArray(fc.record({ minute: minuteOf, base: fc.option(base, { nil: null }) }), {
      selector: ({ minute }) => minute,
      maxLength: 8,
    }),
    bounds: fc.uniqueArray(fc.integer({ min: 0, max: 89 }), { maxLength: 9 }),
    bases: fc.array(fc.option(base, { nil: null }), { minLength: 8, maxLength: 8 }),
  })
  .map(({ changes, bounds, bases }) => {
    const edges = bounds.toSorted((a, b) => a - b).map((half) => (half * DAY) / 2);
    const sales = edges.flatMap((from, index) => {
      const [until, saleBase] = [edges[index + 1], bases[index] ?? null];
      return until === undefined || saleBase === null ? [] : [{ from, until, base: saleBase }];
    });
    return { changes: changes.toSorted((a, b) => a.minute - b.minute), sales };
  });

const toHistory = ({ changes, sales }: Simulated): PriceHistory => ({
  records: changes.map(({ minute, base: of }) => createRecord(minute, of)),
  salePrices: sales.map(({ from, until, base: of }) => createSale(from, until, amount(of))),
});

const findLowest = (prices: readonly (Cents | null)[]): Cents | null =>
  prices.reduce((least, price) => (least === null || (price !== null && price < least) ? price : least), null);
const WINDOW = COMPARED_MS / MINUTE;

test('[OPS-09] the lowest price equals that of a walk through every minute', () => {
  fc.assert(
    fc.property(simulated, fc.integer({ min: 1, max: MINUTES }), (of, before) => {
      const walked = writeOracle(of.changes, of.sales).slice(Math.max(0, before - WINDOW), before);
      assert.equal(computeLowestPrice(toHistory(of), at(before), null), findLowest(walked));
    }),
    { numRuns: 60 },
  );
});

test('[OPS-09] the prior price equals that of a walk through every minute', () => {
  fc.assert(
    fc.property(simulated, minuteOf, (of, now) => {
      const prices = writeOracle(of.changes, of.sales);
      const normal = writeOracle(of.changes, []);
      const present = prices[now] ?? null;
      const normalNow = normal[now] ?? null;
      if (present === null || normalNow === null || present >= normalNow) return;
      // Back to the first minute of the sales that followed each other and never became dearer.
      let [start, later] = [now, present];
      for (let minute = now; minute >= 0 && of.sales.some(({ from, until }) => from <= minute && minute < until);) {
        const [asked, full] = [prices[minute] ?? null, normal[minute] ?? null];
        if (asked !== null && full !== null) {
          if (asked >= full || asked < later) break;
          [start, later] = [minute, asked];
        }
        minute -= 1;
      }
      const lowest = findLowest(prices.slice(Math.max(0, start - WINDOW), start));
      const expected = lowest !== null && lowest > present ? lowest : null;
      assert.equal(findPriorPrice(toHistory(of), at(now), null, present), expected);
    }),
    { numRuns: 150 },
  );
});
