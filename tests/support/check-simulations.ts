/**
 * Random histories run one after the other on a shop in PostgreSQL, for tests and `npm run stress -- simulations`.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { z } from 'zod';
import { writeAccountingExport } from '#src/shop/accounting-export/service.ts';
import { LedgerSimulation, STEP_KINDS } from './ledger-simulation.ts';
import type { Step, Tally } from './ledger-simulation.ts';
import type { PostgresLedger } from './postgres-ledger.ts';

const number = fc.nat(0xffff);
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...STEP_KINDS), a: number, b: number, c: number });

/** @param most steps. */
const generateHistories = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: 4, maxLength: most, size: 'max' });
const MAX_STEPS = 20;

/** Every outcome of an order's payment that the histories must reach. */
const EVENTS =
  'payment_seen confirming unconfirmed underpaid part_left overpaid late late_accepted paid paid_again reorged_out replaced ' +
  'dropped withdrawn expired cancelled requoted quote_void';
const STATES = 'awaiting seen confirming underpaid paid overpaid late expired replaced dropped reorged_out';
const DISTURBANCES = ['crash', 'source down', 'two watchers', 'reorganisation', 'refund sent'];

/** @throws when an expected outcome occurs less often than once in this many. */
export function assertCovered(tally: Tally, runs: number, once: number): void {
  const expected = [...EVENTS.split(' '), ...STATES.split(' ').map((state) => `state ${state}`), ...DISTURBANCES];
  for (const kind of expected) {
    const count = tally.get(kind) ?? 0;
    assert.ok(count >= runs / once, `too few of ${kind}: ${count} in ${runs} histories`);
  }
}

export const formatTally = (tally: Tally): string =>
  [...tally]
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');

/** Result of a part, reported by a worker thread. */
export const simulationsPart = z.object({
  runs: z.number(),
  /** Seed of the part's histories; it reproduces them. */
  seed: z.number(),
  tally: z.map(z.string(), z.number()),
  /** The first history that differs; null for none. */
  difference: z.string().nullable(),
});
export type SimulationsPart = z.infer<typeof simulationsPart>;

interface Checked {
  readonly seed: number;
  readonly runs: number;
  readonly tally: Tally;
  /** Whether to shrink a failing history. */
  readonly isShortened: boolean;
}

/** Runs this many histories. The details contain the failing step and the reason. */
export function checkSimulations(ledger: PostgresLedger, { seed, runs, tally, isShortened }: Checked) {
  const property = fc.asyncProperty(generateHistories(MAX_STEPS), async (steps) => {
    await ledger.forget();
    await new LedgerSimulation(ledger, tally).play(steps);
    await compareBooks(ledger);
  });
  return fc.check(property, {
    numRuns: runs,
    endOnFailure: !isShortened,
    includeErrorInReport: true,
    seed,
  });
}

/** The accounting export has one line, with its satoshis, for each live output of an order. */
async function compareBooks({ db, state }: PostgresLedger): Promise<void> {
  let csv = '';
  const { sats, lines } = await writeAccountingExport(db, { from: null, to: null }, (text) => void (csv += text));
  const live = [...state.rows.values()].filter(({ isLive, recipientId }) => isLive && state.orders.has(recipientId));
  const booked = csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').slice(3, 6).join());
  const expected = live.map(({ txid, vout, amountSats }) => `${txid},${vout},${amountSats}`);
  assert.deepEqual(booked.toSorted(), expected.toSorted());
  const sum = live.reduce((total, { amountSats }) => total + amountSats, 0n);
  assert.deepEqual([sats, lines], [sum, live.length]);
}
