/** Every state of an order has a way out, and no sentence contradicts the ledger: random histories of one order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Tally } from './support/ledger-history.ts';
import { OrderHistory, stepKinds } from './support/order-history/order-history.ts';
import type { Step } from './support/order-history/order-history.ts';

const RUNS = Number(process.env.ORDER_HISTORIES ?? 2000);
const SEED = Number(process.env.ORDER_SEED ?? 20_301_031);

const number = fc.nat(0xffff);
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...stepKinds), a: number, b: number, c: number });
const history = fc.array(step, { minLength: 3, maxLength: 40, size: 'max' });

test('[PAY-14] every order has a way out and no sentence contradicts its ledger', (t) => {
  const tally: Tally = new Map();
  fc.assert(
    fc.property(history, ([first, ...rest]) => {
      if (first !== undefined) new OrderHistory(first, tally).play(rest);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  t.diagnostic([...tally].toSorted(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`).join(', '));
  assert.ok(true);
});
