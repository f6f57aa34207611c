/** The order in which test files run against a fault: those that most likely find it, and soonest, come first. */
import path from 'node:path';
import type { ImportGraph } from '../../test/import-graph.ts';
import { computeNeeds } from '../../test/select-tests.ts';
import { isInFirstSet } from '../../test/test-sets.ts';

/** They read the source and fail for any change of its form, or list these faults. */
const OF_FORM = new Set([
  'tests/static-checks.test.ts',
  'tests/architecture.test.ts',
  'scripts/stress/mutations/mutation-faults.test.ts',
]);

/** Files of one run. */
export interface TestBatch {
  readonly files: readonly string[];
  readonly isFirstSet: boolean;
}

interface KnownTest {
  readonly file: string;
  readonly imports: ReadonlySet<string>;
  readonly isPageOpened: boolean;
  /** What it costs: 0 for a rule. */
  readonly rank: number;
  readonly isFirstSet: boolean;
}

const RULE_RANK = 0;
const RANKS: ReadonlyMap<string, number> = new Map([
  ['rule', RULE_RANK],
  ['database', 1],
  ['shop', 2],
  ['browser', 4],
]);

/** Files of one run. Few near ones, since their processes begin at once and the run ends at its first failure. */
const NEAR_BATCH = 8;
const FAR_BATCH = 32;
const FAR = 4;

/** A test of another kind costs what its folder suggests. */
function rankTest(file: string, kind: string, isPageOpened: boolean): number {
  const rank = RANKS.get(kind) ?? (file.startsWith('src/') ? 1 : 2);
  if (rank === RULE_RANK) return rank;
  if (file.startsWith('tests/journeys/')) return 4;
  // The pages may have to be built.
  return isPageOpened ? 3 : rank;
}

/** All test files, except those that check form. */
export function readTests(graph: ImportGraph, files: readonly string[]): readonly KnownTest[] {
  return files
    .filter((file) => !OF_FORM.has(file))
    .map((file) => {
      const { imports, isPageOpened, kind } = computeNeeds(graph, file);
      return {
        file,
        imports,
        isPageOpened,
        rank: rankTest(file, kind, isPageOpened),
        isFirstSet: isInFirstSet(file),
      };
    });
}

const isOfPage = (file: string): boolean => file.endsWith('.tsx') || /\/web\/|^src\/(?:ui|storefront)\//.test(file);

/** They occur in the paths of too many files. */
const COMMON_WORDS = new Set([
  'admin',
  'journey',
  'page',
  'platform',
  'service',
  'shop',
  'src',
  'store',
  'test',
  'web',
]);

/** Words of a path that name what it is about, in the singular. */
const listWords = (file: string): readonly string[] =>
  file
    .replace(/\.(?:test\.)?tsx?$/, '')
    .split(/[/.-]/)
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word.length > 2 && !COMMON_WORDS.has(word));

/** They test every call: who may make it, how often, and what is recorded. */
const OF_ALL_CALLS =
  /^tests\/(?:access|audit-coverage|call-limits|recent-password|shared-limits|staff-reads)\.test\.ts$/;

/** How far a test is from a file: 0 for its own test, `FAR` without anything in common. */
function computeDistance(test: string, file: string): number {
  if (test.replace('.test.ts', '') === file.replace(/\.tsx?$/, '')) return 0;
  if (file.endsWith('routes.ts') && OF_ALL_CALLS.test(test)) return 2;
  const folder = path.posix.dirname(file).replace(/\/web$/, '');
  if (path.posix.dirname(test) === folder) return 1;
  const words = new Set(listWords(file));
  const common = listWords(test).filter((word) => words.has(word)).length;
  if (common > 1) return 2;
  return common === 1 ? 3 : FAR;
}

/** Whether a test may notice a change of the file. HTTP tests also open pages, which they do not import. */
const mayFind = ({ imports, isPageOpened }: KnownTest, file: string): boolean =>
  imports.has(file) || (isPageOpened && isOfPage(file));

/** The runs for a fault in this file, in order: the first set, then the rest; in each near tests first, and of these rules. */
export function planBatches(tests: readonly KnownTest[], file: string): readonly TestBatch[] {
  const found = tests
    .filter((test) => mayFind(test, file))
    .map((test) => ({ ...test, distance: computeDistance(test.file, file) }));
  const listSet = (isFirstSet: boolean): TestBatch[] =>
    chunk(
      found
        .filter((test) => test.isFirstSet === isFirstSet)
        .toSorted(
          (a, b) =>
            Number(isFar(a)) - Number(isFar(b)) ||
            a.rank - b.rank ||
            a.distance - b.distance ||
            (a.file < b.file ? -1 : 1),
        ),
    ).map((batch) => ({ files: batch.map((test) => test.file), isFirstSet }));
  return [...listSet(true), ...listSet(false)];
}

interface PlacedTest extends KnownTest {
  readonly distance: number;
}

const isFar = ({ distance }: PlacedTest): boolean => distance === FAR;

/** Files of different costs never share a run, since the costly ones would begin with the others. */
function chunk(tests: readonly PlacedTest[]): PlacedTest[][] {
  const batches: PlacedTest[][] = [];
  for (const test of tests) {
    const last = batches.at(-1);
    const [first] = last ?? [];
    const hasRoom = (last?.length ?? 0) < (isFar(test) ? FAR_BATCH : NEAR_BATCH) || test.rank === RULE_RANK;
    if (first !== undefined && hasRoom && first.rank === test.rank && isFar(first) === isFar(test)) last?.push(test);
    else batches.push([test]);
  }
  return batches;
}
