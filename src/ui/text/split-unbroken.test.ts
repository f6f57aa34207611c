import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { splitUnbroken } from './split-unbroken.ts';

const listUnbroken = (text: string): string[] =>
  splitUnbroken(text)
    .filter(({ isUnbroken }) => isUnbroken)
    .map((piece) => piece.text);

test('[LAY-19] the pieces of a text are the whole text, in order', () => {
  const texts = fc.array(fc.constantFrom('a', 'é', '7', '-', '-', ' ', '\n', '.', '(', '/'), { maxLength: 40 });
  fc.assert(
    fc.property(texts, (letters) => {
      const text = letters.join('');
      const pieces = splitUnbroken(text);
      assert.equal(pieces.map((piece) => piece.text).join(''), text);
      for (const { at, text: piece } of pieces) assert.equal(text.slice(at, at + piece.length), piece);
      assert.ok(pieces.every(({ isUnbroken }, index) => isUnbroken || pieces[index + 1]?.isUnbroken !== false));
    }),
  );
});

test('[LAY-19] short words with hyphens do not break, with the marks beside them', () => {
  assert.deepEqual(listUnbroken('Cancel CM-100001?'), ['CM-100001?']);
  assert.deepEqual(listUnbroken('A long-term plan (13-inch, 8-core) - and USB-C.'), [
    'long-term',
    '(13-inch,',
    '8-core)',
    'USB-C.',
  ]);
  assert.deepEqual(listUnbroken('https://a-b.example/c-d a@b-c.example 2026-- -x a-very-long-word-with-hyphens'), []);
});
