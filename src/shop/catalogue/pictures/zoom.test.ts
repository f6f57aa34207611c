import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findMaxScale, fitInto, limitView, pinch, readMovement, toggleZoom, WHOLE, zoomAt } from './zoom.ts';
import type { Point, View } from './zoom.ts';

const length = fc.double({ min: -2000, max: 2000, noNaN: true });
const point = fc.record({ x: length, y: length });
const scale = fc.double({ min: 1, max: 8, noNaN: true });
const view = fc.record({ scale, x: length, y: length });
const size = fc.record({
  width: fc.double({ min: 100, max: 3000, noNaN: true }),
  height: fc.double({ min: 100, max: 3000, noNaN: true }),
});

/** What lies at a point, as a place in the unscaled picture. */
const findPlace = ({ scale: factor, x, y }: View, at: Point): Point => ({
  x: (at.x - x) / factor,
  y: (at.y - y) / factor,
});
const assertClose = (a: Point, b: Point): void => assert.ok(Math.hypot(a.x - b.x, a.y - b.y) < 1e-6);

const read = (x: number, y: number, ms: number) => readMovement({ x, y, ms }, 400);

test('[PROD-12] zooming keeps what lies at the point', () => {
  fc.assert(
    fc.property(view, scale, point, (before, to, at) =>
      assertClose(findPlace(zoomAt(before, to, at), at), findPlace(before, at)),
    ),
  );
});

test('[PROD-12] a pinch keeps what lies below both fingers', () => {
  fc.assert(
    fc.property(view, point, point, length, length, (before, a, b, x, y) => {
      fc.pre(Math.hypot(a.x - b.x, a.y - b.y) > 1);
      // Twice as far apart, and moved.
      const moved = [a, b].map((one) => ({ x: 2 * one.x + x, y: 2 * one.y + y }));
      const [c = a, d = b] = moved;
      const after = pinch(before, [a, b], [c, d]);
      assertClose(findPlace(after, c), findPlace(before, a));
      assertClose(findPlace(after, d), findPlace(before, b));
    }),
  );
  assert.deepEqual(pinch(WHOLE, [WHOLE, WHOLE], [WHOLE, { x: 9, y: 0 }]).scale, 1);
});

test('[PROD-12] a picture stays in its limits, centred where it is smaller than the stage', () => {
  fc.assert(
    fc.property(view, size, size, (wanted, picture, stage) => {
      const fitted = fitInto(picture, stage);
      assert.ok(fitted.width <= stage.width + 1e-6 && fitted.height <= stage.height + 1e-6);
      const most = findMaxScale(picture.width, fitted.width);
      assert.ok(most >= 3 && most <= 8);
      const shown = limitView(wanted, fitted, stage, most);
      assert.ok(shown.scale >= 1 && shown.scale <= most);
      const room = fitted.width * shown.scale - stage.width;
      assert.ok(Math.abs(shown.x) <= Math.max(room / 2, 0) + 1e-6);
      assert.deepEqual(limitView(shown, fitted, stage, most), shown);
    }),
  );
});

test('[PROD-12] a double tap zooms in at its point, the next one out', () => {
  const zoomed = toggleZoom(WHOLE, { x: 40, y: -20 }, 8);
  assert.equal(zoomed.scale, 2.5);
  assertClose(findPlace(zoomed, { x: 40, y: -20 }), { x: 40, y: -20 });
  assert.deepEqual(toggleZoom(zoomed, { x: 0, y: 0 }, 8), WHOLE);
});

test('[PROD-12] a far or fast movement turns the page, one down closes, others do nothing', () => {
  assert.equal(read(-120, 10, 900), 'next');
  assert.equal(read(120, 10, 900), 'previous');
  assert.equal(read(-50, 5, 60), 'next');
  assert.equal(read(-50, 5, 900), null);
  assert.equal(read(-20, 5, 10), null);
  assert.equal(read(30, 150, 500), 'close');
  assert.equal(read(0, -150, 500), null);
  assert.equal(read(-130, 200, 500), 'close');
  assert.equal(read(-90, 100, 100), null);
});
