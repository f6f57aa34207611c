/** Selects test files by path, by test name, or by changes since a commit. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { computeClosure, listFiles, readImportGraph } from './import-graph.ts';
import type { ImportGraph } from './import-graph.ts';

const SHOP = 'tests/support/shop-process.ts';
const BROWSER = 'tests/support/chromium.ts';
const SHARED_SHOP = 'tests/support/shared-shop.ts';
export const DATABASE = 'tests/support/database.ts';

/** The order in which files start: long ones first, so that no single file runs at the end. */
const GROUPS = [
  'tests/journeys/every-*.test.ts',
  'tests/real-node-scenarios.test.ts',
  'tests/static-checks.test.ts',
  'tests/*.test.ts',
  'tests/journeys/*.test.ts',
  'src/**/*.test.ts',
  'scripts/*.test.ts',
];
/** A change of these may affect every test. */
const AFFECTS_ALL = /^(?:package-lock\.json|package\.json|tsconfig.*\.json|vite\.config\.ts|react-router\.config\.ts)$/;
/** Tests that read the whole source. */
const ALWAYS = new Set(['tests/architecture.test.ts']);

/** All test files, in the order of a run. */
export const listTests = (): readonly string[] => [
  ...new Set(GROUPS.flatMap((pattern) => listFiles([pattern]).toSorted())),
];

/**
 * What a test file shares with others of its process. `alone`: nothing, because it replaces
 * something global or takes long.
 */
export type TestKind = 'rule' | 'database' | 'shop' | 'browser' | 'shared-shop' | 'alone';

export interface TestNeeds {
  /** It opens a page, so the bundles must be current. */
  readonly isPageOpened: boolean;
  readonly kind: TestKind;
  /** Files that it imports, directly or not. */
  readonly imports: ReadonlySet<string>;
}

/** It takes as long as a whole group of others. */
const LONG = /every-|simulations|real-node|stress|cluster|sync-thousand|scenario-mails|static-checks/;
const OUTSIDE =
  /['"]node:(?:child_process|cluster|fs|http|https|net|tls|worker_threads|dgram|test\/)|['"](?:pg|kysely|ws|fastify)['"]/;
/** A test that replaces something global (clock, environment, window), or that `require` cannot load (top-level await). */
const GLOBAL = /\bmock\b|process\.(?:env|once|on|chdir|exit)|\bglobalThis\b|\bwindow\.\w+ = |^(?:const .* = )?await\b/m;

function chooseKind(file: string, code: string, imports: ReadonlySet<string>): TestKind {
  if (imports.has(SHARED_SHOP)) return 'shared-shop';
  if (LONG.test(file) || GLOBAL.test(code)) return 'alone';
  if (imports.has(BROWSER)) return 'browser';
  if (imports.has(SHOP)) return 'shop';
  if (imports.has(DATABASE)) return 'database';
  const isRule = [...imports].every((source) => !/\.tsx?$/.test(source) || !OUTSIDE.test(readFileSync(source, 'utf8')));
  return file.startsWith('src/') && isRule ? 'rule' : 'alone';
}

export function computeNeeds(graph: ImportGraph, file: string): TestNeeds {
  const imports = computeClosure(graph, file);
  const code = readFileSync(file, 'utf8');
  const kind = chooseKind(file, code, imports);
  const opensPage = imports.has(BROWSER) || (imports.has(SHOP) && /\burl\b/i.test(code));
  return { isPageOpened: opensPage || file === 'scripts/build-inputs.test.ts', kind, imports };
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
    const closure = computeClosure(graph, file, opensBrowser ? [SHOP] : []);
    return [...closure].some((source) => isChanged.has(source));
  });
}

const runGit = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Files that differ from a commit, untracked ones included. */
export const listChangedSince = (ref: string): string[] => [
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
