/** The documentation matches the code: glossary order, slice imports, and existing link targets. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '#src/app/settings.ts';
import { AREAS, listAreas, mayUse, STAFF_ROLES } from '#src/shop/permissions.ts';
import { SLICES } from './support/slices.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

test('the glossary lists its terms alphabetically, each once', () => {
  const terms = read('docs/glossary.md')
    .split('\n')
    .flatMap((row) => /^\| ([^|]+?) \|/.exec(row)?.[1] ?? [])
    .slice(2);
  assert.ok(terms.length > 40, `only ${terms.length} terms were read`);
  assert.deepEqual(terms, [...new Set(terms)].toSorted());
});

/** Slices that a slice can reach without its own arrow to `skipped`. */
function listReachable(slice: string, skipped: string): Set<string> {
  const reached = new Set<string>();
  const visit = (current: string): void => {
    for (const next of SLICES[current] ?? []) {
      if ((current === slice && next === skipped) || reached.has(next)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(slice);
  return reached;
}

test('the architecture diagram shows every slice and its imports', () => {
  const arrows = Object.entries(SLICES).flatMap(([slice, imported]) =>
    imported.filter((other) => !listReachable(slice, other).has(other)).map((other) => `${slice} --> ${other}`),
  );
  const connected = new Set(arrows.flatMap((arrow) => arrow.split(' --> ')));
  const alone = Object.keys(SLICES).filter((slice) => !connected.has(slice));
  const picture = /```mermaid\nflowchart TD\n([\s\S]*?)```/.exec(read('docs/architecture.md'))?.[1] ?? '';
  assert.equal(picture, [...arrows, ...alone].map((line) => `  ${line}\n`).join(''));
});

test('every relative link in the documentation leads to a file', () => {
  const paths = globSync(['*.md', 'docs/**/*.md']);
  const broken = paths.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  );
  assert.ok(paths.length > 20, `only ${paths.length} documents were found`);
  assert.deepEqual(broken, []);
});

test('every file that a document names exists', () => {
  // Decision records name the files of their time.
  const paths = globSync(['*.md', 'docs/*.md']);
  const named = paths.flatMap((path) =>
    [...read(path).matchAll(/`((?:db|deploy|docs|public|scripts|src|tests)\/[\w./-]+\.[a-z]+)`/g)].map(
      ([, target = '']) => ({ path, target }),
    ),
  );
  assert.ok(named.length > 100, `only ${named.length} files are named`);
  const missing = named.filter(({ target }) => !existsSync(target)).map(({ path, target }) => `${path}: ${target}`);
  assert.deepEqual(missing, []);
});

test('the manual has one row for each setting', () => {
  const rows = [...read('docs/operating.md').matchAll(/^\| ([A-Z][A-Z_]+(?:, [A-Z_]+)*) \|/gm)];
  const described = rows.flatMap(([, names = '']) => names.split(', '));
  const settings = readSettings({}).effective.map(({ name }) => name);
  const wrong = [
    ...settings.filter((name) => !described.includes(name)).map((name) => `docs/operating.md: add a row for ${name}`),
    ...described
      .filter((name, at) => !settings.includes(name) || described.indexOf(name) !== at)
      .map((name) => `docs/operating.md: remove the row of ${name}`),
  ];
  assert.deepEqual(wrong, []);
});

test('the manual quotes log lines and start errors as the code writes them', () => {
  const source = globSync(['src/**/*.ts', 'scripts/**/*.ts']).map(read).join('\n');
  const lines = read('docs/operating.md')
    .split('\n')
    .filter((line) => /^ *\| `[^`|]*[a-z]{2} [^`|]*`/.test(line))
    .flatMap((line) => [...(line.trim().split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote));
  const unknown = lines.flatMap((line) => line.split('…')).filter((part) => !source.includes(part.trim()));
  assert.ok(lines.length >= 10, `only ${lines.length} lines were read`);
  assert.deepEqual(unknown, []);
});

test('[OPS-17] the manual lists the areas of each role', () => {
  const rows = listAreas().map((area) => {
    const cells = STAFF_ROLES.map((role) => (mayUse(role, area) ? 'yes' : '–'));
    return `| ${[AREAS[area], ...cells].join(' | ')} |`;
  });
  const table = [`| area | ${STAFF_ROLES.join(' | ')} |`, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  assert.ok(read('docs/operating.md').includes(`\n\n${table}\n\n`), `docs/operating.md lacks this table:\n${table}`);
});

test('no document contains the marks of an unresolved merge', () => {
  const marked = globSync(['*.md', 'docs/**/*.md']).filter((path) => /^(?:<{7}|={7}|>{7})(?: |$)/m.test(read(path)));
  assert.deepEqual(marked, []);
});
