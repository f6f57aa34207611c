/**
 * `npm run stress -- tests [--runs N --rest-runs N --load N --restart]`: runs the first set of tests several times and
 * the second one less often, beside other work that keeps the cores busy. A test that fails once is a fault.
 *
 * Goes on where an earlier command for the same commit was interrupted, unless --restart.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

const STATE = 'node_modules/.cache/stress-tests.json';
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    'rest-runs': { type: 'string', default: '2' },
    load: { type: 'string', default: String(os.availableParallelism()) },
    restart: { type: 'boolean', default: false },
  },
});
const [firstRuns, restRuns, load] = [values.runs, values['rest-runs'], values.load].map(Number);
if (
  firstRuns === undefined ||
  restRuns === undefined ||
  load === undefined ||
  ![firstRuns, restRuns, load].every((count) => Number.isInteger(count) && count >= 0)
) {
  console.error('--runs, --rest-runs and --load take whole numbers.');
  process.exit(1);
}

const runSchema = z.object({
  set: z.enum(['first', 'rest']),
  seconds: z.number(),
  line: z.string(),
  failures: z.array(z.string()),
});
const stateSchema = z.object({ commit: z.string(), runs: z.array(runSchema) });
type Run = z.infer<typeof runSchema>;

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

function readRuns(): Run[] {
  if (values.restart || !existsSync(STATE)) return [];
  const state = stateSchema.parse(JSON.parse(readFileSync(STATE, 'utf8')));
  return state.commit === commit ? state.runs : [];
}

/** Runs a set once and prints its output. */
async function runSet(set: Run['set']): Promise<Run> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['scripts/run.mjs', 'test', ...(set === 'rest' ? ['--rest'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  await new Promise((resolve) => {
    child.once('close', resolve);
  });
  const lines = output.split('\n');
  return {
    set,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    line: lines.findLast((line) => /^\d+ passed, /.test(line)) ?? 'no result',
    failures: lines.filter((line) => line.startsWith('✖ ')),
  };
}

const runs = readRuns();
const countRuns = (set: Run['set']): number => runs.filter((run) => run.set === set).length;
// Each keeps a core busy, so that what depends on time shows.
const busy = Array.from({ length: load }, () => new Worker('for (;;);', { eval: true }));
for (const [set, wanted] of [
  ['first', firstRuns],
  ['rest', restRuns],
] as const) {
  while (countRuns(set) < wanted) {
    runs.push(await runSet(set));
    mkdirSync('node_modules/.cache', { recursive: true });
    writeFileSync(STATE, JSON.stringify({ commit, runs }));
  }
}
for (const worker of busy) await worker.terminate();
for (const { set, seconds, line, failures } of runs) {
  console.log(`${set === 'first' ? 'first set' : 'second set'}: ${line}, ${(seconds / 60).toFixed(1)} min`);
  for (const failure of failures) console.log(`  ${failure}`);
}
process.exitCode = runs.every(({ line }) => / 0 failed/.test(line)) ? 0 : 1;
