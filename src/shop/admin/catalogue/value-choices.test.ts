import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitNames } from './category-values.ts';
import { describeNone, insertLines, joinTyped, listAddable, listChoices } from './value-choices.ts';

const OFFER = {
  values: ['256GB', '512GB', '1,5 m', '1'].map((value) => ({ id: value, value })),
  chosen: new Set(['1']),
};
const list = (typed: string) => listChoices(OFFER, typed).map(({ text }) => text);
/** Names after lines were pasted between two places of a typed text. */
const paste = (typed: string, copied: string, start = typed.length, end = start): readonly string[] =>
  splitNames(insertLines(typed, copied, { start, end }));

test('[OPS-08] one typed name is found or created', () => {
  assert.deepEqual(list(''), ['256GB', '512GB', '1,5 m']);
  assert.deepEqual(list('256gb'), ['256GB']);
  assert.deepEqual(list('1TB'), ['Create “1TB”']);
  for (const typed of ['1TB,', ' , 1TB']) assert.deepEqual(list(typed), ['Create “1TB”'], typed);
  assert.deepEqual(list('512gb ,'), ['512GB']);
  assert.deepEqual(list(' , '), ['256GB', '512GB', '1,5 m']);
  assert.deepEqual([list('1'), list(' 1, ')], [['1,5 m', '512GB'], ['1,5 m']]);
});

test('[OPS-08] several typed names are one choice, without those that are chosen', () => {
  assert.deepEqual(list('1TB, 2TB, 1tb'), ['Create “1TB”, “2TB”']);
  assert.deepEqual(list('512gb,256GB'), ['Add “512gb”, “256GB”']);
  assert.deepEqual(list('2TB, 256GB, 1'), ['Add “256GB”, create “2TB”']);
  assert.deepEqual(listAddable(OFFER, '2TB, 256GB, 1'), ['2TB', '256GB']);
});

test('[OPS-08] a value with a comma in its name is found before its parts', () => {
  assert.deepEqual(list('1,5'), ['1,5 m', 'Create “5”']);
  assert.deepEqual(list('1,5 m'), ['1,5 m']);
  const chosen = { ...OFFER, chosen: new Set(['1,5 m']) };
  assert.deepEqual(listChoices(chosen, '1,5 M'), []);
  assert.equal(describeNone(chosen, '1,5 M'), '1,5 m is chosen already.');
});

test('[OPS-08] nothing is offered if one name is too long or all are chosen', () => {
  for (const typed of ['x'.repeat(81), `2TB, ${'x'.repeat(81)}, 256GB`]) {
    assert.deepEqual([list(typed), describeNone(OFFER, typed)], [[], 'At most 80 characters.']);
  }
  assert.deepEqual(list(`${'x'.repeat(80)},${'y'.repeat(80)}`).length, 1);
  const all = { ...OFFER, chosen: new Set(OFFER.values.map(({ id }) => id)) };
  assert.equal(describeNone(all, '256gb, 512gb'), '256GB, 512GB are chosen already.');
  assert.equal(describeNone(all, '256gb'), '256GB is chosen already.');
  assert.equal(describeNone(all, ''), 'All values are chosen. Type the name of a new one.');
});

test('[OPS-08] copied lines and cells become names', () => {
  assert.equal(insertLines('', '256GB\r\n512GB\t1TB\n', { start: 0, end: 0 }), '256GB, 512GB, 1TB');
  assert.equal(insertLines('', '1,5 m\r\n2 m', { start: 0, end: 0 }), '1,5 m; 2 m');
  assert.equal(joinTyped('Teal, Navy', 'Red'), 'Teal, Navy, Red');
  assert.equal(joinTyped('Teal, Navy', '1,5 m; Red'), 'Teal; Navy; 1,5 m; Red');
});

test('[OPS-08] copied lines stay apart from each other and from what is typed', () => {
  assert.deepEqual(paste('Teal; ', 'Red\nGreen'), ['Teal', 'Red', 'Green']);
  assert.deepEqual(paste('Teal, Navy', 'Red, dark\nGreen'), ['Teal', 'Navy', 'Red, dark', 'Green']);
  assert.deepEqual(paste('Red; matte', 'Green\nBlue'), ['Red', 'matte', 'Green', 'Blue']);
  assert.deepEqual(paste('1,5 m; 2 m', 'Red\nGreen', 6), ['1,5 m', 'Red', 'Green', '2 m']);
  assert.deepEqual(paste('Teal, Navy', 'Red\nGreen', 6, 10), ['Teal', 'Red', 'Green']);
  assert.deepEqual(splitNames(joinTyped('Red, dark;', '')), ['Red, dark']);
});
