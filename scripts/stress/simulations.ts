/**
 * `npm run stress -- simulations [--runs N --seed S]`: plays random histories of a chain (payments, replacements, reorganisations,
 * crashes, a source that is down, two watchers at once) to the real ledger and the real orders in PostgreSQL, and compares
 * them after each look with what is true. The same seed plays the same histories.
 *
 * `npm run stress -- simulations orders [--runs N --seed S]`: plays random histories of one order in memory, with all that its buyer,
 * staff, the network and outages can do, and checks that it can always be ended and that every sentence is true.
 *
 * `npm run stress -- simulations memory [--runs N --seed S]`: the histories of a chain against the ledger in memory.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import { assertCovered, simulationsPart, formatTally } from '../../tests/support/check-simulations.ts';
import { silentLog, startServer, templateName } from '../../tests/support/database-server.ts';
import type { TestServer } from '../../tests/support/database-server.ts';
import { LedgerSimulation, STEP_KINDS } from '../../tests/support/ledger-simulation.ts';
import { MemoryLedger } from '../../tests/support/memory-ledger.ts';
import { checkOrderSimulations, listUncovered } from '../../tests/support/order-history/check-order-simulations.ts';

const THREADS = 2;
const PART = 250;
/** Each thing that may become of a payment comes up at least once in so many histories, or they prove little. */
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

async function databaseOf({ admin, shop }: TestServer, name: string) {
  const maker = openDatabase({ connection: admin, log: silentLog, poolSize: 1 });
  await sql`create database ${sql.id(name)} owner ${sql.id(shop.user)} template ${sql.id(templateName)}`.execute(
    maker.db,
  );
  await maker.close();
  return { ...shop, database: name };
}

const began = performance.now();
const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`;
const tally = new Map<string, number>();
let played = 0;
let differences = 0;

function hear(message: unknown): void {
  const done = simulationsPart.parse(message);
  played += done.runs;
  for (const [kind, count] of done.tally) tally.set(kind, (tally.get(kind) ?? 0) + count);
  if (done.difference !== null) {
    differences += 1;
    console.error(`--seed ${done.seed} --runs ${PART}: ${done.difference}`);
  }
  console.log(`${played} histories, ${differences} differences, ${seconds()}`);
}

/** A thread plays parts one after the other. */
async function play(server: TestServer, thread: number, seeds: readonly number[]): Promise<void> {
  const connection = await databaseOf(server, `histories_${thread}`);
  const url = new URL('../../../tests/support/simulations-worker.ts', import.meta.url);
  const worker = new Worker(url, { workerData: { connection, seeds, runs: Math.min(PART, runs) } });
  worker.on('message', hear);
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject).once('exit', () => resolve());
  });
}

console.log(`--seed ${seed} --runs ${runs}`);
if (positionals[0] === 'orders') {
  const result = checkOrderSimulations({ runs, seed, tally });
  console.log(`${result.numRuns} histories of orders, ${seconds()}: ${formatTally(tally)}`);
  for (const kind of listUncovered(tally)) console.log(`not met: ${kind}`);
  if (result.failed) console.error(fc.defaultReportMessage(result) ?? 'a history failed');
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
  console.log(`${result.numRuns} histories in memory, ${seconds()}: ${formatTally(tally)}`);
  if (result.failed) console.error(fc.defaultReportMessage(result) ?? 'a history failed');
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
console.log(`${played} histories in ${seconds()}, ${differences} differences`);
if (differences > 0) process.exitCode = 1;
else if (played >= 10 * ONCE_IN) assertCovered(tally, played, ONCE_IN);
