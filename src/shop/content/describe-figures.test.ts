import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeConfirmations, describeDuration, listConfirmations } from './describe-figures.ts';

const step = (dollars: bigint, confirmations: number) => ({ fromCents: dollars * 100n, confirmations });

test('[OPS-07] durations are whole hours in words or minutes', () => {
  assert.deepEqual([3600, 7200, 900, 60, 5400, 86_400].map(describeDuration), [
    'one hour',
    'two hours',
    '15 minutes',
    '1 minute',
    '90 minutes',
    '24 hours',
  ]);
});

test('[OPS-07] confirmations are one sentence for any steps', () => {
  assert.equal(describeConfirmations([step(0n, 3)]), 'Three confirmations are enough');
  assert.equal(
    describeConfirmations([step(0n, 1), step(500n, 2)]),
    'One confirmation is enough below $500, two from $500',
  );
  assert.equal(
    describeConfirmations([step(0n, 1), step(500n, 2), step(5000n, 12)]),
    'One confirmation is enough below $500, two from $500 and 12 from $5,000',
  );
});

test('[OPS-07] the table has a row for each step', () => {
  assert.deepEqual(listConfirmations([step(0n, 1), step(500n, 2)]), [
    ['below $500', '1'],
    ['from $500', '2'],
  ]);
  assert.deepEqual(listConfirmations([step(0n, 1)]), [['any', '1']]);
});
