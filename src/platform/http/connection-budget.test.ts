import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, integer, nat, property } from 'fast-check';
import { computeConnectionBudget } from './connection-budget.ts';

test('[OPS-26] connections leave 96 file descriptors for everything else', () => {
  check(
    property(integer({ min: 160, max: 2_000_000 }), (openFiles) => {
      const { http, live } = computeConnectionBudget(openFiles);
      assert.ok(2 * http + live <= openFiles - 96);
      assert.ok(http >= 8 && live >= 8 && http <= 10_000 && live <= 10_000);
    }),
  );
});

test('[OPS-26] more file descriptors never allow fewer connections', () => {
  check(
    property(nat(100_000), nat(1_000), (openFiles, more) => {
      const [small, large] = [computeConnectionBudget(openFiles), computeConnectionBudget(openFiles + more)];
      assert.ok(large.http >= small.http && large.live >= small.live);
    }),
  );
});

test('[OPS-26] a system without a limit still has one for connections', () => {
  assert.deepEqual(computeConnectionBudget(null), { http: 10_000, live: 10_000 });
  assert.deepEqual(computeConnectionBudget(256), { http: 60, live: 40 });
});
