import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeShareLeft } from './compute-share-left.ts';

const START = '2026-11-28T10:00:00.000Z';
const END = '2026-11-28T12:00:00.000Z';

test('[PAY-02] the ring is full at the start and empty at the end', () => {
  assert.equal(computeShareLeft(7200, START, END), 1);
  assert.equal(computeShareLeft(1800, START, END), 0.25);
  assert.equal(computeShareLeft(0, START, END), 0);
  assert.equal(computeShareLeft(-5, START, END), 0);
  // A window that an extension or a wrong clock made longer than it seems.
  assert.equal(computeShareLeft(9000, START, END), 1);
  assert.equal(computeShareLeft(10, END, START), 1);
  assert.equal(computeShareLeft(0, END, START), 0);
});

test('[PAY-02] the ring never grows while time passes', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9000, max: 9000 }), fc.nat(9000), (leftS, passedS) => {
      const share = computeShareLeft(leftS, START, END);
      assert.ok(share >= 0 && share <= 1);
      assert.ok(computeShareLeft(leftS - passedS, START, END) <= share);
    }),
  );
});
