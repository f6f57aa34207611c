/**
 * Runs several test files in one process. A process of its own costs ten times as much as the tests
 * of a rule, and loading its modules as much as a test over HTTP.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DATABASE } from './select-tests.ts';
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

/** Several files of one process, or a single one without a name. In the order of a run. */
interface TestProcess {
  /** Null: the file runs as it is. */
  readonly name: string | null;
  readonly files: readonly GroupedFile[];
}

/** Distributes test files over processes. */
export function planProcesses(files: readonly GroupedFile[]): readonly TestProcess[] {
  const alone = files.filter(({ kind }) => !PROCESSES.has(kind)).map((file) => ({ name: null, files: [file] }));
  const groups = [...PROCESSES].flatMap(([kind, count]) =>
    deal(
      files.filter((file) => file.kind === kind),
      count,
    ).map((group, index) => ({ name: `${kind}-${index + 1}`, files: group })),
  );
  // Long files begin first; the many short groups fill the end.
  return [...alone, ...groups];
}

/** Replaces files that can share a process by generated files. @returns paths in the order of a run. */
export const groupTests = (files: readonly GroupedFile[]): readonly string[] =>
  planProcesses(files).flatMap(({ name, files: group }) =>
    name === null ? group.map((file) => file.path) : [writeGroup(name, group)],
  );

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
  // The connections of databases that stay open would use up those of the server.
  const closing = files.some(({ imports }) => imports.has(DATABASE))
    ? `after(() => require(${formatUrl(DATABASE)}).closeTestDatabases());`
    : '';
  const suites = files.map(
    // `require` evaluates the file within the suite, so that its hooks and tests belong to it.
    (file) => `describe(${JSON.stringify(file.path)}, () => { require(${formatUrl(file.path)}); ${closing} });`,
  );
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(
    group,
    [
      `import { createRequire } from 'node:module';`,
      `import { after, describe } from 'node:test';`,
      `const require = createRequire(import.meta.url);`,
      ...shared.map((file) => `require(${formatUrl(file)});`),
      ...suites,
      '',
    ].join('\n'),
  );
  return group;
}
