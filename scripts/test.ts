/**
 * `npm test [part of a path …]`: builds the pages if they are stale, then one run of Node's test
 * runner: the checks of the source, every test beside its rule, the tests of the whole shop, and
 * last the journeys in a browser.
 */
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { bitcoindProgram } from '../tests/support/bitcoind.ts';
import { shareTestServer } from '../tests/support/database-server.ts';
import { buildWhenStale } from './build-when-stale.ts';

const GROUPS = [
  'tests/static-checks.test.ts',
  'tests/*.test.ts',
  'src/**/*.test.ts',
  'scripts/*.test.ts',
  'tests/journeys/*.test.ts',
];
/** One more than the two cores of a small machine: a journey waits for the browser 40 % of its time. */
const FILES_AT_ONCE = 3;
/** A single test that hangs ends after this; the slowest journey takes a small part of it. */
const TEST_TIMEOUT_MS = 5 * 60_000;
/** A file whose tests are done, but which something keeps alive, would hold the run for good. */
const SILENCE_MS = TEST_TIMEOUT_MS + 60_000;

/** Files that say more where there is a Bitcoin node. */
const NODE_TESTS = /conformance|chain-sources|catch-up|real-node/;
const NO_NODE = `
NO BITCOIN NODE WAS HERE: what was proved of Bitcoin Core was proved on an imitation only. Install bitcoind (Debian: bitcoin-knots)
or name one: BITCOIND=/path/to/bitcoind npm test real-node chain-sources catch-up conformance`;

const filters = process.argv.slice(2);
const files = [...new Set(GROUPS.flatMap((pattern) => globSync(pattern).toSorted()))]
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)));

if (files.length === 0) {
  console.error(`No test file's path holds ${filters.map((part) => `"${part}"`).join(' or ')}.`);
  process.exit(1);
}

// The tests beside the source open no page. The other tests run even after a failed build, which counts as a failure.
const isShopTested = files.some((file) => !file.startsWith('src/'));
const failedBuilds = isShopTested && (await buildWhenStale()) === 'failed' ? 1 : 0;

// One database server for all files that want an empty database saves each of them the setup; a file alone starts its own.
const stopServer = files.length > 1 ? await shareTestServer() : null;

const stalled = new AbortController();
const events = run({
  files,
  concurrency: FILES_AT_ONCE,
  timeout: TEST_TIMEOUT_MS,
  signal: stalled.signal,
  execArgv: ['--disable-warning=ExperimentalWarning'],
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
let silence = setTimeout(giveUp, SILENCE_MS);
events.on('data', () => {
  clearTimeout(silence);
  silence = setTimeout(giveUp, SILENCE_MS);
});
function giveUp(): void {
  console.error(`No test has ended for ${SILENCE_MS / 60_000} minutes: the files that still run are ended.`);
  stalled.abort();
}

const report = new spec();
report.on('end', () => {
  clearTimeout(silence);
  void close();
});
async function close(): Promise<void> {
  await stopServer?.();
  console.log(summary);
  if (files.some((file) => NODE_TESTS.test(file)) && bitcoindProgram() === undefined) console.log(NO_NODE);
  process.exitCode = passed ? 0 : 1;
}
process.exitCode = 1;
events.pipe(report).pipe(process.stdout, { end: false });
