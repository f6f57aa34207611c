import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as check, constantFrom, dictionary, letrec, oneof, property, record } from 'fast-check';
import { isSame, listDifferences, mergeChanges } from './merge-changes.ts';

const names = ['tax_name', 'home_country', 'position'];
const fields = record(Object.fromEntries(names.map((name) => [name, constantFrom('a', 'b', 'c')])));

test('a field that only one person changed is that person’s, and mine wins elsewhere', () => {
  check(
    property(fields, fields, fields, (base, mine, theirs) => {
      const merged = mergeChanges(base, mine, theirs);
      for (const name of names) {
        assert.equal(merged[name], mine[name] === base[name] ? theirs[name] : mine[name]);
      }
    }),
  );
});

const value = letrec<{ value: unknown }>((tie) => ({
  value: oneof(
    { maxDepth: 3 },
    constantFrom('a', 'b', '', 1, null, true),
    array(tie('value'), { maxLength: 3 }),
    dictionary(constantFrom('id', 'name', 'x'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('a change of one person alone is the merged value', () => {
  check(
    property(value, value, (base, changed) => {
      assert.ok(isSame(mergeChanges(base, changed, base), changed));
      assert.ok(isSame(mergeChanges(base, base, changed), changed));
      assert.ok(isSame(mergeChanges(base, changed, changed), changed));
    }),
  );
});

test('merging never fails, and its differences are those of the values', () => {
  check(
    property(value, value, value, (base, mine, theirs) => {
      const merged = mergeChanges(base, mine, theirs);
      assert.equal(listDifferences(theirs, merged).length === 0, isSame(theirs, merged));
    }),
  );
});

const rate = (country: string, standard: string) => ({ country, standard });
const base = [rate('DE', '19'), rate('FR', '20'), rate('AT', '20')];

test('changes of different items of a list are both kept', () => {
  const mine = [rate('DE', '21'), rate('FR', '20'), rate('AT', '20')];
  const theirs = [rate('DE', '19'), rate('FR', '20'), rate('AT', '22')];
  assert.deepEqual(mergeChanges(base, mine, theirs), [rate('DE', '21'), rate('FR', '20'), rate('AT', '22')]);
});

const chapter = (title: string, figure = '22 hours') => ({ picture: null, figure, title, sentence: 'A day.' });

test('items that both added are kept, by their titles if they have nothing better', () => {
  assert.deepEqual(mergeChanges([], [chapter('of video')], [chapter('of films')]), [
    chapter('of video'),
    chapter('of films'),
  ]);
  const before = [chapter('of video')];
  const mine = [chapter('of video', '30 hours'), chapter('of music')];
  assert.deepEqual(mergeChanges(before, mine, [chapter('of video'), chapter('of films')]), [
    ...mine,
    chapter('of films'),
  ]);
});

test('an item that they added joins the one that I changed', () => {
  const mine = [rate('DE', '21'), rate('FR', '20'), rate('AT', '20')];
  const theirs = [rate('DE', '19'), rate('IT', '22'), rate('FR', '20'), rate('AT', '20')];
  assert.deepEqual(mergeChanges(base, mine, theirs), [
    rate('DE', '21'),
    rate('IT', '22'),
    rate('FR', '20'),
    rate('AT', '20'),
  ]);
});

test('items that I moved keep the changes of the other person', () => {
  const mine = [rate('FR', '20'), rate('DE', '19'), rate('AT', '20')];
  const theirs = [rate('DE', '19'), rate('FR', '5'), rate('AT', '20')];
  assert.deepEqual(mergeChanges(base, mine, theirs), [rate('FR', '5'), rate('DE', '19'), rate('AT', '20')]);
});

test('an item that they removed goes unless I changed it', () => {
  const theirs = [rate('DE', '19'), rate('AT', '20')];
  assert.deepEqual(mergeChanges(base, [rate('DE', '21'), rate('FR', '20'), rate('AT', '20')], theirs), [
    rate('DE', '21'),
    rate('AT', '20'),
  ]);
  const changed = [rate('DE', '19'), rate('FR', '5'), rate('AT', '20')];
  assert.ok(mergeChanges(base, changed, theirs).some(({ standard }) => standard === '5'));
});

const row = (key: number, name: string) => ({ key, name });

test('rows that both added keep different keys', () => {
  const merged = mergeChanges([row(0, 'Size')], [row(0, 'Size'), row(1, 'Plug')], [row(0, 'Size'), row(1, 'Length')]);
  assert.deepEqual(
    merged.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b)),
    ['Length', 'Plug', 'Size'],
  );
  assert.deepEqual(
    merged.map(({ key }) => key),
    [0, 1, 2],
  );
});

test('differences have the paths of their fields', () => {
  const before = { tax_name: 'VAT', rates: base };
  const after = { tax_name: 'MwSt', rates: [rate('DE', '21'), rate('FR', '20'), rate('AT', '20')] };
  assert.deepEqual(
    listDifferences(before, after).map(({ path }) => path),
    ['tax_name', 'rates.0.standard'],
  );
  assert.deepEqual(
    listDifferences(before, { ...before, rates: base.slice(1) }).map(({ path }) => path),
    ['rates'],
  );
});
