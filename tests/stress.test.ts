/** The short form of the stress test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killKinds, runStress } from './support/stress.ts';

test('[API-06] [PAY-09] kills during purchases lose and duplicate nothing', async (t) => {
  // The same customers each time; the stress command varies them.
  const [seed, rounds, orders] = [20_091_031, 6, 30];
  const replay = `npm run stress -- crashes --seed ${seed} --rounds ${rounds} --orders ${orders}`;
  t.diagnostic(replay);
  const report = await runStress({
    seed,
    rounds,
    orders,
    kills: killKinds,
    customers: 12,
    parallel: 8,
    progress: (line) => t.diagnostic(line),
  });
  assert.deepEqual(report.findings, [], replay);
  assert.deepEqual(report.kills, { shop: 3, database: 2, both: 1 });
  assert.equal(report.orders, report.acknowledged);
  assert.ok(report.acknowledged >= orders && report.paid > 0 && report.counts.cutOff > 0, 'kills interrupted requests');
});
