/** Selects test files by path, by test name, or by changes since a commit. */
import { BUILT_PAGES } from '../../tests/support/built-pages.ts';
import { OWN_PROCESS } from '../../tests/support/own-process.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { computeClosure, listFiles, readImportGraph } from './import-graph.ts';
import type { ImportGraph } from './import-graph.ts';

const SHOPS = ['tests/support/shop.ts', 'tests/support/shop-process.ts'];
const BROWSER = 'tests/support/chromium.ts';
export const DATABASE = 'tests/support/database.ts';

const TESTS = ['tests/**/*.test.ts', 'src/**/*.test.ts', 'scripts/**/*.test.ts'];
/** A change of these may affect every test. */
const AFFECTS_ALL = /^(?:package-lock\.json|package\.json|tsconfig.*\.json|vite\.config\.ts|react-router\.config\.ts)$/;
/** Tests that read the whole source. */
const ALWAYS = new Set(['tests/architecture.test.ts']);

/** All test files. */
export const listTests = (): readonly string[] => listFiles(TESTS).toSorted();

/** What a test file shares with others of its process. `alone`: nothing. */
export type TestKind = 'rule' | 'system' | 'database' | 'shop' | 'browser' | 'alone';

export interface TestNeeds {
  /** It opens a page, so the bundles must be current. */
  readonly isPageOpened: boolean;
  readonly kind: TestKind;
  /** Files that it imports, directly or not. */
  readonly imports: ReadonlySet<string>;
}

function chooseKind(file: string, imports: ReadonlySet<string>, isAlone: boolean): TestKind {
  if (isAlone) return 'alone';
  if (imports.has(BROWSER)) return 'browser';
  if (SHOPS.some((shop) => imports.has(shop))) return 'shop';
  if (imports.has(DATABASE)) return 'database';
  return file.startsWith('src/') ? 'rule' : 'system';
}

/** A test declares what it needs by the modules of tests/support that it imports. */
export function computeNeeds(graph: ImportGraph, file: string): TestNeeds {
  const imports = computeClosure(graph, file);
  const declares = (module: string): boolean => graph.get(file)?.has(module) ?? false;
  return {
    isPageOpened: imports.has(BROWSER) || declares(BUILT_PAGES),
    kind: chooseKind(file, imports, declares(OWN_PROCESS)),
    imports,
  };
}

/**
 * Tests that a change of these files may affect. A test that starts the shop depends on the whole
 * server; a journey only on what the pages import, since the HTTP tests cover the server.
 */
export function selectAffectedTests(
  graph: ImportGraph,
  tests: readonly string[],
  changed: readonly string[],
): string[] {
  if (changed.some((file) => AFFECTS_ALL.test(file))) return [...tests];
  const isChanged = new Set(changed);
  return tests.filter((file) => {
    if (ALWAYS.has(file)) return changed.length > 0;
    const opensBrowser = computeClosure(graph, file).has(BROWSER);
    const closure = computeClosure(graph, file, opensBrowser ? SHOPS : []);
    return [...closure].some((source) => isChanged.has(source));
  });
}

const runGit = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Files that differ from a commit, untracked ones included. */
const listChangedSince = (ref: string): string[] => [
  ...runGit('diff', '--name-only', ref, '--'),
  ...runGit('ls-files', '--others', '--exclude-standard'),
];

/** Titles built at run time match any name. */
const BUILT_TITLE = /(?<![.\w])test\(\s*(?:`[^`]*\$\{|[a-z])/;

/** Whether a file, or a support file that declares tests for it, may have a test of that name. */
export function mayHold(graph: ImportGraph, file: string, name: RegExp): boolean {
  const declaring = [...computeClosure(graph, file)].filter(
    (source) => source === file || source.startsWith('tests/support/'),
  );
  return declaring.some((source) => {
    const code = readFileSync(source, 'utf8');
    return BUILT_TITLE.test(code) || (source === file && name.test(code));
  });
}

export interface Selection {
  readonly parts: readonly string[];
  readonly name: RegExp | null;
  /** Null: regardless of changes. */
  readonly changedSince: string | null;
}

export function selectTests({ parts, name, changedSince: ref }: Selection): readonly string[] {
  const named = listTests().filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (name === null && ref === null) return named;
  const graph = readImportGraph();
  const held = name === null ? named : named.filter((file) => mayHold(graph, file, name));
  return ref === null ? held : selectAffectedTests(graph, held, listChangedSince(ref));
}
