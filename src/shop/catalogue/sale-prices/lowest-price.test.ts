import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { COMPARED_MS, computeLowestPrice } from './lowest-price.ts';
import type { PriceHistory, PriceRecord } from './lowest-price.ts';
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

test('[OPS-09] the lowest price equals that of a walk through every minute', () => {
  const changes = fc.uniqueArray(
    fc.record({ minute: minuteOf, base: fc.option(fc.bigInt({ min: 1n, max: 10_000n }), { nil: null }) }),
    { selector: ({ minute }) => minute, maxLength: 8 },
  );
  const bounds = fc.uniqueArray(minuteOf, { minLength: 0, maxLength: 8 });
  const saleBase = fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(changes, bounds, saleBase, fc.integer({ min: 1, max: MINUTES }), (unsorted, ends, bases, before) => {
      const sorted = unsorted.toSorted((a, b) => a.minute - b.minute);
      const edges = ends.toSorted((a, b) => a - b);
      const sales = bases.flatMap((base, index) => {
        const [from, until] = [edges[index * 2], edges[index * 2 + 1]];
        return from === undefined || until === undefined ? [] : [{ from, until, base }];
      });
      const history: PriceHistory = {
        records: sorted.map(({ minute, base }) => createRecord(minute, base)),
        salePrices: sales.map(({ from, until, base }) => createSale(from, until, amount(base))),
      };
      const walked = writeOracle(sorted, sales)
        .slice(Math.max(0, before - COMPARED_MS / MINUTE), before)
        .filter((price) => price !== null);
      const expected = walked.reduce<Cents | null>(
        (least, price) => (least === null || price < least ? price : least),
        null,
      );
      assert.equal(computeLowestPrice(history, at(before), null), expected);
    }),
    { numRuns: 60 },
  );
});
