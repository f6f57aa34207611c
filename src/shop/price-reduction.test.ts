import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { comparePrices, computeReduction, findPriceRefusal } from './price-reduction.ts';

const amount = fc.bigInt({ min: 1n, max: 999_999_999n });
const percent = fc.integer({ min: 0, max: 100 });
const toChange = (before: bigint, after: bigint) => ({
  isChanged: before !== after,
  reducedBy: computeReduction(before, after),
});

test('[OPS-17] the password is needed exactly above the percentage, to the cent', () => {
  fc.assert(
    fc.property(percent, amount, amount, (limit, before, after) => {
      const isAbove = (before - after) * 100n > before * BigInt(limit);
      const change = toChange(before, after);
      assert.equal(findPriceRefusal({ isPasswordRecent: false }, change, limit), isAbove ? 'reauth' : null);
      assert.equal(findPriceRefusal({ isPasswordRecent: true }, change, limit), null);
    }),
  );
});

test('[OPS-19] a key needs the scope for every change of a price, and no password', () => {
  fc.assert(
    fc.property(percent, amount, amount, fc.boolean(), (limit, before, after, hasScope) => {
      const refused = before !== after && !hasScope ? 'missing-scope' : null;
      const key = { apiKey: { hasScope: () => hasScope }, isPasswordRecent: false };
      assert.equal(findPriceRefusal(key, toChange(before, after), limit), refused);
    }),
  );
});

const prices = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), amount), { maxLength: 4 })
  .map((entries) => new Map(entries));

test('[OPS-17] the largest reduction is that of any variant, new ones against the lowest price', () => {
  fc.assert(
    fc.property(prices, prices, (before, after) => {
      const [lowest = 0n] = [...before.values()].toSorted((a, b) => (a < b ? -1 : 1));
      const reductions = [...after].map(([key, price]) => computeReduction(before.get(key) ?? lowest, price));
      assert.deepEqual(comparePrices(before, after), {
        isChanged: [...after].some(([key, price]) => before.get(key) !== price),
        reducedBy: Math.max(0, ...reductions),
      });
    }),
  );
});
