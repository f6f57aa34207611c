import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addCategoryValues, findSame, findValues, moveTo, sortCategoryValues, splitNames } from './category-values.ts';

const createValue = (value: string) => ({ id: value.toLowerCase(), value, increase_usd: 5, product_count: 2 });
const createCategory = (names: readonly string[]) => ({
  properties: [
    { id: 'p', name: 'Colour', values: names.map(createValue) },
    { id: 'q', name: 'Size', values: [createValue('L')] },
  ],
});

test('[OPS-02] created values are the last of their property, and nothing else changes', () => {
  assert.deepEqual(addCategoryValues(createCategory(['Red']), 'p', [' Teal ', 'red', 'Navy']), [
    {
      id: 'p',
      name: 'Colour',
      values: [
        { id: 'red', value: 'Red', increase_usd: 5 },
        { value: 'Teal', increase_usd: 0 },
        { value: 'Navy', increase_usd: 0 },
      ],
    },
    { id: 'q', name: 'Size', values: [{ id: 'l', value: 'L', increase_usd: 5 }] },
  ]);
});

test('[OPS-02] a move of one of the chosen values keeps the others in order', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  fc.assert(
    fc.property(fc.subarray(names, { minLength: 1 }), fc.nat(4), fc.nat(4), (chosen, from, to) => {
      const id = chosen[from % chosen.length] ?? '';
      const moved = moveTo(chosen, id, to % chosen.length);
      assert.equal(moved.indexOf(id), to % chosen.length);
      const rest = (ids: readonly string[]) => ids.filter((one) => one !== id);
      assert.deepEqual(rest(moved), rest(chosen));
      const [colours] = sortCategoryValues(createCategory(names), 'p', moved);
      const sorted = colours?.values.map((one) => one.id ?? '') ?? [];
      assert.deepEqual(sorted.toSorted(), names);
      assert.deepEqual(
        sorted.filter((one) => chosen.includes(one)),
        moved,
      );
      // What the product does not offer stays at its place.
      for (const [at, name] of names.entries()) if (!chosen.includes(name)) assert.equal(sorted[at], name);
    }),
  );
});

test('[OPS-02] typed text finds values, and the same name is not created twice', () => {
  const values = ['Space Black', 'Black', 'Blue'].map(createValue);
  const list = (typed: string) => findValues(values, typed).map(({ value }) => value);
  assert.deepEqual(
    [list('bl'), list(' BLACK'), list('x'), list('')],
    [['Black', 'Blue', 'Space Black'], ['Black', 'Space Black'], [], ['Space Black', 'Black', 'Blue']],
  );
  assert.equal(findSame(values, ' space  black ')?.value, 'Space Black');
  assert.equal(findSame(values, 'Blac'), undefined);
  // A Mac pastes e and its accent as two code points.
  assert.equal(findSame([{ id: 'f', value: 'Dor\u00e9' }], 'dore\u0301')?.id, 'f');
});

test('[OPS-02] names are separated by commas, each once and none empty', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['Teal', ['Teal']],
    [' 256GB,512GB , 1 TB,', ['256GB', '512GB', '1 TB']],
    ['Navy, Teal, navy, TEAL', ['Navy', 'Teal']],
    ['1,5 m; 2 m;', ['1,5 m', '2 m']],
    [' , ,, ', []],
    ['', []],
  ];
  for (const [typed, names] of cases) assert.deepEqual(splitNames(typed), names, typed);
});
