import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foldTyped } from '#src/shop/fold-typed.ts';
import { MAX_CHAPTERS, MAX_FIGURE, MAX_SENTENCE, MAX_TITLE } from '../chapters/chapters.ts';
import { formatChapters, parseChapters, showChapters } from './chapter-texts.ts';

/** As stored: trimmed, and visible. */
const filled = (maximum: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: maximum })
    .map((text) => text.slice(0, maximum).toWellFormed().replaceAll('\u0000', ' ').trim())
    .filter((text) => foldTyped(text) !== '');

test('[OPS-12] chapters are read from a file as they were written', () => {
  const chapter = fc.record(
    {
      picture: fc.option(fc.constantFrom('/images/a.avif', '/images/b/c.avif')),
      figure: filled(MAX_FIGURE),
      title: filled(MAX_TITLE),
      sentence: filled(MAX_SENTENCE),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(chapter, { minLength: 1, maxLength: MAX_CHAPTERS }), (chapters) => {
      assert.deepEqual(parseChapters(formatChapters(chapters)), { ok: true, value: chapters });
    }),
  );
  assert.equal(formatChapters([]), '');
});

const isRead = (value: unknown): boolean => parseChapters(JSON.stringify(value)).ok;

test('[OPS-12] chapters that the editor would refuse are refused in a file', () => {
  const chapter = { figure: '22 hours', title: 'of video', sentence: 'All day.' };
  assert.ok(isRead([chapter]) && isRead([{ ...chapter, picture: null }]) && isRead([{ ...chapter, picture: '' }]));
  const refused: readonly unknown[] = [
    chapter,
    [null],
    ['22 hours'],
    [{ ...chapter, figure: 22 }],
    [{ ...chapter, figure: '\u200B' }],
    [{ ...chapter, figure: 'x'.repeat(MAX_FIGURE + 1) }],
    [{ ...chapter, title: 'x'.repeat(MAX_TITLE + 1) }],
    [{ ...chapter, sentence: 'x'.repeat(MAX_SENTENCE + 1) }],
    [{ ...chapter, sentence: '\uD800' }],
    [{ figure: '22 hours', title: 'of video' }],
    [{ ...chapter, picture: 1 }],
    [{ ...chapter, alt: '' }],
    Array.from({ length: MAX_CHAPTERS + 1 }, () => chapter),
  ];
  for (const value of refused) assert.ok(!isRead(value), JSON.stringify(value));
});

test('[OPS-12] the changes of an import show chapters as sentences', () => {
  const chapter = { picture: '/images/a.avif', figure: '22 hours', title: 'of video', sentence: 'All day.' };
  assert.equal(showChapters([]), 'none');
  assert.equal(
    showChapters([chapter, { ...chapter, picture: null }]),
    '22 hours of video: All day. (/images/a.avif); 22 hours of video: All day.',
  );
});
