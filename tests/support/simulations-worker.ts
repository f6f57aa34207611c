/**
 * A worker thread of `npm run stress -- simulations`: runs its share on its own database and reports
 * each part.
 */
import { parentPort, workerData } from 'node:worker_threads';
import * as fc from 'fast-check';
import { z } from 'zod';
import { checkSimulations } from './check-simulations.ts';
import type { SimulationsPart } from './check-simulations.ts';
import { address } from './database-server.ts';
import type { Tally } from './ledger-simulation.ts';
import { PostgresLedger } from './postgres-ledger.ts';

const { connection, seeds, runs } = z
  .object({ connection: address, seeds: z.array(z.number()), runs: z.number() })
  .parse(workerData);
const ledger = await PostgresLedger.open(connection, null);
for (const seed of seeds) {
  const tally: Tally = new Map();
  const checked = await checkSimulations(ledger, { seed, runs, tally, isShortened: true });
  const difference = checked.failed ? (fc.defaultReportMessage(checked) ?? 'a difference') : null;
  const result: SimulationsPart = { runs: checked.numRuns, seed, tally, difference };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's
  parentPort?.postMessage(result);
  if (checked.failed) break;
}
await ledger.close();
