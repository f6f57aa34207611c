import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents } from '#src/shop/money.ts';
import { choosePrices } from './choose-prices.ts';

const createVariant = (
  valueIds: readonly string[],
  price: bigint,
  before: bigint | null = null,
  own: bigint | null = null,
) => ({
  valueIds,
  priceCents: cents(price),
  present: before === null ? null : { priceCents: before, ownPriceCents: own === null ? null : cents(own) },
});

test('[OPS-12] prices that are base plus increases stay computed', () => {
  const fresh = choosePrices(
    [
      createVariant(['a', 'x'], 100n),
      createVariant(['b', 'x'], 130n),
      createVariant(['a', 'y'], 150n),
      createVariant(['b', 'y'], 180n),
    ],
    null,
  );
  assert.equal(fresh.basePriceCents, 100n);
  assert.deepEqual(
    [...fresh.increases],
    [
      ['a', 0n],
      ['x', 0n],
      ['b', 30n],
      ['y', 50n],
    ],
  );
  assert.deepEqual(fresh.ownPrices, [null, null, null, null]);
  const odd = choosePrices(
    [createVariant(['a', 'x'], 100n), createVariant(['b', 'x'], 130n), createVariant(['b', 'y'], 110n)],
    null,
  );
  assert.deepEqual([odd.basePriceCents, odd.ownPrices], [100n, [null, 130n, 110n]]);
});

test('[OPS-12] one changed price becomes an own price', () => {
  const present = {
    basePriceCents: cents(100n),
    increases: new Map([
      ['a', cents(0n)],
      ['b', cents(20n)],
    ]),
  };
  const changed = choosePrices([createVariant(['a'], 100n, 100n), createVariant(['b'], 125n, 120n)], present);
  assert.deepEqual([changed.basePriceCents, changed.ownPrices], [100n, [null, 125n]]);
  const kept = choosePrices([createVariant(['a'], 99n, 99n, 99n), createVariant(['b'], 120n, 120n, 120n)], present);
  assert.deepEqual([kept.basePriceCents, kept.ownPrices], [100n, [99n, 120n]]);
});

test('[OPS-12] every variant gets exactly the price of the file', () => {
  const amount = fc.bigInt({ min: 1n, max: 400n });
  const ids = fc.constantFrom(['a', 'x'], ['a', 'y'], ['b', 'x'], ['b', 'y']);
  const variants = fc.uniqueArray(fc.tuple(ids, amount, fc.option(amount)), {
    minLength: 1,
    selector: ([of]) => of.join(),
  });
  const present = fc.option(
    fc.tuple(amount, amount).map(([base, increase]) => ({
      basePriceCents: cents(base),
      increases: new Map([
        ['a', cents(0n)],
        ['b', cents(increase)],
      ]),
    })),
  );
  fc.assert(
    fc.property(variants, present, (rows, before) => {
      const priced = rows.map(([valueIds, price, own]) => createVariant(valueIds, price, own, own));
      const { basePriceCents, increases, ownPrices } = choosePrices(priced, before);
      assert.ok(basePriceCents > 0n && [...increases.values()].every((increase) => increase >= 0n));
      for (const [at, { valueIds, priceCents }] of priced.entries()) {
        const computed = valueIds.reduce((sum, id) => sum + (increases.get(id) ?? 0n), basePriceCents as bigint);
        assert.equal(ownPrices[at] ?? computed, priceCents);
      }
    }),
    { numRuns: 1000 },
  );
});
