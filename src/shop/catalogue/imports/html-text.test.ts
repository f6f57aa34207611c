import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatHtml, normaliseText, parseHtml } from './html-text.ts';

test('[OPS-12] HTML becomes text with paragraphs, lines and list items', () => {
  assert.equal(
    parseHtml('<p>One &amp; <b>two</b>\n three</p>\n<p>Four<br/>five</p><ul><li>a</li><li>b&nbsp;c</li></ul>'),
    'One & two three\n\nFour\nfive\n\n• a\n• b c',
  );
  assert.equal(parseHtml('Plain\r\n\r\n\r\ntext, 2 < 3 &euro;'), 'Plain\n\ntext, 2 < 3 €');
  assert.equal(parseHtml('<p>2 < 3</p><!-- a <p> b --><style>p{}</style>'), '2 < 3');
});

test('[OPS-12] scripts and attributes leave no text', () => {
  assert.equal(parseHtml('<p title="a > b">x</p><SCRIPT>alert("y")</script ><img src=x onerror="z">'), 'x');
  assert.equal(parseHtml('a<script>never closed'), 'a');
  assert.equal(parseHtml('&lt;script&gt;'), '<script>');
  assert.equal(parseHtml('a<b'), 'a');
  assert.equal(parseHtml('&#x110000;&#0;&#xD800;|'), '|');
});

test('[OPS-12] text survives conversion to HTML and back', () => {
  const unit = fc.oneof(
    fc.constantFrom(...Array.from(' \n\t\r<>&;"\'/!-pbr•\u00A0#')),
    fc.string({ unit: 'grapheme', maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const html = formatHtml(text);
      assert.equal(parseHtml(html), normaliseText(text));
      assert.equal(formatHtml(parseHtml(html)), html);
    }),
    { numRuns: 2000 },
  );
});

test('[OPS-12] hostile HTML takes linear time', () => {
  const startedAt = performance.now();
  for (const part of ['<', '<!--', '<a "', '<script>', '<script></script>', '&#', '<p>', '</'])
    parseHtml(part.repeat(100_000));
  assert.ok(performance.now() - startedAt < 5_000);
});
