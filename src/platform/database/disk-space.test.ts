import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, constantFrom, integer, property } from 'fast-check';
import { computeDiskLevel } from './disk-space.ts';
import type { DiskLevel } from './disk-space.ts';

const MIB = 1024 * 1024;
const levels: readonly DiskLevel[] = ['ok', 'low', 'full', 'exhausted'];
const level = constantFrom(...levels);
const free = integer({ min: 0, max: 2_000 }).map((megabytes) => megabytes * MIB);

test('a level starts below its limit, from any other level', () => {
  for (const present of levels) {
    assert.equal(computeDiskLevel(present, 47 * MIB), 'exhausted');
    assert.equal(computeDiskLevel(present, 2_000 * MIB), 'ok');
  }
  assert.equal(computeDiskLevel('ok', 191 * MIB), 'full');
  assert.equal(computeDiskLevel('low', 192 * MIB), 'low');
  assert.equal(computeDiskLevel('ok', 1023 * MIB), 'low');
});

test('a level ends with more free space than it starts with', () => {
  assert.equal(computeDiskLevel('exhausted', 95 * MIB), 'exhausted');
  assert.equal(computeDiskLevel('exhausted', 96 * MIB), 'full');
  assert.equal(computeDiskLevel('full', 255 * MIB), 'full');
  assert.equal(computeDiskLevel('full', 256 * MIB), 'low');
  assert.equal(computeDiskLevel('low', 1279 * MIB), 'low');
  assert.equal(computeDiskLevel('low', 1280 * MIB), 'ok');
});

test('less free space never gives a better level; levels are stable', () => {
  holds(
    property(level, free, free, (present, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      const getSeverity = (bytes: number): number => levels.indexOf(computeDiskLevel(present, bytes));
      assert.ok(getSeverity(less) >= getSeverity(more));
      const next = computeDiskLevel(present, a);
      assert.equal(computeDiskLevel(next, a), next);
    }),
  );
});
