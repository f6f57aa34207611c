/**
 * `npm run stress -- simulations [--runs N --seed S]`: simulates random chains (payments, replacements,
 * reorganizations, crashes, source outages, two concurrent watchers) and compares ledger and orders in
 * PostgreSQL with a model after each sync. The same seed repeats a run.
 *
 * `npm run stress -- simulations orders [--runs N --seed S]`: simulates one order in memory with actions
 * of buyer, staff and network, and outages. Checks that every order can be closed and every sentence
 * is true.
 *
 * `npm run stress -- simulations memory [--runs N --seed S]`: simulates chains with the ledger in memory.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import { assertCovered, simulationsPart, formatTally } from '../../tests/support/check-simulations.ts';
import { silentLog, startServer, TEMPLATES } from '../../tests/support/database-server.ts';
import type { TestServer } from '../../tests/support/database-server.ts';
import { LedgerSimulation, STEP_KINDS } from '../../tests/support/ledger-simulation.ts';
import { MemoryLedger } from '../../tests/support/memory-ledger.ts';
import { checkOrderSimulations, listUncovered } from '../../tests/support/order-history/check-order-simulations.ts';

const THREADS = 2;
const PART = 250;
/** Each payment outcome must occur at least once in this many simulations. */
const ONCE_IN = 100;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const [runs, seed] = [Number(values.runs), values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)];
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  console.error('--runs takes a whole number above 0, --seed a whole number.');
  process.exit(1);
}

async function createDatabase({ admin, shop }: TestServer, name: string) {
  const maker = openDatabase({ connection: admin, log: silentLog, poolSize: 1 });
  await sql`create database ${sql.id(name)} owner ${sql.id(shop.user)} template ${sql.id(TEMPLATES.migrated)}`.execute(
    maker.db,
  );
  await maker.close();
  return { ...shop, database: name };
}

const began = performance.now();
const formatElapsed = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`;
const tally = new Map<string, number>();
let played = 0;
let differences = 0;

function addResult(message: unknown): void {
  const done = simulationsPart.parse(message);
  played += done.runs;
  for (const [kind, count] of done.tally) tally.set(kind, (tally.get(kind) ?? 0) + count);
  if (done.difference !== null) {
    differences += 1;
    console.error(`--seed ${done.seed} --runs ${PART}: ${done.difference}`);
  }
  console.log(`${played} simulations, ${differences} differences, ${formatElapsed()}`);
}

/** Runs a worker thread that plays the seeds one after the other. */
async function play(server: TestServer, thread: number, seeds: readonly number[]): Promise<void> {
  const connection = await createDatabase(server, `histories_${thread}`);
  const url = new URL('../../tests/support/simulations-worker.ts', import.meta.url);
  const worker = new Worker(url, { workerData: { connection, seeds, runs: Math.min(PART, runs) } });
  worker.on('message', addResult);
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject).once('exit', () => resolve());
  });
}

console.log(`--seed ${seed} --runs ${runs}`);
if (positionals[0] === 'orders') {
  const result = checkOrderSimulations({ runs, seed, tally });
  console.log(`${result.numRuns} order simulations, ${formatElapsed()}: ${formatTally(tally)}`);
  for (const kind of listUncovered(tally)) console.log(`not covered: ${kind}`);
  if (result.failed) console.error(fc.defaultReportMessage(result) ?? 'a simulation failed');
  process.exit(result.failed ? 1 : 0);
}
if (positionals[0] === 'memory') {
  const number = fc.nat(0xffff);
  const step = fc.record({ kind: fc.constantFrom(...STEP_KINDS), a: number, b: number, c: number });
  const history = fc.array(step, { minLength: 4, maxLength: 30, size: 'max' });
  const property = fc.asyncProperty(history, (steps) =>
    new LedgerSimulation(new MemoryLedger(null), tally).play(steps),
  );
  const result = await fc.check(property, { numRuns: runs, seed });
  console.log(`${result.numRuns} simulations in memory, ${formatElapsed()}: ${formatTally(tally)}`);
  if (result.failed) console.error(fc.defaultReportMessage(result) ?? 'a simulation failed');
  process.exit(result.failed ? 1 : 0);
}
const seeds = Array.from({ length: Math.ceil(runs / PART) }, (_, index) => seed + index);
const server = await startServer();
try {
  const threads = Array.from({ length: Math.min(THREADS, seeds.length) }, (_, thread) => thread);
  await Promise.all(
    threads.map((thread) =>
      play(
        server,
        thread,
        seeds.filter((__, index) => index % THREADS === thread),
      ),
    ),
  );
} finally {
  await server.stop();
}
console.log(formatTally(tally));
console.log(`${played} simulations in ${formatElapsed()}, ${differences} differences`);
if (differences > 0) process.exitCode = 1;
else if (played >= 10 * ONCE_IN) assertCovered(tally, played, ONCE_IN);
