import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { measureCpu } from '../../../tests/support/measure-cpu.ts';
import { fillDocument } from './fill-document.ts';
import { isTooComplex, MARKDOWN_TAGS } from './markdown-document.ts';
import type { MarkdownDocument, MarkdownToken } from './markdown-document.ts';
import { listElements } from './list-elements.ts';
import { isSafeLink, parseMarkdown } from './parse-markdown.ts';
import { toPlainText } from './plain-text.ts';

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
      const ids = fillDocument(document).sections.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    }),
    { numRuns: 2000 },
  );
});

test('[OPS-07] the highest headings start sections, others begin at h3', () => {
  const { intro, sections } = fillDocument(parseMarkdown('Hello\n\n# One\n\n### Deep\n\n# One\n\nEnd'));
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
  const { intro } = fillDocument(parseMarkdown('Hi {name}'), {
    replaceText: (text) => text.replace('{name}', '**[x](/y)**'),
  });
  assert.deepEqual(intro, [{ tag: 'p' }, 'Hi **[x](/y)**', null]);
});

test('[OPS-07] fills paragraphs with blocks and hides links', () => {
  const document = parseMarkdown('{table}\n\nText {table}\n\n`{table}` [a](/b) [**c**](/d)\n\n- {table}');
  const { intro } = fillDocument(document, {
    replaceText: (text) => text.replace('{table}', 'T'),
    blocks: { '{table}': [{ tag: 'hr' }, null] },
    isLinked: (href) => href !== '/d',
  });
  const shown = intro.map((token) => (typeof token === 'object' ? (token?.tag ?? '/') : token)).join(' ');
  assert.equal(shown, 'hr / p Text T / p code {table} /   a a /   strong c / / ul li T / /');
});

const listHeadings = (markdown: string): readonly string[] =>
  listElements(parseMarkdown(markdown)).flatMap((token) =>
    typeof token === 'object' && token !== null && /^h\d/.test(token.tag) ? [token.tag] : [],
  );

test('[OPS-02] below a heading no level is skipped and no heading is empty', () => {
  assert.deepEqual(listHeadings('# One\n\n## Two\n\n#### Four\n\n# One'), ['h3', 'h4', 'h5', 'h3']);
  assert.deepEqual(listHeadings('### Deep\n\n# Top'), ['h3', 'h3']);
  assert.deepEqual(listHeadings('#\n\n## \n\n> ###\n'), []);
  const levels = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 12 });
  fc.assert(
    fc.property(levels, (chosen) => {
      const headings = listHeadings(chosen.map((level) => `${'#'.repeat(level)} Title\n\nText`).join('\n\n')).map(
        (tag) => Number(tag.slice(1)),
      );
      assert.equal(headings.length, chosen.length);
      for (const [index, level] of headings.entries()) assert.ok(level >= 3 && level <= (headings[index - 1] ?? 2) + 1);
    }),
  );
});

test('[OPS-02] the plain text has paragraphs, lines, list items and cells', () => {
  const markdown =
    '# Care\n\nWash **cold**,  \nsee [terms](/terms).\n\n- One\n  - Inner\n- Two\n\n  More\n\n1. First\n2. Second\n\n' +
    '| A | B |\n|---|---|\n| 1 | 2 |\n\n---\n\n```\ncode\n```\n\n> `q` <b>';
  assert.equal(
    toPlainText(listElements(parseMarkdown(markdown))),
    'Care\n\nWash cold,\nsee terms.\n\n• One\n• Inner\n• Two\nMore\n\n1. First\n2. Second\n\nA B\n1 2\n\ncode\n\nq <b>',
  );
});

test('[OPS-02] a text without markup is its own plain text', () => {
  const paragraph = fc.array(fc.constantFrom('One', 'cable,', 'two', 'metres.'), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(paragraph, { minLength: 1 }), (paragraphs) => {
      const text = paragraphs.map((words) => words.join(' ')).join('\n\n');
      assert.equal(toPlainText(listElements(parseMarkdown(text))), text);
    }),
  );
});

/** As long as a legal text may be. */
const LENGTH = 60_000;
const repeat = (text: string): string => text.repeat(LENGTH / text.length);

test('[OPS-32] ids of equal headings are made in linear time', () => {
  const document = parseMarkdown(repeat('# a\n'));
  let { sections } = fillDocument(parseMarkdown(''));
  const ms = measureCpu(() => ({ sections } = fillDocument(document)));
  assert.ok(ms < 500, `${ms} ms`);
  assert.deepEqual([sections.length, sections.at(-1)?.id], [LENGTH / 4, `a-${LENGTH / 4}`]);
  // Titles that are the numbered ids of others.
  const mixed = parseMarkdown('# a-2\n# a\n# a\n# a-3\n# a\n');
  assert.deepEqual(
    fillDocument(mixed).sections.map(({ id }) => id),
    ['a-2', 'a', 'a-3', 'a-3-2', 'a-4'],
  );
});

test('[OPS-32] a text with too many or too deep elements is too complex', () => {
  const texts = [repeat('# a\n'), repeat('- a\n'), repeat('[a](/b)'), repeat('`a` '), repeat('---\n')];
  const table = `${'|'.repeat(900)}\n${'|-'.repeat(899)}|\n${'a\n'.repeat(1_000)}`;
  const nested = `${'*a **b '.repeat(200)}${'b** a* '.repeat(200)}`;
  for (const text of [...texts, table, nested]) assert.ok(isTooComplex(parseMarkdown(text)), text.slice(0, 20));
  const longText = 'A paragraph of **some** words with a [link](/terms) to read.\n\n- And an item.\n\n';
  assert.ok(!isTooComplex(parseMarkdown(repeat(longText).slice(0, 30_000))));
  assert.ok(!isTooComplex(parseMarkdown(repeat('Words of a long text without any markup. '))));
});

test('[OPS-32] no known text takes the parser more than two seconds of CPU time', () => {
  for (const text of ['> ', '- ', '[', '*a ', '|', '[![', '---\n', '`a``b', '[a]: b\n', '|a|\n|-|\n']) {
    const ms = measureCpu(() => parseMarkdown(repeat(text)));
    assert.ok(ms < 2_000, `${text}: ${ms} ms`);
  }
});
