/**
 * `npm test [-- PART …] [-t NAME] [--changed [REF]] [--watch] [--all | --rest] [--minutes N] [--record]`: one run of
 * Node's test runner. Without arguments it runs the first set: source checks, rules, the shop over HTTP, and the goals
 * of buyers and staff in a browser. Builds the pages only if a selected test opens one.
 */
import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findBitcoind } from '../tests/support/bitcoind.ts';
import { findClusterObstacle } from '../tests/support/cluster/namespaces.ts';
import { COST_LOG, readTreeSeconds } from '../tests/support/cost-recorder.ts';
import { shareTestServer } from '../tests/support/database-server.ts';
import { findProgram, OPTIONAL_PROGRAMS } from '../tests/support/programs.ts';
import { ACCEPT_STALE_PAGES, buildWhenStale } from './build/build-when-stale.ts';
import { readImportGraph } from './test/import-graph.ts';
import { readArguments, USAGE } from './test/test-arguments.ts';
import { fileCostSchema, readCosts, updateCosts } from './test/test-costs.ts';
import { planProcesses, writeProcesses } from './test/test-groups.ts';
import type { GroupedFile } from './test/test-groups.ts';
import { runFiles } from './test/run-files.ts';
import { computeNeeds, selectTests } from './test/select-tests.ts';
import { isInFirstSet } from './test/test-sets.ts';
import { watchTests } from './test/watch-tests.ts';

/** Files that also test a real Bitcoin node if there is one. */
const NODE_TESTS = /conformance|chain-sources|catch-up|real-node|node-settings|operating-commands/;
const NO_NODE = `
NO BITCOIN NODE WAS FOUND: Bitcoin Core was tested as a simulation only. Install bitcoind (Debian: bitcoin-knots)
or set its path: BITCOIND=/path/to/bitcoind npm test real-node chain-sources catch-up conformance`;

/** Files that test deployment files, a cluster and the manual with programs of the system. */
const PROGRAM_TESTS = /cluster|deploy-|operating-commands/;
const CLUSTER_TEST = 'tests/cluster.test.ts';

/** Prints what was skipped because this system lacks it. */
function printObstacles(files: readonly string[]): void {
  if (files.some((file) => NODE_TESTS.test(file)) && findBitcoind() === undefined) console.log(NO_NODE);
  const missing = files.some((file) => PROGRAM_TESTS.test(file))
    ? OPTIONAL_PROGRAMS.filter((name) => findProgram(name) === null)
    : [];
  if (missing.length > 0) console.log(`\nNOT FOUND: ${missing.join(', ')}. The tests that need one were skipped.`);
  const obstacle = files.includes(CLUSTER_TEST) ? findClusterObstacle() : null;
  if (obstacle !== null) console.log(`\nTHE DATABASE CLUSTER WAS NOT TESTED: it ${obstacle}.`);
}

interface Selected {
  readonly files: readonly string[];
  readonly name: RegExp | null;
  /** A line per file instead of a line per test. */
  readonly isBrief: boolean;
  readonly isRecording: boolean;
  readonly minutes: number | null;
}

/** Builds, runs and prints. @returns whether every test passed */
async function runTests({ files, name, isBrief, isRecording, minutes }: Selected): Promise<boolean> {
  const graph = readImportGraph();
  const tests: GroupedFile[] = [];
  let isPageOpened = false;
  for (const file of files) {
    const needs = computeNeeds(graph, file);
    tests.push({ path: file, ...needs });
    isPageOpened ||= needs.isPageOpened;
  }
  if (!isPageOpened) process.env[ACCEPT_STALE_PAGES] = '1';
  const beforeBuild = readTreeSeconds();
  // The other tests run even after a failed build, which counts as a failure.
  const failedBuilds = isPageOpened && (await buildWhenStale()) === 'failed' ? 1 : 0;
  const build = readTreeSeconds() - beforeBuild;
  const costLog = path.join(os.tmpdir(), `crypto-market-costs-${process.pid}.jsonl`);
  if (isRecording) process.env[COST_LOG] = costLog;
  // Several files share one database server; a single file starts its own.
  const server = files.length > 1 ? await shareTestServer() : null;
  // A name must not match the path under which a process shows a file.
  const processes =
    name === null
      ? writeProcesses(planProcesses(tests, readCosts().files))
      : new Map(files.map((file) => [file, [file]]));
  const hasBrowsers = !files.some(isInFirstSet);
  const { counts, isPassed } = await runFiles({ processes, name, isBrief, hasBrowsers, minutes });
  const database = server === null ? 0 : readTreeSeconds(server.pid);
  await server?.stop();
  if (isRecording) record(costLog, files, { build, 'database server': database });
  const failed = counts.failed + failedBuilds;
  console.log(`${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
  printObstacles(files);
  // Within a few minutes perhaps no test ends.
  return isPassed && failed === 0 && (counts.passed > 0 || minutes !== null);
}

function record(costLog: string, files: readonly string[], shared: Readonly<Record<string, number>>): void {
  const costs = readFileSync(costLog, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => fileCostSchema.parse(JSON.parse(line)));
  rmSync(costLog);
  const processes = costs.filter(({ file }) => file === '').reduce((sum, { cpu }) => sum + cpu, 0);
  const isFirstSet = files.every(isInFirstSet) && files.length === selectTests(WHOLE).filter(isInFirstSet).length;
  updateCosts(
    costs.filter(({ file }) => file !== ''),
    isFirstSet ? { ...shared, 'test processes': processes } : null,
  );
}

const WHOLE = { parts: [], name: null, changedSince: null };

const options = readArguments(process.argv.slice(2));
if (options === null) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (options.isWatching) {
  watchTests(options);
} else {
  const { parts, name, changedSince } = options;
  const isPart = parts.length > 0 || name !== null || changedSince !== null;
  const selected = selectTests(options);
  const files =
    options.set === 'all' || isPart
      ? selected
      : selected.filter((file) => isInFirstSet(file) === (options.set === 'first'));
  process.exitCode = 1;
  if (files.length > 0) {
    const isPassed = await runTests({ ...options, files, isBrief: !isPart || options.minutes !== null });
    process.exitCode = isPassed ? 0 : 1;
  } else if (changedSince !== null) {
    console.log(`No test is affected by changes since ${changedSince}.`);
    process.exitCode = 0;
  } else {
    console.error(`No test file matches: ${[...parts, ...(name ? [`-t ${name.source}`] : [])].join(' ')}`);
  }
}
