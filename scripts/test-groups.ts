/**
 * Runs several test files in one process. A process of its own costs ten times as much as the tests
 * of a rule, and loading its modules as much as a test over HTTP.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestKind } from './select-tests.ts';

const DIRECTORY = 'node_modules/.cache/tests';

/** Processes per kind: more than run at once, so that none of them runs alone at the end. */
const PROCESSES: ReadonlyMap<TestKind, number> = new Map([
  ['shared-shop', 6],
  ['browser', 5],
  ['shop', 8],
  ['database', 5],
  ['rule', 1],
]);

interface GroupedFile {
  readonly path: string;
  readonly kind: TestKind;
  readonly imports: ReadonlySet<string>;
}

/** Replaces files that can share a process by generated files. @returns paths in the order of a run. */
export function groupTests(files: readonly GroupedFile[]): readonly string[] {
  const alone = files.filter(({ kind }) => !PROCESSES.has(kind)).map((file) => file.path);
  const groups = [...PROCESSES].flatMap(([kind, count]) =>
    deal(
      files.filter((file) => file.kind === kind),
      count,
    ).map((group, index) => writeGroup(`${kind}-${index + 1}`, group)),
  );
  // Long files begin first; the many short groups fill the end.
  return [...alone, ...groups];
}

/** Distributes files over groups of similar size. */
function deal(files: readonly GroupedFile[], count: number): GroupedFile[][] {
  const groups = Array.from({ length: Math.min(count, files.length) }, () => ({
    files: [] as GroupedFile[],
    bytes: 0,
  }));
  const sized = files.map((file) => ({ file, bytes: statSync(file.path).size }));
  for (const { file, bytes } of sized.toSorted((a, b) => b.bytes - a.bytes)) {
    const smallest = groups.reduce((least, group) => (group.bytes < least.bytes ? group : least));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }
  return groups.map((group) => group.files);
}

const formatUrl = (file: string): string => JSON.stringify(path.resolve(file));

/** Whether the hooks of this file end something that several test files share. */
const hasHooks = (file: string): boolean =>
  file.startsWith('tests/support/') && /^(?:before|after|beforeEach|afterEach)\(/m.test(readFileSync(file, 'utf8'));

/** Writes a test file with one suite per file and returns its path. */
function writeGroup(name: string, files: readonly GroupedFile[]): string {
  const group = path.join(DIRECTORY, `${name}.mjs`);
  // Loaded outside the suites, so that their hooks run after the last file.
  const shared = [...new Set(files.flatMap(({ imports }) => [...imports]))].filter(hasHooks).toSorted();
  const suites = files.map(
    // `require` evaluates the file within the suite, so that its hooks and tests belong to it.
    (file) => `describe(${JSON.stringify(file.path)}, () => void require(${formatUrl(file.path)}));`,
  );
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(
    group,
    [
      `import { createRequire } from 'node:module';`,
      `import { describe } from 'node:test';`,
      `const require = createRequire(import.meta.url);`,
      ...shared.map((file) => `require(${formatUrl(file)});`),
      ...suites,
      '',
    ].join('\n'),
  );
  return group;
}
