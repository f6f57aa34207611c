import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectShownRate } from './display-rate.ts';
import type { ShownRate } from './display-rate.ts';

function setUp() {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  let medianCents = 10_000_000n;
  let shown: ShownRate | null = null;
  return {
    shown: () => (shown = selectShownRate(shown, { medianCents, at: new Date(nowMs) })).shownCents,
    move: (to: bigint) => (medianCents = to),
    wait: (seconds: number) => (nowMs += seconds * 1000),
  };
}

test('the display rate follows moves of 0.25 %, not smaller ones', () => {
  for (const direction of [1n, -1n]) {
    const { shown, move } = setUp();
    assert.equal(shown(), 10_000_000n);
    move(10_000_000n + direction * 24_999n);
    assert.equal(shown(), 10_000_000n);
    move(10_000_000n + direction * 25_000n);
    assert.equal(shown(), 10_000_000n + direction * 25_000n);
    move(10_000_000n);
    assert.equal(shown(), direction === 1n ? 10_025_000n : 10_000_000n);
  }
});

test('many small movements in one direction add up', () => {
  const { shown, move } = setUp();
  shown();
  for (let step = 1n; step < 25n; step += 1n) {
    move(10_000_000n + step * 1000n);
    assert.equal(shown(), 10_000_000n);
  }
  move(10_025_000n);
  assert.equal(shown(), 10_025_000n);
});

test('the display rate follows any move after ten minutes', () => {
  const { shown, move, wait } = setUp();
  shown();
  move(10_000_001n);
  wait(599);
  assert.equal(shown(), 10_000_000n);
  wait(1);
  assert.equal(shown(), 10_000_001n);
  wait(-86_400);
  move(10_000_002n);
  assert.equal(shown(), 10_000_002n);
});
