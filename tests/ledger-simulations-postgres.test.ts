/** Ledger and orders in PostgreSQL, compared with the chain after random histories. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { assertCovered, checkSimulations, formatTally } from './support/check-simulations.ts';
import { createTestDatabase } from './support/database.ts';
import type { Tally } from './support/ledger-simulation.ts';
import { sqlBugs } from './support/inject-sql-bug.ts';
import type { SqlBug } from './support/inject-sql-bug.ts';
import { PostgresLedger } from './support/postgres-ledger.ts';

const RUNS = Number(process.env.LEDGER_HISTORIES_POSTGRES ?? 150);
const PARTS = 2;
/** The same histories each time; `npm run stress -- simulations` runs others. */
const SEED = 20_091_031;
/** A seed that reaches rare states early. */
const SEEDS: Readonly<Record<string, number>> = {
  'an output that returns stays removed': 4,
  'the last issued address is not watched': 1,
};

async function openLedger(bug: SqlBug | null): Promise<PostgresLedger> {
  const { connection } = await createTestDatabase();
  const ledger = await PostgresLedger.open(connection, bug);
  after(() => ledger.close());
  return ledger;
}

const tally: Tally = new Map();

for (let part = 1; part <= PARTS; part += 1) {
  test(`[PAY-09] [PAY-10] [PAY-11] [PAY-12] PostgreSQL matches the chain, part ${part} of ${PARTS}`, async () => {
    // Two workers, each with its own database, use both cores.
    const halves = [0, 1].map(async (half) => {
      const ledger = await openLedger(null);
      const runs = Math.ceil(RUNS / PARTS / 2);
      const checked = await checkSimulations(ledger, { runs, seed: SEED + 2 * part + half, tally, isShortened: true });
      assert.ok(!checked.failed, fc.defaultReportMessage(checked));
    });
    await Promise.all(halves);
  });
}

test('the simulations in PostgreSQL reach every outcome of a payment', (t) => {
  t.diagnostic(formatTally(tally));
  assertCovered(tally, RUNS, RUNS);
});

/** PostgreSQL error class 42: syntax errors and unknown names. */
const isBadSql = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('42');

for (const bug of sqlBugs) {
  test(`the simulations in PostgreSQL detect: ${bug.name}`, async (t) => {
    const ledger = await openLedger(bug);
    const seed = SEEDS[bug.name] ?? SEED;
    const checked = await checkSimulations(ledger, { runs: 2000, seed, tally: new Map(), isShortened: false });
    assert.ok(ledger.isBugInjected, 'no statement was changed');
    assert.ok(checked.failed, `${checked.numRuns} histories did not detect: ${bug.name}`);
    assert.ok(!isBadSql(checked.errorInstance), 'the changed statement is invalid SQL');
    t.diagnostic(`detected in history ${checked.numRuns}: ${String(checked.errorInstance).split('\n')[0]}`);
  });
}
