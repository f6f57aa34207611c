/**
 * Runs several test files in one process. A process of its own costs ten times as much as the tests
 * of a rule, and a shop and a browser cost as much as those of a journey.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const DIRECTORY = 'node_modules/.cache/tests';

/** Their hooks end a shared shop and browser after the last file, so they are loaded before the first. */
const SHARED = ['tests/support/shared-shop.ts', 'tests/support/browser.ts'];
/** More than run at once, so that none of them runs alone at the end. */
const SHARED_GROUPS = 6;

interface GroupedFile {
  readonly path: string;
  /** Tests of rules share a process. */
  readonly isRule: boolean;
  /** Tests that use the shared shop share a few. */
  readonly sharesShop: boolean;
}

const isLong = (file: string): boolean => /every-|real-node-scenarios/.test(file);

/** Replaces files that can share a process by generated files. @returns paths in the order of a run. */
export function groupTests(files: readonly GroupedFile[]): readonly string[] {
  const rules = files.filter(({ isRule }) => isRule);
  const sharing = files.filter(({ sharesShop }) => sharesShop);
  const grouped = new Set([...(rules.length > 1 ? rules : []), ...(sharing.length > 1 ? sharing : [])]);
  const alone = files.filter((file) => !grouped.has(file)).map((file) => file.path);
  return [
    ...alone.filter(isLong),
    ...(sharing.length > 1
      ? deal(sharing.map((file) => file.path)).map((group, index) => writeGroup(`journeys-${index + 1}`, group, SHARED))
      : []),
    ...(rules.length > 1
      ? [
          writeGroup(
            'rules',
            rules.map((file) => file.path),
          ),
        ]
      : []),
    ...alone.filter((file) => !isLong(file)),
  ];
}

/** Distributes files over groups of similar size. */
function deal(files: readonly string[]): string[][] {
  const groups = Array.from({ length: Math.min(SHARED_GROUPS, files.length) }, () => ({
    files: [] as string[],
    bytes: 0,
  }));
  const sized = files.map((file) => ({ file, bytes: statSync(file).size }));
  for (const { file, bytes } of sized.toSorted((a, b) => b.bytes - a.bytes)) {
    const smallest = groups.reduce((least, group) => (group.bytes < least.bytes ? group : least));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }
  return groups.map((group) => group.files);
}

const urlOf = (file: string): string => JSON.stringify(path.resolve(file));

/** Writes a test file with one suite per file and returns its path. */
function writeGroup(name: string, files: readonly string[], loadedFirst: readonly string[] = []): string {
  const group = path.join(DIRECTORY, `${name}.mjs`);
  const suites = files.map(
    // `require` evaluates the file within the suite, so that its hooks and tests belong to it.
    (file) => `describe(${JSON.stringify(file)}, () => void require(${urlOf(file)}));`,
  );
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(
    group,
    [
      `import { createRequire } from 'node:module';`,
      `import { describe } from 'node:test';`,
      `const require = createRequire(import.meta.url);`,
      ...loadedFirst.map((file) => `require(${urlOf(file)});`),
      ...suites,
      '',
    ].join('\n'),
  );
  return group;
}
