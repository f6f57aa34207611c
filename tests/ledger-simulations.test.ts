/**
 * The ledger under random histories of a chain: no satoshi lost or duplicated, no order paid
 * wrongly.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LedgerSimulation, STEP_KINDS } from './support/ledger-simulation.ts';
import type { Step, Tally } from './support/ledger-simulation.ts';
import { MemoryLedger } from './support/memory-ledger.ts';
import type { InjectedBug } from './support/injected-ledger-bug.ts';

const RUNS = Number(process.env.LEDGER_HISTORIES ?? 500);
/** The same histories each time; `npm run stress -- simulations memory` plays ten thousand others. */
const SEED = 20_091_031;

const number = fc.nat(0xffff);
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...STEP_KINDS), a: number, b: number, c: number });
const history = fc.array(step, { minLength: 4, maxLength: 30, size: 'max' });

const play = (bug: InjectedBug | null, tally: Tally) =>
  fc.asyncProperty(history, (steps) => new LedgerSimulation(new MemoryLedger(bug), tally, bug).play(steps));

test('[PAY-09] [PAY-10] [PAY-11] [PAY-12] [PAY-16] the ledger matches the chain after random histories', async (t) => {
  const tally: Tally = new Map();
  await fc.assert(play(null, tally), { numRuns: RUNS, seed: SEED });
  const counts = [...tally].toSorted(([, a], [, b]) => b - a);
  t.diagnostic(`${RUNS} histories: ${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
  const expected =
    'payment_seen confirming unconfirmed underpaid part_left overpaid late late_accepted paid paid_again reorged_out replaced dropped ' +
    'withdrawn expired cancelled requoted repriced';
  for (const kind of [...expected.split(' '), 'crash', 'source down', 'two watchers', 'reorganisation']) {
    assert.ok((tally.get(kind) ?? 0) >= RUNS / 500, `too few of ${kind}: ${tally.get(kind) ?? 0}`);
  }
});

test('[PAY-11] [PAY-12] a payment that replaces a lost credit counts in whole cents', async () => {
  const tally: Tally = new Map();
  // One satoshi less than the amount due, which is worth less than a cent.
  const steps: readonly Step[] = [
    { kind: 'requotePart', a: 1, b: 1, c: 0 },
    { kind: 'mineConflict', a: 0, b: 0, c: 0 },
    { kind: 'pay', a: 30691, b: 0, c: 0 },
    { kind: 'mine', a: 0, b: 50849, c: 1373 },
  ];
  await new LedgerSimulation(new MemoryLedger(null), tally).play(steps);
  assert.deepEqual([tally.get('quote_void'), tally.get('late_accepted'), tally.get('paid')], [1, 1, 1]);
});

test('[PAY-11] [PAY-12] a covered requote pays; a reorganisation undoes it', async () => {
  const tally: Tally = new Map();
  // Late payments that no rate accepts, with 3 confirmations, are requoted; then a reorganisation
  // removes their blocks.
  const steps: readonly Step[] = [
    { kind: 'time', a: 0, b: 3, c: 0 },
    { kind: 'payTwo', a: 0, b: 0, c: 2 },
    { kind: 'pass', a: 0, b: 0, c: 0 },
    { kind: 'mine', a: 0, b: 2, c: 1 },
    { kind: 'pass', a: 0, b: 0, c: 0 },
    { kind: 'requote', a: 1, b: 0, c: 0 },
    { kind: 'reorganise', a: 2, b: 0, c: 0 },
  ];
  await new LedgerSimulation(new MemoryLedger(null), tally).play(steps);
  assert.deepEqual([tally.get('requoted'), tally.get('paid'), tally.get('reorged_out')], [1, 1, 1]);
});

const injectedBugs: readonly InjectedBug[] = [
  'reorganisation rolls nothing back',
  'reorganisation rolls one block back',
  'rows keyed by txid only',
  'replaced and dropped outputs stay live',
  'paid event duplicated',
  'reorganisation without an event',
  'returned transaction ignored',
  'immature coinbase counted',
  'cursor committed without rows',
  'cursor moved without a revision check',
  'first seen overwritten by the block',
  'unconfirmed output counted as confirmed',
  'tip not read again after the mempool',
  'expiry while the source is down',
  'only orders with new outputs reconciled',
  'scripts loaded before the mempool',
];

for (const bug of injectedBugs) {
  test(`the simulations detect: ${bug}`, async (t) => {
    const result = await fc.check(play(bug, new Map()), { numRuns: 5000, seed: SEED, endOnFailure: true });
    assert.ok(result.failed, `${result.numRuns} histories did not detect: ${bug}`);
    t.diagnostic(`detected in history ${result.numRuns}`);
  });
}
