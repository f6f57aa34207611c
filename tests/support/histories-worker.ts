/** A thread of `npm run stress -- simulations`: plays its share to a database of its own, and tells of each part as it is done. */
import { parentPort, workerData } from 'node:worker_threads';
import * as fc from 'fast-check';
import { z } from 'zod';
import { checkHistories } from './check-histories.ts';
import type { HistoriesPart } from './check-histories.ts';
import { address } from './database-server.ts';
import type { Tally } from './ledger-history.ts';
import { PostgresLedger } from './postgres-ledger.ts';

const { connection, seeds, runs } = z
  .object({ connection: address, seeds: z.array(z.number()), runs: z.number() })
  .parse(workerData);
const ledger = await PostgresLedger.open(connection, null);
for (const seed of seeds) {
  const tally: Tally = new Map();
  const checked = await checkHistories(ledger, { seed, runs, tally, isShortened: true });
  const difference = checked.failed ? (fc.defaultReportMessage(checked) ?? 'a difference') : null;
  const told: HistoriesPart = { runs: checked.numRuns, seed, tally, difference };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's
  parentPort?.postMessage(told);
  if (checked.failed) break;
}
await ledger.close();
