/** Checks the style sheets: what they repeat, and that the classes of the markup exist. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findRepeatedBodies, isAdjustment, listStyleRules } from './support/style-rules.ts';

/** As reached. Lower it with what you share; docs/decisions/0093 says what is counted. */
const MOST_REPEATED = 147;
const MOST_REPEATED_ADJUSTMENTS = 290;

const list = (pattern: string): string[] =>
  globSync(pattern)
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
const read = (path: string): string => readFileSync(path, 'utf8');
const rules = list('src/**/*.css').flatMap((path) => listStyleRules(path, read(path)));

test('style sheets rarely repeat the body of a rule', (t) => {
  assert.ok(rules.length > 1000, `only ${rules.length} rules were found`);
  const repeated = findRepeatedBodies(rules.filter((rule) => !isAdjustment(rule)));
  const adjustments = findRepeatedBodies(rules.filter(isAdjustment));
  t.diagnostic(`${repeated.length} bodies and ${adjustments.length} adjustments are repeated`);
  assert.ok(
    repeated.length <= MOST_REPEATED,
    `${repeated.length} bodies are repeated: use a layout of src/ui or a class of src/ui/styles/base.css.\n${repeated.join('\n')}`,
  );
  assert.ok(
    adjustments.length <= MOST_REPEATED_ADJUSTMENTS,
    `${adjustments.length} adjustments are repeated:\n${adjustments.join('\n')}`,
  );
});

test('bodies are compared without order, comments and selectors', () => {
  const text = `@layer components {
    .a { gap: 1px; color: red; & > p { margin: 0; } @media print { color: black; } }
    /* .b { color: red } */
    .c, .d { color: red; gap: 1px; }
    .e::before { content: '};{'; }
    @keyframes f { from { margin: 0; } }
    .g { color: black; }
  }`;
  const found = listStyleRules('a.css', text);
  assert.deepEqual(
    found.map(({ selectors }) => selectors.slice(1).join(' ')),
    ['.a & > p', '.a @media print', '.a', '.c, .d', '.e::before', '.g'],
  );
  assert.deepEqual(findRepeatedBodies(found), [
    'color: red; gap: 1px: a.css .a, a.css .c, .d',
    'color: black: a.css .a @media print, a.css .g',
  ]);
  assert.deepEqual(
    found.filter(isAdjustment).map(({ selectors }) => selectors.at(-1)),
    ['& > p', '@media print', '.e::before'],
  );
});

/** Class names as the browser reads them: selectors without comments and strings. */
const listClasses = (css: string): Set<string> =>
  new Set(
    [...css.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"|'[^']*'/g, '').matchAll(/\.([A-Za-z][\w-]*)/g)].map(
      ([, name = '']) => name,
    ),
  );
const pages = list('src/**/*.tsx').map((path) => ({ path, text: read(path) }));

test('plain class names of the markup are those of the base style sheet', () => {
  const known = listClasses(read('src/ui/styles/base.css'));
  const unknown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/className="([^"]*)"|classNames\(\s*'([^']*)'/g)]
      .flatMap(([, whole, first]) => (whole ?? first ?? '').split(/\s+/))
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

test('a component uses only classes that its style sheet has', () => {
  const unknown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/^import (\w+) from '([^']*\.module\.css)';$/gm)].flatMap(([, variable = '', from = '']) => {
      const sheet = from.startsWith('#') ? from.slice(1) : join(dirname(path), from);
      const known = listClasses(read(sheet));
      return [...text.matchAll(new RegExp(String.raw`\b${variable}\.(\w+)`, 'g'))]
        .map(([, name = '']) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${path}: ${variable}.${name}`);
    }),
  );
  assert.deepEqual(unknown, []);
});
