import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSteps, setupSteps } from './setup-checklist.ts';
import type { SetupChecks, SetupStep } from './setup-checklist.ts';

/** Checks of which these fail. */
const createChecks = (...missing: readonly SetupStep[]): SetupChecks =>
  Object.fromEntries(setupSteps.map((step) => [step, () => !missing.includes(step)]));

test('[OPS-07] the checklist says when chain or rate are down', async () => {
  const { steps, is_complete: isComplete } = await checkSteps(createChecks('chain', 'rate', 'tax'));
  assert.deepEqual(
    steps.filter((one) => !one.is_done).map(({ step }) => step),
    ['chain', 'rate', 'tax'],
  );
  assert.equal(isComplete, false);
  const up = await checkSteps(createChecks('backup'));
  assert.ok(up.steps.every(({ step }) => step !== 'chain' && step !== 'rate'));
});

test('[OPS-07] an outage does not bring back a checklist that is done', async () => {
  assert.equal((await checkSteps(createChecks('chain'))).is_complete, true);
  assert.equal((await checkSteps(createChecks('shipping'))).is_complete, false);
});
