import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NO_CENTS } from '#src/shop/money.ts';
import { chooseValues } from './choose-values.ts';
import { chooseVariant, createSku, createVariantKey, listCombinations } from './variants.ts';

const createOffered = (sizes: readonly number[]) =>
  sizes.map((size, property) => ({
    id: `${property}`,
    name: `Property ${property}`,
    values: Array.from({ length: size }, (_, value) => ({
      id: `${property}${value}`,
      value: `${value}`,
      increaseCents: NO_CENTS,
    })),
  }));
const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 });

test('[OPS-08] lists each combination of values once', () => {
  assert.deepEqual(listCombinations([]), [[]]);
  fc.assert(
    fc.property(sizes, (of) => {
      const combinations = listCombinations(createOffered(of));
      assert.equal(
        combinations.length,
        of.reduce((product, size) => product * size, 1),
      );
      assert.equal(new Set(combinations.map(createVariantKey)).size, combinations.length);
    }),
  );
});

test('[OPS-08] completes a choice to the first combination that is sold', () => {
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.boolean()), fc.nat(), (of, isSold, named) => {
      const offered = createOffered(of);
      const combinations = listCombinations(offered);
      const sold = combinations.filter(() => isSold.next().value === true);
      const unsold = new Set(combinations.filter((one) => !sold.includes(one)).map(createVariantKey));
      // Names some values of one combination.
      const namedIds = (combinations[named % combinations.length] ?? []).filter((_, at) => (named >> at) % 2 === 0);
      const candidates = sold.filter((one) => namedIds.every((id) => one.includes(id)));
      const choice = chooseVariant({ offered, unsold }, namedIds);
      assert.equal(choice.ok, candidates.length > 0);
      if (!choice.ok) return;
      const plain = chooseValues(offered, namedIds);
      assert.ok(plain.ok);
      const isPlainSold = !unsold.has(createVariantKey(plain.valueIds));
      assert.deepEqual(choice.valueIds, isPlainSold ? plain.valueIds : candidates[0]);
    }),
  );
});

test('[OPS-08] derives SKUs from the article number', () => {
  assert.deepEqual([createSku('A1', 0, 1), createSku('A1', 0, 2), createSku('A1', 1, 2)], ['A1', 'A1-1', 'A1-2']);
});
