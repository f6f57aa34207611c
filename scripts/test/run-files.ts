/** Runs test files with Node's test runner, several processes at once, and reports them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { reportProgress } from './test-report.ts';
import type { RunReport, TestResult } from './test-report.ts';

/** More than two cores need, since shop tests often wait for jobs. */
const CONCURRENT_PROCESSES = 6;
/** Most files of the second set drive a browser, which runs beside them: more of them only wait for each other. */
const CONCURRENT_PROCESSES_WITH_BROWSERS = 4;
/** Time limit of a process with several test files. On a slow machine the longest took sixteen minutes. */
const PROCESS_TIMEOUT_MS = 40 * 60_000;
/** Ends a run without events, such as a file whose process does not exit after its tests. */
const SILENCE_MS = 11 * 60_000;
/** How long the runner may take to end the remaining files. A process that a test left behind can keep it waiting. */
const ABORT_MS = 30_000;
/** Every test of the last run of a set, one JSON object per line. */
const RESULTS = 'node_modules/.cache/test-results.jsonl';

export interface RunOptions {
  /** Test files by the file that the runner starts for them. */
  readonly processes: ReadonlyMap<string, readonly string[]>;
  readonly name: RegExp | null;
  readonly isBrief: boolean;
  /** Whether most of the files drive a browser. */
  readonly hasBrowsers: boolean;
  /** Ends the run after this time; the files that have not ended count as skipped. Null: no limit. */
  readonly minutes: number | null;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface RunOutcome {
  readonly counts: Counts;
  /** False if a process failed outside its tests, too. */
  readonly isPassed: boolean;
}

export async function runFiles({ processes, name, isBrief, hasBrowsers, minutes }: RunOptions): Promise<RunOutcome> {
  // React chooses its slow development build without it, which cannot render the pages of the build.
  process.env.NODE_ENV = 'production';
  // Compiled code of a test file speeds up the next process that imports it.
  process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compile-tests';
  const stalled = new AbortController();
  const events = run({
    files: [...processes.keys()],
    concurrency: hasBrowsers ? CONCURRENT_PROCESSES_WITH_BROWSERS : CONCURRENT_PROCESSES,
    timeout: PROCESS_TIMEOUT_MS,
    signal: stalled.signal,
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', import.meta.resolve('./untracked-promises.ts')],
    ...(name !== null && { testNamePatterns: [name] }),
  });
  let outcome: RunOutcome = { counts: { passed: 0, failed: 1, skipped: 0 }, isPassed: false };
  events.on('test:summary', ({ file, counts, success }) => {
    // The event without a file is the summary of the whole run.
    if (file !== undefined) return;
    const skipped = counts.skipped + counts.todo;
    const failed = counts.tests - counts.passed - skipped;
    outcome = { counts: { passed: counts.passed, failed, skipped }, isPassed: success };
  });
  const stopWatching = watchSilence(events, stalled);
  if (isBrief) {
    const limit = limitTime(minutes, stalled);
    const report = reportProgress(events, processes, limit.isOver);
    events.on('data', () => {});
    await Promise.race([once(events, 'end'), limit.ended]);
    limit.stop();
    if (limit.isOver()) outcome = countFinished(report);
    report.printFailures();
    writeResults(report.results);
  } else {
    const report = new spec();
    events.pipe(report).pipe(process.stdout, { end: false });
    await once(report, 'end');
  }
  stopWatching();
  return outcome;
}

const once = (stream: NodeJS.EventEmitter, event: string): Promise<void> =>
  new Promise((resolve) => {
    stream.once(event, () => resolve());
  });

interface TimeLimit {
  readonly isOver: () => boolean;
  /** Settled when the processes have had their time to end. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** Aborts a run that takes longer. @param minutes null: no limit */
function limitTime(minutes: number | null, running: AbortController): TimeLimit {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve) => {
    if (minutes === null) return;
    timer = setTimeout(() => {
      isOver = true;
      running.abort();
      setTimeout(resolve, ABORT_MS).unref();
      // Only if something that a test left behind keeps this process alive.
      setTimeout(() => process.exit(), 2 * ABORT_MS).unref();
    }, minutes * 60_000);
  });
  return { isOver: () => isOver, ended, stop: () => clearTimeout(timer) };
}

/** Of a run that was ended early. Each file that has not ended counts as one skipped test. */
function countFinished(report: RunReport): RunOutcome {
  const unfinished = report.listUnfinished();
  console.log(`\nTHE TIME WAS UP. ${unfinished.length} files did not run to their end:\n${unfinished.join('\n')}`);
  const count = (outcome: TestResult['outcome']): number =>
    report.results.filter((result) => result.outcome === outcome).length;
  const failed = report.countFailures();
  const counts = { passed: count('passed'), failed, skipped: count('skipped') + unfinished.length };
  return { counts, isPassed: failed === 0 };
}

function writeResults(results: readonly TestResult[]): void {
  mkdirSync('node_modules/.cache', { recursive: true });
  writeFileSync(RESULTS, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
}

/** Aborts a run in which no test ends any more. @returns a function that stops watching */
function watchSilence(events: ReturnType<typeof run>, stalled: AbortController): () => void {
  const abort = (): void => {
    console.error(`No test has ended for ${SILENCE_MS / 60_000} minutes. Aborting the remaining files.`);
    stalled.abort();
    setTimeout(() => {
      console.error('The remaining files did not end.');
      console.log('0 passed, 1 failed, 0 skipped');
      process.exit(1);
    }, ABORT_MS).unref();
  };
  let silence = setTimeout(abort, SILENCE_MS);
  const restart = (): void => {
    clearTimeout(silence);
    silence = setTimeout(abort, SILENCE_MS);
  };
  events.on('test:complete', restart);
  return () => {
    clearTimeout(silence);
    events.off('test:complete', restart);
  };
}
