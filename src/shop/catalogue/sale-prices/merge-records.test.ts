import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import { mergeOldRecords } from './merge-records.ts';
import { findPriorPrice } from './prior-price.ts';
import type { PriceHistory, PriceRecord } from './prior-price.ts';

const START = new Date('2026-03-01T00:00:00Z').getTime();
const at = (hour: number): Date => new Date(START + hour * 3_600_000);
const HOURS = 60 * 24;

const createRecord = (hour: number, base: bigint | null, increase: bigint, isUnsold: boolean): PriceRecord => ({
  recordedAt: at(hour),
  prices:
    base === null
      ? null
      : {
          basePriceCents: cents(base),
          increases: new Map([['red', cents(increase)]]),
          ownPrices: new Map(),
          unsold: new Set(isUnsold ? ['red'] : []),
        },
});

const hour = fc.integer({ min: 0, max: HOURS });
const amount = fc.bigInt({ min: 1n, max: 50n });
const history: fc.Arbitrary<PriceHistory> = fc
  .record({
    changes: fc.uniqueArray(
      fc.record({
        hour,
        base: fc.option(amount, { nil: null, freq: 9 }),
        increase: amount,
        isUnsold: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
      }),
      { selector: (change) => change.hour, maxLength: 40 },
    ),
    bounds: fc.uniqueArray(hour, { maxLength: 6 }),
    basisPoints: fc.integer({ min: 500, max: 6000 }),
  })
  .map(({ changes, bounds, basisPoints }) => {
    const edges = bounds.toSorted((a, b) => a - b);
    return {
      records: changes
        .toSorted((a, b) => a.hour - b.hour)
        .map((of) => createRecord(of.hour, of.base, of.increase, of.isUnsold)),
      salePrices: edges.flatMap((from, index) => {
        const until = edges[index + 1];
        if (until === undefined || index % 2 === 1) return [];
        return [
          {
            id: String(from),
            startsAt: at(from),
            endsAt: at(until),
            reduction: { kind: 'percent', basisPoints } as const,
          },
        ];
      }),
    };
  });

test('[OPS-09] merged records raise no prior price', () => {
  fc.assert(
    fc.property(history, hour, amount, fc.integer({ min: 1, max: 3 }), (of, now, present, times) => {
      let { records } = of;
      for (let time = 0; time < times; time += 1) records = mergeOldRecords({ records, salePrices: of.salePrices });
      const merged = { records, salePrices: of.salePrices };
      // Only the latest change can be the present one.
      const last = of.records.at(-1)?.recordedAt ?? at(0);
      const moment = last > at(now) ? last : at(now);
      for (const valueIds of [null, ['red']]) {
        const before = findPriorPrice(of, moment, valueIds, cents(present)) ?? 0n;
        const after = findPriorPrice(merged, moment, valueIds, cents(present)) ?? 0n;
        assert.ok(after <= before, `${after} instead of ${before}`);
      }
    }),
    { numRuns: 500 },
  );
});

test('[OPS-09] records without a sale price become fewer', () => {
  const records = Array.from({ length: 100 }, (_, index) => createRecord(index, BigInt(index + 1), 1n, false));
  assert.equal(mergeOldRecords({ records, salePrices: [] }).length, 75);
});
