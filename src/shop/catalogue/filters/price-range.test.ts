import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  DEFAULT_BOUNDS,
  computeBounds,
  updateRange,
  clampRange,
  SLIDER_STEP,
  computeSliderEnds,
  toPriceRange,
  dropDefaultBounds,
} from './price-range.ts';
import type { PriceRange } from './price-range.ts';
import { parseMaximum, parseMinimum } from './typed-price.ts';
import type { TypedPrice } from './typed-price.ts';

const bounds = { minimum: 29, maximum: 3499 };
const current = { minimum: 100, maximum: 1000 };
const readValue = (typed: TypedPrice): number | string => (typed.ok ? typed.value : typed.problem);
const enterMinimum = (written: string) => readValue(parseMinimum(written, current, bounds));
const enterMaximum = (written: string) => readValue(parseMaximum(written, current, bounds));

test('[CAT-04] clamps a typed minimum between lowest price and maximum', () => {
  assert.equal(enterMinimum('250'), 250);
  assert.equal(enterMinimum('250,5'), 250.5);
  assert.equal(enterMinimum('$ 250.50'), 250.5);
  assert.equal(enterMinimum('1000'), 1000);
  assert.equal(enterMinimum('1001'), 29);
  assert.equal(enterMinimum('5000'), 29);
  for (const nothing of ['', '  ', '-5', '-1,000.00', '0', '0,00']) assert.equal(enterMinimum(nothing), 29, nothing);
});

test('[CAT-04] clamps a typed maximum between minimum and highest price', () => {
  assert.equal(enterMaximum('250'), 250);
  assert.equal(enterMaximum('100'), 100);
  assert.equal(enterMaximum('99'), 3499);
  assert.equal(enterMaximum('99999'), 3499);
  assert.equal(enterMaximum('1,100.00'), 1100);
  for (const nothing of ['', '-5', '0']) assert.equal(enterMaximum(nothing), 3499, nothing);
});

test('[CAT-04] [FMT-04] refuses a typed bound that is unclear or no price', () => {
  for (const enter of [enterMinimum, enterMaximum]) {
    assert.equal(enter('1,299'), '“1,299” is unclear. Write 1299 or 1.29');
    for (const other of ['abc', 'NaN', '-Infinity', '19.9961', '1e3']) {
      assert.equal(enter(other), 'Enter a price such as 1299.50', other);
    }
  }
});

test('[CAT-04] uses bounds 0 to 9000 without products', () => {
  assert.deepEqual(computeBounds(null), { minimum: 0, maximum: 9000 });
  assert.deepEqual(parseMinimum('', DEFAULT_BOUNDS, DEFAULT_BOUNDS), { ok: true, value: 0 });
  assert.deepEqual(parseMaximum('', DEFAULT_BOUNDS, DEFAULT_BOUNDS), { ok: true, value: 0 });
  assert.deepEqual(computeBounds({ minimum: 29.5, maximum: 999.01 }), { minimum: 29, maximum: 1000 });
});

const anyBounds = fc
  .tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 0, max: 9000 }))
  .map(([a, b]): PriceRange => ({ minimum: Math.min(a, b), maximum: Math.max(a, b) }));
const generateWithin = ({ minimum, maximum }: PriceRange) =>
  fc
    .tuple(fc.integer({ min: minimum, max: maximum }), fc.integer({ min: minimum, max: maximum }))
    .map(([a, b]): PriceRange => ({ minimum: Math.min(a, b), maximum: Math.max(a, b) }));
const anyState = anyBounds.chain((all) => fc.record({ all: fc.constant(all), now: generateWithin(all) }));
const NO_LIMIT = { minimum: null, maximum: null };
const anyTyped = fc.oneof(fc.string({ maxLength: 6 }), fc.integer({ min: -99, max: 12_000 }).map(String));

test('[CAT-04] keeps a valid range for any input', () => {
  fc.assert(
    fc.property(anyState, anyTyped, ({ all, now }, written) => {
      const lower = parseMinimum(written, now, all);
      const upper = parseMaximum(written, now, all);
      const ranges = [
        ...(lower.ok ? [{ ...now, minimum: lower.value }] : []),
        ...(upper.ok ? [{ ...now, maximum: upper.value }] : []),
      ];
      for (const { minimum, maximum } of ranges) {
        assert.ok(all.minimum <= minimum && minimum <= maximum && maximum <= all.maximum);
      }
    }),
  );
});

test('[CAT-04] steps the slider by 10 and reaches both bounds', () => {
  fc.assert(
    fc.property(anyBounds, fc.nat(900), fc.nat(900), (all, from, to) => {
      const ends = computeSliderEnds(all);
      assert.ok(ends.minimum % SLIDER_STEP === 0 && ends.maximum % SLIDER_STEP === 0);
      assert.deepEqual(toPriceRange(ends, all), all);
      assert.deepEqual(dropDefaultBounds(toPriceRange(ends, all), all), NO_LIMIT);
      const steps = (ends.maximum - ends.minimum) / SLIDER_STEP;
      const [low, high] = [from % (steps + 1), to % (steps + 1)].toSorted((a, b) => a - b);
      const thumbs = { minimum: ends.minimum + (low ?? 0) * 10, maximum: ends.minimum + (high ?? 0) * 10 };
      const range = toPriceRange(thumbs, all);
      assert.ok(all.minimum <= range.minimum && range.minimum <= range.maximum && range.maximum <= all.maximum);
      assert.deepEqual(clampRange(updateRange(NO_LIMIT, range, all), all), range);
    }),
  );
});

test('[CAT-04] [SRCH-04] keeps an untouched limit outside the current prices', () => {
  const requested = { minimum: null, maximum: 5000 };
  assert.deepEqual(clampRange(requested, bounds), bounds);
  assert.deepEqual(updateRange(requested, { ...bounds, minimum: 100 }, bounds), { minimum: 100, maximum: 5000 });
  assert.deepEqual(updateRange(requested, { ...bounds, maximum: 900 }, bounds), { minimum: null, maximum: 900 });
  assert.deepEqual(updateRange({ minimum: 50, maximum: 900 }, bounds, bounds), NO_LIMIT);
  assert.deepEqual(dropDefaultBounds({ minimum: 29, maximum: 5000 }, bounds), requested);
});
