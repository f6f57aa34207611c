/**
 * Prints a whole run: a line for each finished file with the progress so far, and each failure at once. The failures are
 * printed again at the end, since a run prints hundreds of lines and logs are often shortened to their last ones.
 */
import path from 'node:path';
import { inspect } from 'node:util';
import type { run } from 'node:test';

type Events = ReturnType<typeof run>;

interface Completed {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly skip?: string | boolean | undefined;
  readonly details: {
    readonly passed: boolean;
    readonly duration_ms: number;
    readonly type?: 'suite' | 'test' | undefined;
    readonly error?: Error | undefined;
  };
}

/** One finished test. */
export interface TestResult {
  readonly file: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
}

const showPath = (file: string | undefined): string => (file === undefined ? '' : path.relative('.', file));

/** A failure that only says that a subtest failed is not printed again. */
const isOwnFailure = ({ details: { error } }: Completed): boolean =>
  !(error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed');

function formatFailure(test: Completed): string {
  const { error } = test.details;
  const cause = error?.cause instanceof Error ? error.cause : error;
  const where = `${showPath(test.file)}:${test.line ?? 0}`;
  return `✖ ${test.name}\n  ${where}\n${inspect(cause).replaceAll(/^/gm, '    ')}\n`;
}

function describeOutcome({ skip, details: { passed } }: Completed): TestResult['outcome'] {
  if (!passed) return 'failed';
  return skip === undefined ? 'passed' : 'skipped';
}

export interface RunReport {
  readonly results: readonly TestResult[];
  /** Also of hooks and of processes. */
  readonly countFailures: () => number;
  /** Test files of the run that have not ended. */
  readonly listUnfinished: () => readonly string[];
  /** Prints the failures again, if there were any. */
  readonly printFailures: () => void;
}

/**
 * Follows a run. Uses `test:complete`, since other events wait for the files before them.
 * @param processes test files by the file that runs them
 * @param isOver whether the run was ended early: what follows is not counted
 */
export function reportProgress(
  events: Events,
  processes: ReadonlyMap<string, readonly string[]>,
  isOver: () => boolean,
): RunReport {
  const files = new Set([...processes.values()].flat());
  const startedMs = performance.now();
  const done = new Set<string>();
  const results: TestResult[] = [];
  const failures: string[] = [];
  const printFailure = (test: Completed): void => {
    const failure = formatFailure(test);
    failures.push(failure);
    console.log(failure);
  };
  const finish = (file: string, milliseconds: number | null): void => {
    if (!files.has(file) || done.has(file)) return;
    done.add(file);
    const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
    const took = milliseconds === null ? '' : `, ${(milliseconds / 1000).toFixed(1)} s`;
    console.log(
      `${done.size}/${files.size} files, ${failures.length} failed, ${minutes} min: ${file} (${results.length} tests so far${took})`,
    );
  };
  events.on('test:complete', (test: Completed) => {
    if (isOver()) return;
    const { passed, duration_ms: milliseconds, type } = test.details;
    if (type === 'suite') {
      if (!passed && isOwnFailure(test)) printFailure(test);
      if (test.nesting === 0) finish(test.name, milliseconds);
      return;
    }
    const outcome = describeOutcome(test);
    const isProcess = processes.has(showPath(test.name));
    if (!isProcess) results.push({ file: showPath(test.file), title: test.name, outcome, milliseconds });
    // Parents, and the process of the file, only repeat a failure.
    if (outcome === 'failed' && isOwnFailure(test)) printFailure(test);
  });
  // Files whose tests belong to no suite.
  events.on('test:summary', ({ file }) => {
    if (isOver()) return;
    for (const one of processes.get(showPath(file)) ?? []) finish(one, null);
  });
  // An error outside of any test, which fails its process.
  events.on('test:diagnostic', ({ message }) => {
    if (/^(?:Error|Warning): /.test(message)) console.log(message);
  });
  events.on('test:stderr', ({ message }) => process.stderr.write(message));
  events.on('test:stdout', ({ message }) => process.stdout.write(message));
  return {
    results,
    countFailures: () => failures.length,
    listUnfinished: () => [...files].filter((file) => !done.has(file)),
    printFailures: () => {
      if (failures.length > 0) console.log(`\nFailures of this run:\n\n${failures.join('\n')}`);
    },
  };
}
