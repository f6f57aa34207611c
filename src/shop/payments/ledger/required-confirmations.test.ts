import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import { parseConfirmationSteps, computeRequiredConfirmations } from './required-confirmations.ts';

const computeNeeded = (text: string, totalCents: bigint): number => {
  const parsed = parseConfirmationSteps(text);
  assert.ok(parsed.ok, `${text} is refused`);
  return computeRequiredConfirmations(parsed.steps, cents(totalCents));
};

test('a step includes its lower limit', () => {
  const text = '0:1,500:2,5000:3,25000:6';
  const totals = [0n, 49_999n, 50_000n, 499_999n, 500_000n, 2_499_999n, 2_500_000n, 10n ** 12n];
  assert.deepEqual(
    totals.map((total) => computeNeeded(text, total)),
    [1, 1, 2, 2, 3, 3, 6, 6],
  );
});

test('accepts blanks and decimals', () => {
  assert.equal(computeNeeded(' 0 : 1 , 10.5:2', 1049n), 1);
  assert.equal(computeNeeded('0:1,10.5:2', 1050n), 2);
  assert.equal(computeNeeded('0:6', 1n), 6);
});

test('rejects an invalid setting with a reason', () => {
  for (const [text, reason] of [
    ['', /"" is not/],
    ['1', /"1" is not/],
    ['0:1,', /"" is not/],
    ['0:1;500:2', /is not/],
    ['0:1,5e2:2', /"5e2:2" is not/],
    ['-1:1', /is not/],
    ['0:0', /less than 1/],
    ['0:101', /more than 100/],
    ['500:2', /first total must be 0/],
    ['0:1,500:2,500:3', /does not come after/],
    ['0:1,500:2,100:3', /does not come after/],
    ['0:3,500:2', /fewer confirmations/],
  ] as const) {
    const parsed = parseConfirmationSteps(text);
    assert.ok(!parsed.ok, `"${text}" is accepted`);
    assert.match(parsed.reason, reason);
  }
});
