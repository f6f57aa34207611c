/** Selects test files by path, by test name, or by changes since a commit. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { closureOf, filesOf, readImportGraph } from './import-graph.ts';
import type { ImportGraph } from './import-graph.ts';

const SHOP = 'tests/support/shop-process.ts';
const BROWSER = 'tests/support/chromium.ts';
const SHARED_SHOP = 'tests/support/shared-shop.ts';

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
export const allTests = (): readonly string[] => [
  ...new Set(GROUPS.flatMap((pattern) => filesOf([pattern]).toSorted())),
];

export interface TestNeeds {
  /** It opens a page, so the bundles must be current. */
  readonly isPageOpened: boolean;
  /** It uses no database, server or file. Such tests share one process. */
  readonly isRule: boolean;
  /** It uses the shop that test files share. */
  readonly sharesShop: boolean;
}

const OUTSIDE =
  /['"]node:(?:child_process|cluster|fs|http|https|net|tls|worker_threads|dgram|test\/)|['"](?:pg|kysely|ws|fastify)['"]/;
/** A test that replaces something global (clock, environment, window), or that `require` cannot load (top-level await). */
const GLOBAL = /\bmock\b|process\.(?:env|once|on|chdir|exit)|\bglobalThis\b|\bwindow\b|^(?:const .* = )?await\b/m;

export function needsOf(graph: ImportGraph, file: string): TestNeeds {
  const closure = closureOf(graph, file);
  const code = readFileSync(file, 'utf8');
  const isShop = closure.has(SHOP);
  return {
    isPageOpened: closure.has(BROWSER) || (isShop && /\burl\b/i.test(code)) || file === 'scripts/build-inputs.test.ts',
    sharesShop: closure.has(SHARED_SHOP),
    isRule:
      file.startsWith('src/') &&
      !GLOBAL.test(code) &&
      [...closure].every((source) => !/\.tsx?$/.test(source) || !OUTSIDE.test(readFileSync(source, 'utf8'))),
  };
}

/**
 * Tests that a change of these files may affect. A test that starts the shop depends on the whole
 * server; a journey only on what the pages import, since the HTTP tests cover the server.
 */
export function affectedTests(graph: ImportGraph, tests: readonly string[], changed: readonly string[]): string[] {
  if (changed.some((file) => AFFECTS_ALL.test(file))) return [...tests];
  const isChanged = new Set(changed);
  return tests.filter((file) => {
    if (ALWAYS.has(file)) return changed.length > 0;
    const opensBrowser = closureOf(graph, file).has(BROWSER);
    const closure = closureOf(graph, file, opensBrowser ? [SHOP] : []);
    return [...closure].some((source) => isChanged.has(source));
  });
}

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Files that differ from a commit, untracked ones included. */
export const changedSince = (ref: string): string[] => [
  ...git('diff', '--name-only', ref, '--'),
  ...git('ls-files', '--others', '--exclude-standard'),
];

/** Whether a file may have a test of that name. Titles built at run time match any name. */
export function mayHold(file: string, name: RegExp): boolean {
  const code = readFileSync(file, 'utf8');
  return name.test(code) || /\btest\(\s*(?:`[^`]*\$\{|[a-z])/.test(code);
}

export interface Selection {
  readonly parts: readonly string[];
  readonly name: RegExp | null;
  /** Null: regardless of changes. */
  readonly changedSince: string | null;
}

export function selectTests({ parts, name, changedSince: ref }: Selection): readonly string[] {
  const named = allTests()
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .filter((file) => name === null || mayHold(file, name));
  return ref === null ? named : affectedTests(readImportGraph(), named, changedSince(ref));
}
