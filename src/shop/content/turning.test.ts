import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, double, integer, property } from 'fast-check';
import { describeFrame, findTurningPicture, FRAME_COUNT } from './turning.ts';
import { findFrameOfKey, scaleRegion, toCanvasSide, toFrame } from './turning-steps.ts';

test('[HOME-11] every position is a frame, and a full turn leads back to it', () => {
  check(
    property(integer({ min: -9999, max: 9999 }), (position) => {
      const frame = toFrame(position);
      assert.ok(Number.isInteger(frame) && frame >= 0 && frame < FRAME_COUNT && !Object.is(frame, -0));
      assert.equal(toFrame(position + FRAME_COUNT), frame);
      assert.equal(toFrame(position + 0.4), frame);
    }),
  );
});

test('[HOME-11] keys turn by a frame, by 45 degrees, and to the ends', () => {
  const results = ['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Tab'].map(
    (key) => findFrameOfKey(key, 0),
  );
  assert.deepEqual(results, [1, 1, 23, 23, 3, 21, 0, 23, null]);
  assert.deepEqual([0, 3, 12, 23].map(describeFrame), ['back', '45 degrees', 'front', '345 degrees']);
});

test('[HOME-11] edges of the region are whole pixels of every canvas', () => {
  const { region } = findTurningPicture('/images/hero.avif') ?? assert.fail();
  check(
    property(double({ min: 0, max: 9999, noNaN: true }), (width) => {
      const side = toCanvasSide(width);
      assert.ok(side >= Math.min(width, 1280) && side <= 1280 && side > 0);
      assert.ok(scaleRegion(region, side).every(Number.isInteger));
    }),
  );
});

test('[HOME-11] other pictures do not turn', () => {
  assert.equal(findTurningPicture('/images/uploads/hero.avif'), null);
});
