import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  checkCells,
  findRefused,
  nameElsewhere,
  rebaseCells,
  showCell,
  toChanges,
  toKey,
  typeCell,
} from './stock-cells.ts';
import type { CellOf, CellVariant, TypedCells } from './stock-cells.ts';

const createVariant = (id: string, onHand: number | null, threshold: number | null = null): CellVariant => ({
  variant_id: id,
  name: `Phone ${id}`,
  on_hand: onHand,
  threshold,
});
type Typed = readonly [id: string, stored: number | null, text: string, of?: CellOf];
const typeAll = (typed: readonly Typed[]): TypedCells =>
  typed.reduce<TypedCells>((cells, [id, stored, text, of = 'on_hand']) => {
    const variant = of === 'on_hand' ? createVariant(id, stored) : createVariant(id, 0, stored);
    return typeCell(cells, variant, of, text);
  }, {});

test('[OPS-10] a cell with its stored number is no change, and one that was typed shows its text', () => {
  const of = fc.constantFrom<CellOf>('on_hand', 'threshold');
  fc.assert(
    fc.property(fc.option(fc.nat(1_000_000)), fc.string(), of, (number, text, column) => {
      const stored = number === null ? '' : String(number);
      const variant = createVariant('a', number, number);
      const typed = typeCell({}, variant, column, text);
      assert.equal(showCell(typed, variant, column), text.trim() === stored ? stored : text);
      assert.deepEqual(typeCell(typed, variant, column, ` ${stored}`), {});
    }),
  );
});

test('[OPS-10] cells are sent with the numbers that their rows showed', () => {
  const cells = typeAll([
    ['a', 4, '5'],
    ['b', null, ' 7 '],
    ['a', 4, '6'],
    ['b', null, '3', 'threshold'],
    ['c', 9, ' ', 'threshold'],
  ]);
  assert.deepEqual(toChanges(cells), {
    counts: [
      { variant_id: 'b', quantity: 7, seen: null },
      { variant_id: 'a', quantity: 6, seen: 4 },
    ],
    thresholds: [
      { variant_id: 'b', threshold: 3, seen: null },
      { variant_id: 'c', threshold: null, seen: 9 },
    ],
  });
  // Others sold units meanwhile, and one of them typed the same.
  const present = [createVariant('a', 3), createVariant('b', 7, 3), createVariant('d', 1)];
  assert.deepEqual(toChanges(rebaseCells(cells, present)), {
    counts: [{ variant_id: 'a', quantity: 6, seen: 3 }],
    thresholds: [{ variant_id: 'c', threshold: null, seen: 9 }],
  });
});

test('[OPS-10] what is no number is marked, and so is each refused cell', () => {
  const cells = typeAll([
    ['a', 1, '5'],
    ['b', 1, ''],
    ['c', 1, '-1'],
    ['d', 1, '1.5'],
    ['e', 1, '1000001'],
    ['e', 1, '100001', 'threshold'],
    ['f', 1, '', 'threshold'],
  ]);
  const wrong = [...['b', 'c', 'd', 'e'].map((id) => toKey(id, 'on_hand')), toKey('e', 'threshold')];
  assert.deepEqual(Object.keys(checkCells(cells)), wrong);
  assert.deepEqual(checkCells(typeAll([['a', 1, '0']])), {});
  const fields = {
    'counts.2.quantity': 'now 3 on hand',
    'counts.9.quantity': '?',
    'thresholds.1.threshold': 'now 2',
    reason: '?',
  };
  assert.deepEqual(findRefused(cells, fields), [toKey('c', 'on_hand'), toKey('f', 'threshold')]);
  const refused = [toKey('a', 'on_hand'), toKey('e', 'on_hand'), toKey('e', 'threshold')];
  assert.equal(nameElsewhere(cells, refused, new Set(['a'])), ' On other pages of the list: Phone e.');
  assert.equal(nameElsewhere(cells, refused, new Set(['a', 'e'])), '');
});
