import assert from 'node:assert/strict';
import { test } from 'node:test';
import bidiFactory from 'bidi-js';
import * as fc from 'fast-check';
import { breakLines, orderRuns, splitParagraph, toPrintable } from './break-lines.ts';
import type { Cluster } from './break-lines.ts';

const LETTERS = [...Array.from('abc 12-().אבגد محمد١٢กรุงเทพ東京の'), 'é', '🎉'];
const paragraphs = fc.array(fc.constantFrom(...LETTERS), { maxLength: 40 }).map((letters) => letters.join(''));

const breakText = (text: string, width: number): Cluster[][] =>
  breakLines(text, { clusters: splitParagraph(text), measure: (line) => line.length, width });
const join = (line: readonly Cluster[]): string => line.map(({ text }) => text).join('');

test('[OPS-16] lines are within the width and lose only spaces', () => {
  fc.assert(
    fc.property(paragraphs, fc.integer({ min: 1, max: 12 }), (text, width) => {
      const lines = breakText(text, width);
      for (const line of lines) assert.ok(line.length <= width, join(line));
      const all = splitParagraph(text).map((cluster) => cluster.text);
      assert.equal(lines.map(join).join('').replaceAll(' ', ''), all.join('').replaceAll(' ', ''));
    }),
  );
});

test('[OPS-16] runs have the order of the bidirectional algorithm', () => {
  const bidi = bidiFactory();
  fc.assert(
    fc.property(
      paragraphs.map((text) => toPrintable(text).trim()),
      (text) => {
        const clusters = splitParagraph(text);
        const ordered = orderRuns(clusters).map((cluster) => cluster.text);
        const expected = bidi.getReorderedIndices(text, bidi.getEmbeddingLevels(text, 'auto'));
        // A cluster of several code units is compared by its first one.
        const starts = new Map(clusters.map((cluster) => [cluster.index, cluster.text]));
        assert.deepEqual(ordered.toSorted(), [...starts.values()].toSorted());
        if (clusters.every((cluster) => cluster.text.length === 1)) {
          assert.deepEqual(
            ordered,
            expected.map((index) => starts.get(index)),
          );
        }
      },
    ),
  );
});

test('[OPS-16] breaks between words of scripts without spaces', () => {
  assert.deepEqual(breakText('กรุงเทพมหานคร ประเทศไทย', 16).map(join), ['กรุงเทพมหานคร', 'ประเทศไทย']);
  assert.deepEqual(breakText('東京都千代田区。', 7).map(join), ['東京都千代田', '区。']);
  assert.deepEqual(breakText('one two-three', 8).map(join), ['one two-', 'three']);
});
