import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isSafeLink, MARKDOWN_TAGS, parseMarkdown } from './parse-markdown.ts';
import type { MarkdownDocument, MarkdownToken } from './parse-markdown.ts';

const listTokens = ({ intro, sections }: MarkdownDocument): MarkdownToken[] => [
  ...intro,
  ...sections.flatMap(({ tokens }) => tokens),
];
const listLinks = (markdown: string): string[] =>
  listTokens(parseMarkdown(markdown)).flatMap((token) =>
    token !== null && typeof token === 'object' && token.href !== undefined ? [token.href] : [],
  );
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '![x](javascript:alert(1))',
  '![x](data:image/png;base64,AAAA)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '[![x](/a.png)](javascript:alert(1))',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](\\\\evil.example)',
  '[a](https://ok.example "onmouseover=alert(1)")',
  '- <b>\n  - <script>\n    - [x](javascript:1)',
  '| <script> | [x](javascript:1) |\n|---|---|\n| `</script>` | <img onerror=1> |',
  '**<script>*alert*</script>**',
  '> <style>@import url(//evil)</style>',
];

test('[OPS-07] no hostile Markdown becomes a link with a script', () => {
  for (const markdown of HOSTILE) {
    for (const href of listLinks(markdown))
      assert.match(href, /^(?:https:\/\/ok\.example|\/%5Cevil\.example)$/, markdown);
  }
});

test('[OPS-07] HTML of the author stays text', () => {
  const { intro } = parseMarkdown('<script>alert(1)</script>\n\nA <b onclick="x()">b</b> &amp; c');
  assert.deepEqual(intro, [
    { tag: 'p' },
    '<script>alert(1)</script>',
    null,
    { tag: 'p' },
    'A <b onclick="x()">b</b> & c',
    null,
  ]);
});

test('[OPS-07] every text has known tags, safe links and closed elements', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...HOSTILE,
      '# ',
      '## ',
      '- ',
      '1. ',
      '> ',
      '`',
      '```\n',
      '**',
      '_',
      '|',
      '\n',
      '\n\n',
      '    ',
      '---',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const tags: ReadonlySet<string> = new Set(MARKDOWN_TAGS);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const document = parseMarkdown(pieces.join(''));
      for (const tokens of [document.intro, ...document.sections.map((section) => section.tokens)]) {
        let depth = 0;
        for (const token of tokens) {
          if (token === null) depth -= 1;
          else if (typeof token !== 'string') {
            depth += 1;
            assert.ok(tags.has(token.tag));
            assert.deepEqual(
              Object.keys(token).filter((key) => key !== 'tag' && key !== 'href'),
              [],
            );
            if (token.href !== undefined) assert.ok(isSafeLink(token.href), token.href);
          }
          assert.ok(depth >= 0);
        }
        assert.equal(depth, 0);
      }
      const ids = document.sections.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    }),
    { numRuns: 2000 },
  );
});

test('[OPS-07] the highest headings start sections, others begin at h3', () => {
  const { intro, sections } = parseMarkdown('Hello\n\n# One\n\n### Deep\n\n# One\n\nEnd');
  assert.deepEqual(intro, [{ tag: 'p' }, 'Hello', null]);
  assert.deepEqual(
    sections.map(({ id, title }) => [id, title]),
    [
      ['one', 'One'],
      ['one-2', 'One'],
    ],
  );
  assert.deepEqual(sections[0]?.tokens, [{ tag: 'h3' }, 'Deep', null]);
});

test('[OPS-07] a value of a placeholder is never Markdown', () => {
  const { intro } = parseMarkdown('Hi {name}', { replaceText: (text) => text.replace('{name}', '**[x](/y)**') });
  assert.deepEqual(intro, [{ tag: 'p' }, 'Hi **[x](/y)**', null]);
});

test('[OPS-07] deep nesting and long tables end in time', () => {
  const start = performance.now();
  for (const markdown of [
    '> '.repeat(20_000),
    '- '.repeat(20_000),
    '['.repeat(50_000),
    '*a '.repeat(20_000),
    '|'.repeat(50_000),
  ]) {
    parseMarkdown(markdown);
  }
  assert.ok(performance.now() - start < 5000);
});
