import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { chooseWeights } from './choose-weights.ts';
import type { VariantState } from '../editing/stored-product.ts';

const STATE: VariantState = {
  id: 'v',
  value_ids: [],
  own_price_usd: null,
  sku: 'S',
  gtin: '',
  weight_grams: null,
  pictures: [],
  is_published: true,
  position: 0,
  available: null,
};
type Grams = number | null | undefined;
const toLine = (weightGrams: Grams, own?: number | null) => ({
  imported: { weightGrams },
  present: own === undefined ? null : { ...STATE, weight_grams: own },
});
const choose = (weights: readonly Grams[], present?: number | null, own: readonly (number | null)[] = []) =>
  chooseWeights({
    lines: weights.map((grams, at) => toLine(grams, present === undefined ? undefined : (own[at] ?? null))),
    leftOut: [],
    present,
    hasColumn: true,
  });

test('[OPS-31] a variant has a weight of its own only if it differs from the product', () => {
  assert.deepEqual(choose([500, 500]), { weightGrams: 500, ownGrams: [null, null], leftOutGrams: [] });
  assert.deepEqual(choose([500, 700]), { weightGrams: 500, ownGrams: [null, 700], leftOutGrams: [] });
  // An empty cell has the weight of the first line, and 0 is unknown.
  assert.deepEqual(choose([500, undefined]), { weightGrams: 500, ownGrams: [null, null], leftOutGrams: [] });
  assert.deepEqual(choose([500, null]), { weightGrams: null, ownGrams: [500, null], leftOutGrams: [] });
  assert.deepEqual(choose([undefined, 700]), { weightGrams: null, ownGrams: [null, 700], leftOutGrams: [] });
});

test('[OPS-31] weights that stay the same are stored as they were', () => {
  assert.deepEqual(choose([500, 700], 700, [500, null]), { weightGrams: 700, ownGrams: [500, null], leftOutGrams: [] });
  assert.deepEqual(choose([500, 600], 700, [500, null]), { weightGrams: 500, ownGrams: [null, 600], leftOutGrams: [] });
  assert.deepEqual(chooseWeights({ lines: [toLine(undefined, 500)], leftOut: [], present: 700, hasColumn: false }), {
    weightGrams: 700,
    ownGrams: [500],
    leftOutGrams: [],
  });
});

test('[OPS-31] every variant gets the weight of its line', () => {
  const grams = fc.option(fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(
      fc.array(grams, { minLength: 1, maxLength: 5 }),
      fc.option(grams, { nil: undefined }),
      (weights, present) => {
        const { weightGrams, ownGrams } = choose(weights, present);
        assert.deepEqual(
          ownGrams.map((own) => own ?? weightGrams),
          weights,
        );
      },
    ),
  );
});
