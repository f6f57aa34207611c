import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkCounts, findRefused, nameElsewhere, rebaseCounts, toCounts, typeCount } from './stock-counts.ts';
import type { TypedCounts } from './stock-counts.ts';

const createVariant = (id: string, onHand: number | null) => ({ variant_id: id, name: `Phone ${id}`, on_hand: onHand });
const typeAll = (typed: readonly (readonly [id: string, onHand: number | null, text: string])[]): TypedCounts =>
  typed.reduce<TypedCounts>((counts, [id, onHand, text]) => typeCount(counts, createVariant(id, onHand), text), {});

test('[OPS-10] a row with its stored number is no count', () => {
  fc.assert(
    fc.property(fc.option(fc.nat(1_000_000)), fc.string(), (onHand, text) => {
      const stored = onHand === null ? '' : String(onHand);
      assert.deepEqual(
        typeAll([
          ['a', onHand, text],
          ['a', onHand, ` ${stored}`],
        ]),
        {},
      );
    }),
  );
});

test('[OPS-10] counts are sent with the numbers that their rows showed', () => {
  const counts = typeAll([
    ['a', 4, '5'],
    ['b', null, ' 7 '],
    ['a', 4, '6'],
  ]);
  assert.deepEqual(
    toCounts(counts).toSorted((a, b) => (a.variant_id < b.variant_id ? -1 : 1)),
    [
      { variant_id: 'a', quantity: 6, seen: 4 },
      { variant_id: 'b', quantity: 7, seen: null },
    ],
  );
  // Others sold units meanwhile, and one of them counted the same.
  const rebased = rebaseCounts(counts, [createVariant('a', 3), createVariant('b', 7), createVariant('c', 1)]);
  assert.deepEqual(toCounts(rebased), [{ variant_id: 'a', quantity: 6, seen: 3 }]);
});

test('[OPS-10] what is no number of units is marked, and so is each refused count', () => {
  const counts = typeAll([
    ['a', 1, '5'],
    ['b', 1, ''],
    ['c', 1, '-1'],
    ['d', 1, '1.5'],
    ['e', 1, '1000001'],
  ]);
  assert.deepEqual(Object.keys(checkCounts(counts)), ['b', 'c', 'd', 'e']);
  assert.deepEqual(checkCounts(typeAll([['a', 1, '0']])), {});
  const fields = { 'counts.2.quantity': 'now 3 on hand', 'counts.9.quantity': '?', reason: '?' };
  assert.deepEqual(findRefused(counts, fields), ['c']);
  assert.equal(nameElsewhere(counts, ['a', 'c'], new Set(['a'])), ' On other pages of the list: Phone c.');
  assert.equal(nameElsewhere(counts, ['a'], new Set(['a'])), '');
});
