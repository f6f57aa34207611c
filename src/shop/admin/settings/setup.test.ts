import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { Setup } from './service.ts';
import type { SetupOptions } from './service.ts';

let db: Db;
before(async () => {
  ({ db } = await createTestDatabase());
});

/** A shop whose other steps are done, or not. */
function openSetup({ isUp = true, isRated = true, isDone = true } = {}): Setup {
  const steps = [
    'identity',
    'mail',
    'texts',
    'tax',
    'shipping',
    'category',
    'product',
    'stock',
    'test-order',
    'backup',
  ];
  const options = {
    db,
    clock: { now: () => new Date() },
    payments: { readChainHealth: async () => ({ isUp, reconciledAt: null }) },
    rates: { getState: () => (isRated ? 'current' : 'none') },
    hasSetup: true,
    setupChecks: Object.fromEntries(steps.map((step) => [step, () => isDone])),
  };
  // The checks of other steps are replaced, so their services are not needed.
  return new Setup(options as unknown as SetupOptions);
}
const listMissing = async (setup: Setup): Promise<string[]> =>
  (await setup.readSetup()).steps.flatMap((one) => (one.is_done ? [] : [one.step]));

test('[OPS-07] the checklist says when chain or rate are down', async () => {
  const missing = await listMissing(openSetup({ isUp: false, isRated: false, isDone: false }));
  assert.deepEqual(missing.slice(0, 2), ['chain', 'rate']);
  const { steps } = await openSetup({ isDone: false }).readSetup();
  assert.ok(steps.every(({ step }) => step !== 'chain' && step !== 'rate'));
});

test('[OPS-07] an outage does not bring back a checklist that is done', async () => {
  assert.equal((await openSetup({ isUp: false }).readSetup()).is_complete, true);
  assert.equal((await openSetup({ isDone: false }).readSetup()).is_complete, false);
});
