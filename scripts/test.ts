/**
 * `npm test [-- part of a path …] [-t NAME] [--changed [REF]] [--watch]`: one run of Node's test runner. Without an
 * argument it is the whole proof: the checks of the source, every rule, the whole shop over HTTP, and the journeys in a
 * browser. Pages are built only when a selected test opens one.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { bitcoindProgram } from '../tests/support/bitcoind.ts';
import { shareTestServer } from '../tests/support/database-server.ts';
import { ACCEPT_STALE_PAGES, buildWhenStale } from './build-when-stale.ts';
import { readImportGraph } from './import-graph.ts';
import { needsOf, selectTests } from './select-tests.ts';
import type { Selection } from './select-tests.ts';
import { groupRules } from './rule-group.ts';
import { watchTests } from './watch-tests.ts';

/** Two cores: a journey waits for the browser, and a test of the shop for a job, for a good part of its time. */
const FILES_AT_ONCE = 4;
/** A single test that hangs ends after this; the slowest journey takes a small part of it. */
const TEST_TIMEOUT_MS = 5 * 60_000;
/** A file whose tests are done, but which something keeps alive, would hold the run for good. */
const SILENCE_MS = TEST_TIMEOUT_MS + 60_000;

const USAGE = `Usage: npm test [-- PART …] [-t NAME] [--changed [REF]] [--watch]
  PART             test files whose path holds it, such as refunds or journeys/cart
  -t NAME          tests whose title matches this regular expression
  --changed [REF]  tests that a change since the commit may concern; HEAD unless named
  --watch          runs the tests of what is edited, after each edit`;

/** Files that say more where there is a Bitcoin node. */
const NODE_TESTS = /conformance|chain-sources|catch-up|real-node/;
const NO_NODE = `
NO BITCOIN NODE WAS HERE: what was proved of Bitcoin Core was proved on an imitation only. Install bitcoind (Debian: bitcoin-knots)
or name one: BITCOIND=/path/to/bitcoind npm test real-node chain-sources catch-up conformance`;

interface Arguments extends Selection {
  readonly isWatching: boolean;
}

/** Null: there is no such option, or its value is missing. */
function readArguments(args: readonly string[]): Arguments | null {
  const parts: string[] = [];
  let name: RegExp | null = null;
  let changedSince: string | null = null;
  let isWatching = false;
  const left = [...args];
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    if (one === '-t') {
      const pattern = left.shift();
      if (pattern === undefined) return null;
      name = new RegExp(pattern);
    } else if (one === '--watch') isWatching = true;
    else if (one.startsWith('--changed=')) changedSince = one.slice('--changed='.length);
    // What names no test file is a commit.
    else if (one === '--changed') changedSince = takeCommit(left);
    else if (one.startsWith('-')) return null;
    else parts.push(one);
  }
  return { parts, name, changedSince, isWatching };
}

function takeCommit(left: string[]): string {
  const [next] = left;
  if (next === undefined || next.startsWith('-')) return 'HEAD';
  const isPart = selectTests({ parts: [next], name: null, changedSince: null }).length > 0;
  return isPart ? 'HEAD' : (left.shift() ?? 'HEAD');
}

async function runTests(files: readonly string[], name: RegExp | null): Promise<void> {
  const graph = readImportGraph();
  const needs = new Map(files.map((file) => [file, needsOf(graph, file)]));
  const isPageOpened = files.some((file) => needs.get(file)?.isPageOpened === true);
  if (!isPageOpened) process.env[ACCEPT_STALE_PAGES] = '1';
  // The other tests run even after a failed build, which counts as a failure.
  const failedBuilds = isPageOpened && (await buildWhenStale()) === 'failed' ? 1 : 0;
  // One database server for all files that want an empty database saves each of them the setup; a file alone starts its own.
  const stopServer = files.length > 1 ? await shareTestServer() : null;
  // A name must not match the path under which the group shows a file.
  const rules = name === null ? files.filter((file) => needs.get(file)?.isRule === true) : [];
  const grouped = rules.length > 1 ? [groupRules(rules), ...files.filter((file) => !rules.includes(file))] : files;

  const stalled = new AbortController();
  const events = run({
    files: [...grouped],
    concurrency: FILES_AT_ONCE,
    timeout: TEST_TIMEOUT_MS,
    signal: stalled.signal,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    ...(name !== null && { testNamePatterns: [name] }),
  });
  let summary = 'The test runner ended without a summary.';
  let passed = false;
  events.on('test:summary', ({ file, counts, success }) => {
    // Each file has its own; the one without a file is that of the whole run.
    if (file !== undefined) return;
    const failed = counts.tests - counts.passed - counts.skipped - counts.todo + failedBuilds;
    summary = `${counts.passed} passed, ${failed} failed, ${counts.skipped + counts.todo} skipped`;
    passed = success && failed === 0 && counts.passed > 0;
  });
  const giveUp = (): void => {
    console.error(`No test has ended for ${SILENCE_MS / 60_000} minutes: the files that still run are ended.`);
    stalled.abort();
  };
  let silence = setTimeout(giveUp, SILENCE_MS);
  events.on('data', () => {
    clearTimeout(silence);
    silence = setTimeout(giveUp, SILENCE_MS);
  });
  const report = new spec();
  report.on('end', () => {
    clearTimeout(silence);
    void (async () => {
      await stopServer?.();
      console.log(summary);
      if (files.some((file) => NODE_TESTS.test(file)) && bitcoindProgram() === undefined) console.log(NO_NODE);
      process.exitCode = passed ? 0 : 1;
    })();
  });
  process.exitCode = 1;
  events.pipe(report).pipe(process.stdout, { end: false });
}

const asked = readArguments(process.argv.slice(2));
if (asked === null) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (asked.isWatching) {
  watchTests(asked);
} else {
  const files = selectTests(asked);
  if (files.length > 0) await runTests(files, asked.name);
  else if (asked.changedSince !== null)
    console.log(`No test is concerned by what changed since ${asked.changedSince}.`);
  else {
    console.error(
      `No test file fits: ${[...asked.parts, ...(asked.name ? [`-t ${asked.name.source}`] : [])].join(' ')}`,
    );
    process.exitCode = 1;
  }
}
