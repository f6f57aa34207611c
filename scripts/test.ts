/**
 * `npm test [-- PART …] [-t NAME] [--changed [REF]] [--watch]`: one run of Node's test runner. Without
 * arguments it runs all tests: source checks, rules, the shop over HTTP, and browser journeys. Builds
 * the pages only if a selected test opens one.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { findBitcoind } from '../tests/support/bitcoind.ts';
import { shareTestServer } from '../tests/support/database-server.ts';
import { findClusterObstacle } from '../tests/support/cluster/namespaces.ts';
import { findProgram, OPTIONAL_PROGRAMS } from '../tests/support/programs.ts';
import { ACCEPT_STALE_PAGES, buildWhenStale } from './build-when-stale.ts';
import { readImportGraph } from './import-graph.ts';
import { computeNeeds, selectTests } from './select-tests.ts';
import type { Selection } from './select-tests.ts';
import { groupTests } from './test-groups.ts';
import { watchTests } from './watch-tests.ts';

/** More than two cores need, since journeys often wait for the browser and shop tests for jobs. */
const CONCURRENT_FILES = 4;
/** Time limit of a process with several test files. On a slow machine the longest took sixteen minutes. */
const TEST_TIMEOUT_MS = 40 * 60_000;
/** Ends a run without events, such as a file whose process does not exit after its tests. */
const SILENCE_MS = 11 * 60_000;
/** How long the runner may take to end the remaining files. A process that a test left behind can keep it waiting. */
const ABORT_MS = 30_000;

const USAGE = `Usage: npm test [-- PART …] [-t NAME] [--changed [REF]] [--watch]
  PART             test files whose path contains it, such as refunds or journeys/cart
  -t NAME          tests whose title matches this regular expression
  --changed [REF]  tests that changes since this commit may affect; default HEAD
  --watch          runs the affected tests after each edit`;

/** Files that also test a real Bitcoin node if there is one. */
const NODE_TESTS = /conformance|chain-sources|catch-up|real-node|node-settings|operating-commands/;
const NO_NODE = `
NO BITCOIN NODE WAS FOUND: Bitcoin Core was tested as a simulation only. Install bitcoind (Debian: bitcoin-knots)
or set its path: BITCOIND=/path/to/bitcoind npm test real-node chain-sources catch-up conformance`;

/** Files that test deployment files, a cluster and the manual with programs of the system. */
const PROGRAM_TESTS = /cluster|deploy-|operating-commands/;
const CLUSTER_TEST = 'tests/cluster.test.ts';
const listMissingPrograms = (): string[] => OPTIONAL_PROGRAMS.filter((name) => findProgram(name) === null);

interface Arguments extends Selection {
  readonly isWatching: boolean;
}

/** Null for an unknown option or a missing value. */
function readArguments(args: readonly string[]): Arguments | null {
  const parts: string[] = [];
  let name: RegExp | null = null;
  let changedSince: string | null = null;
  let isWatching = false;
  const remaining = [...args];
  for (let argument = remaining.shift(); argument !== undefined; argument = remaining.shift()) {
    if (argument === '-t') {
      const pattern = remaining.shift();
      if (pattern === undefined) return null;
      name = new RegExp(pattern);
    } else if (argument === '--watch') isWatching = true;
    else if (argument.startsWith('--changed=')) changedSince = argument.slice('--changed='.length);
    else if (argument === '--changed') changedSince = takeCommit(remaining);
    else if (argument.startsWith('-')) return null;
    else parts.push(argument);
  }
  return { parts, name, changedSince, isWatching };
}

/** Takes the next argument as a commit unless it matches a test file. */
function takeCommit(remaining: string[]): string {
  const [next] = remaining;
  if (next === undefined || next.startsWith('-')) return 'HEAD';
  const isPart = selectTests({ parts: [next], name: null, changedSince: null }).length > 0;
  return isPart ? 'HEAD' : (remaining.shift() ?? 'HEAD');
}

async function runTests(files: readonly string[], name: RegExp | null): Promise<void> {
  const graph = readImportGraph();
  const tests = files.map((path) => ({ path, ...computeNeeds(graph, path) }));
  const isPageOpened = tests.some((file) => file.isPageOpened);
  if (!isPageOpened) process.env[ACCEPT_STALE_PAGES] = '1';
  // The other tests run even after a failed build, which counts as a failure.
  const failedBuilds = isPageOpened && (await buildWhenStale()) === 'failed' ? 1 : 0;
  // Several files share one database server; a single file starts its own.
  const stopServer = files.length > 1 ? await shareTestServer() : null;
  // A name must not match the path under which a group shows a file.
  const grouped = name === null ? groupTests(tests) : files;

  // Compiled code of a test file speeds up the next process that imports it.
  process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compile-tests';
  const stalled = new AbortController();
  const events = run({
    files: [...grouped],
    concurrency: CONCURRENT_FILES,
    timeout: TEST_TIMEOUT_MS,
    signal: stalled.signal,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    ...(name !== null && { testNamePatterns: [name] }),
  });
  let summary = 'The test runner ended without a summary.';
  let passed = false;
  events.on('test:summary', ({ file, counts, success }) => {
    // The event without a file is the summary of the whole run.
    if (file !== undefined) return;
    const failed = counts.tests - counts.passed - counts.skipped - counts.todo + failedBuilds;
    summary = `${counts.passed} passed, ${failed} failed, ${counts.skipped + counts.todo} skipped`;
    passed = success && failed === 0 && counts.passed > 0;
  });
  const abort = (): void => {
    console.error(`No test has ended for ${SILENCE_MS / 60_000} minutes. Aborting the remaining files.`);
    stalled.abort();
    setTimeout(() => {
      console.error('The remaining files did not end.');
      console.log(summary);
      process.exit(1);
    }, ABORT_MS).unref();
  };
  let silence = setTimeout(abort, SILENCE_MS);
  events.on('data', () => {
    clearTimeout(silence);
    silence = setTimeout(abort, SILENCE_MS);
  });
  const report = new spec();
  report.on('end', () => {
    clearTimeout(silence);
    void (async () => {
      await stopServer?.();
      console.log(summary);
      if (files.some((file) => NODE_TESTS.test(file)) && findBitcoind() === undefined) console.log(NO_NODE);
      const missing = files.some((file) => PROGRAM_TESTS.test(file)) ? listMissingPrograms() : [];
      if (missing.length > 0) console.log(`\nNOT FOUND: ${missing.join(', ')}. The tests that need one were skipped.`);
      const obstacle = files.includes(CLUSTER_TEST) ? findClusterObstacle() : null;
      if (obstacle !== null) console.log(`\nTHE DATABASE CLUSTER WAS NOT TESTED: it ${obstacle}.`);
      process.exitCode = passed ? 0 : 1;
    })();
  });
  process.exitCode = 1;
  events.pipe(report).pipe(process.stdout, { end: false });
}

const selection = readArguments(process.argv.slice(2));
if (selection === null) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (selection.isWatching) {
  watchTests(selection);
} else {
  const files = selectTests(selection);
  if (files.length > 0) await runTests(files, selection.name);
  else if (selection.changedSince !== null)
    console.log(`No test is affected by changes since ${selection.changedSince}.`);
  else {
    console.error(
      `No test file matches: ${[...selection.parts, ...(selection.name ? [`-t ${selection.name.source}`] : [])].join(' ')}`,
    );
    process.exitCode = 1;
  }
}
