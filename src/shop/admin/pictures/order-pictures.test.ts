import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addPictures, moveItem } from './order-pictures.ts';

const picture = (path: string) => ({ path, alt: '' });

test('[OPS-02] moving a picture keeps all pictures and puts it there', () => {
  const moves = fc.uniqueArray(fc.nat(), { minLength: 1 }).chain((items) => {
    const position = fc.nat(items.length - 1);
    return fc.tuple(fc.constant(items), position, position);
  });
  fc.assert(
    fc.property(moves, ([items, from, to]) => {
      const moved = moveItem(items, from, to);
      assert.equal(moved[to], items[from]);
      assert.deepEqual(
        moved.filter((item) => item !== items[from]),
        items.toSpliced(from, 1),
      );
    }),
  );
});

test('[OPS-02] a move past an end stops at the end', () => {
  assert.deepEqual(moveItem(['a', 'b', 'c'], 0, 9), ['b', 'c', 'a']);
  assert.deepEqual(moveItem(['a', 'b', 'c'], 2, -1), ['c', 'a', 'b']);
  assert.deepEqual(moveItem(['a'], 3, 0), ['a']);
});

test('[OPS-02] adds a picture once and up to the maximum', () => {
  const two = [picture('/a'), picture('/b')];
  assert.deepEqual(addPictures(two, [picture('/b'), picture('/c'), picture('/d')], 3), [...two, picture('/c')]);
});

test('[OPS-02] a field for one picture takes the newest', () => {
  assert.deepEqual(addPictures([picture('/a')], [picture('/b')], 1), [picture('/b')]);
  assert.deepEqual(addPictures([picture('/a')], [picture('/a')], 1), [picture('/a')]);
});
