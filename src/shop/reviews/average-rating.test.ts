import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeAverageRating } from './average-rating.ts';

test('the mean of ratings has one decimal', () => {
  assert.equal(computeAverageRating([]), null);
  assert.equal(computeAverageRating([4]), 4);
  assert.equal(computeAverageRating([5, 4]), 4.5);
  assert.equal(computeAverageRating([5, 4, 4]), 4.3);
  assert.equal(computeAverageRating([5, 5, 4]), 4.7);
  // 4.25 is written 4.3.
  assert.equal(computeAverageRating([5, 4, 4, 4]), 4.3);
});
