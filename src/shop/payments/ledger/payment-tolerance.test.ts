import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sats } from '#src/shop/money.ts';
import { computeToleranceSats } from './payment-tolerance.ts';

const DUST = fc.constantFrom(0n, 294n, 330n);

test('[PAY-15] tolerance is fixed or a share rounded down', () => {
  assert.equal(computeToleranceSats({ sats: 500n, basisPoints: 0n, dustSats: 0n }, sats(900_000n)), 500n);
  assert.equal(computeToleranceSats({ sats: 0n, basisPoints: 50n, dustSats: 0n }, sats(900_100n)), 4_500n);
  assert.equal(computeToleranceSats({ sats: 0n, basisPoints: 0n, dustSats: 0n }, sats(900_000n)), 0n);
});

test('[PAY-15] tolerance is at most a tenth of the amount due', () => {
  assert.equal(computeToleranceSats({ sats: 5_000n, basisPoints: 0n, dustSats: 0n }, sats(5_000n)), 500n);
  const tolerance = fc.record({ sats: fc.bigInt(0n, 10_000_000n), basisPoints: fc.bigInt(0n, 1_000n), dustSats: DUST });
  fc.assert(
    fc.property(tolerance, fc.bigInt(0n, 2_100_000_000_000_000n), (one, due) => {
      const tolerated = computeToleranceSats(one, sats(due));
      assert.ok(tolerated >= 0n && tolerated * 10n <= due);
    }),
  );
});

test('[PAY-15] [PAY-17] a rest that can’t be sent is always tolerated', () => {
  for (const chosen of [0n, 100n, 293n]) {
    assert.equal(computeToleranceSats({ sats: chosen, basisPoints: 0n, dustSats: 294n }, sats(900_000n)), 293n);
  }
  assert.equal(computeToleranceSats({ sats: 500n, basisPoints: 0n, dustSats: 294n }, sats(900_000n)), 500n);
  assert.equal(computeToleranceSats({ sats: 0n, basisPoints: 0n, dustSats: 294n }, sats(1_000n)), 100n);
});
