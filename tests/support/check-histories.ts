/** Random histories, played one after the other to a shop in PostgreSQL; for the tests and for `npm run stress -- simulations`. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { z } from 'zod';
import { writeBooks } from '#src/shop/books/service.ts';
import { LedgerHistory, STEP_KINDS } from './ledger-history.ts';
import type { Step, Tally } from './ledger-history.ts';
import type { PostgresLedger } from './postgres-ledger.ts';

const number = fc.nat(0xffff);
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...STEP_KINDS), a: number, b: number, c: number });

/** @param most steps. */
const histories = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: 4, maxLength: most, size: 'max' });
const MOST_STEPS = 20;

/** Everything that can become of an order's payment, and what a history must have met on the way. */
const EVENTS =
  'payment_seen confirming unconfirmed underpaid part_left overpaid late late_accepted paid paid_again reorged_out replaced ' +
  'dropped withdrawn expired cancelled requoted quote_void';
const STATES = 'awaiting seen confirming underpaid paid overpaid late expired replaced dropped reorged_out';
const DISTURBANCES = ['crash', 'source down', 'two watchers', 'reorganisation', 'refund sent'];

/** @throws when one of the things that histories are for came up less often than once in so many. */
export function assertCovered(tally: Tally, runs: number, once: number): void {
  const expected = [...EVENTS.split(' '), ...STATES.split(' ').map((state) => `state ${state}`), ...DISTURBANCES];
  for (const kind of expected) {
    const count = tally.get(kind) ?? 0;
    assert.ok(count >= runs / once, `too few of ${kind}: ${count} in ${runs} histories`);
  }
}

export const tellTally = (tally: Tally): string =>
  [...tally]
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');

/** What a thread of several tells of a part that it has played. */
export const historiesPart = z.object({
  runs: z.number(),
  /** What the part's histories were made of; with it they come again. */
  seed: z.number(),
  tally: z.map(z.string(), z.number()),
  /** Of the first history that differs; null when none does. */
  difference: z.string().nullable(),
});
export type HistoriesPart = z.infer<typeof historiesPart>;

interface Checked {
  readonly seed: number;
  readonly runs: number;
  readonly tally: Tally;
  /** Makes a failing history as short as it can be. */
  readonly isShortened: boolean;
}

/** Plays so many histories; the details say after how many it ended, and why. */
export function checkHistories(ledger: PostgresLedger, { seed, runs, tally, isShortened }: Checked) {
  const property = fc.asyncProperty(histories(MOST_STEPS), async (steps) => {
    await ledger.forget();
    await new LedgerHistory(ledger, tally).play(steps);
    await compareBooks(ledger);
  });
  return fc.check(property, {
    numRuns: runs,
    endOnFailure: !isShortened,
    includeErrorInReport: true,
    seed,
  });
}

/** The books have a line for each live output that pays an order, and its satoshis. */
async function compareBooks({ db, state }: PostgresLedger): Promise<void> {
  let csv = '';
  const { sats, lines } = await writeBooks(db, { from: null, to: null }, (text) => void (csv += text));
  const live = [...state.rows.values()].filter(({ isLive, payeeId }) => isLive && state.orders.has(payeeId));
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
