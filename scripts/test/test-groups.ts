/**
 * Runs several test files in one process. A process of its own costs ten times as much as the tests
 * of a rule, and loading its modules as much as a test over HTTP.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DATABASE } from './select-tests.ts';
import type { TestKind } from './select-tests.ts';
import type { TestCosts } from './test-costs.ts';

const DIRECTORY = 'node_modules/.cache/tests';
const RECORDER = 'tests/support/cost-recorder.ts';

/**
 * Processes per kind: more than run at once, so that none of them runs alone at the end, but not many, since each
 * loads the same modules.
 */
const PROCESSES: ReadonlyMap<TestKind, number> = new Map([
  ['browser', 12],
  ['shop', 6],
  ['database', 4],
  ['system', 2],
  ['rule', 1],
]);
/** Elapsed seconds of a new file per kilobyte. */
const SECONDS_PER_KILOBYTE = 0.4;

export interface GroupedFile {
  readonly path: string;
  readonly kind: TestKind;
  readonly imports: ReadonlySet<string>;
}

/** Test files that run in one process, one after the other. */
export interface TestProcess {
  readonly name: string;
  readonly files: readonly GroupedFile[];
  /** Expected elapsed time. */
  readonly seconds: number;
}

/** Distributes test files over processes, those that take longest first. */
export function planProcesses(files: readonly GroupedFile[], costs: TestCosts['files']): readonly TestProcess[] {
  const timed = files.map((file) => ({
    file,
    seconds: costs[file.path]?.elapsed ?? (statSync(file.path).size / 1024) * SECONDS_PER_KILOBYTE,
  }));
  const alone = timed
    .filter(({ file }) => !PROCESSES.has(file.kind))
    .map(({ file, seconds }) => ({ name: file.path.replaceAll(/[^\w.-]/g, '-'), files: [file], seconds }));
  const shared = [...PROCESSES].flatMap(([kind, count]) =>
    deal(
      kind,
      timed.filter(({ file }) => file.kind === kind),
      count,
    ),
  );
  return [...alone, ...shared].toSorted((a, b) => b.seconds - a.seconds);
}

interface TimedFile {
  readonly file: GroupedFile;
  readonly seconds: number;
}

/** Distributes files over processes that take about as long as each other. */
function deal(kind: TestKind, files: readonly TimedFile[], count: number): TestProcess[] {
  const processes = Array.from({ length: Math.min(files.length, count) }, () => ({
    files: [] as GroupedFile[],
    seconds: 0,
  }));
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds)) {
    const shortest = processes.reduce((least, one) => (one.seconds < least.seconds ? one : least));
    shortest.files.push(file);
    shortest.seconds += seconds;
  }
  return processes.map((one, index) => ({ ...one, name: `${kind}-${index + 1}` }));
}

/** Writes a file per process. @returns the test files by its path, in the order of a run */
export function writeProcesses(processes: readonly TestProcess[]): ReadonlyMap<string, readonly string[]> {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  return new Map(processes.map((one) => [writeProcess(one), one.files.map((file) => file.path)]));
}

const formatUrl = (file: string): string => JSON.stringify(path.resolve(file));

/** Whether the hooks of this file end something that several test files share. */
const hasHooks = (file: string): boolean =>
  file.startsWith('tests/support/') && /^(?:before|after|beforeEach|afterEach)\(/m.test(readFileSync(file, 'utf8'));

/** Writes a file with one suite per test file and returns its path. */
function writeProcess({ name, files }: TestProcess): string {
  const written = path.join(DIRECTORY, `${name}.mjs`);
  const [first] = files;
  writeFileSync(written, first?.kind === 'alone' ? writeSingle(first) : writeSuites(files));
  return written;
}

const HEAD = [
  `import { createRequire } from 'node:module';`,
  `import { after, before, describe } from 'node:test';`,
  `const require = createRequire(import.meta.url);`,
  `const { beginFile, endFile, recordProcess } = require(${formatUrl(RECORDER)});`,
];

/** For a file that has its own process. Unlike `require`, `import` loads one that awaits at its top level. */
const writeSingle = (file: GroupedFile): string =>
  [...HEAD, `recordProcess(${JSON.stringify(file.path)});`, `await import(${formatUrl(file.path)});`, ''].join('\n');

function writeSuites(files: readonly GroupedFile[]): string {
  // Loaded outside the suites, so that their hooks run after the last file.
  const shared = [...new Set(files.flatMap(({ imports }) => [...imports]))].filter(hasHooks).toSorted();
  // The connections of databases that stay open would use up those of the server.
  const closing = files.some(({ imports }) => imports.has(DATABASE))
    ? `after(() => require(${formatUrl(DATABASE)}).closeTestDatabases());`
    : '';
  const suites = files.map((file) =>
    [
      `describe(${JSON.stringify(file.path)}, () => {`,
      '  before(beginFile);',
      // `require` evaluates the file within the suite, so that its hooks and tests belong to it.
      `  require(${formatUrl(file.path)});`,
      closing,
      `  after(() => endFile(${JSON.stringify(file.path)}));`,
      '});',
    ].join('\n'),
  );
  return [...HEAD, 'recordProcess(null);', ...shared.map((file) => `require(${formatUrl(file)});`), ...suites, ''].join(
    '\n',
  );
}
