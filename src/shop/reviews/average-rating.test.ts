import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeAverageRating } from './average-rating.ts';

test('rounds the mean rating to one decimal', () => {
  assert.equal(computeAverageRating([]), null);
  assert.equal(computeAverageRating([4]), 4);
  assert.equal(computeAverageRating([5, 4]), 4.5);
  assert.equal(computeAverageRating([5, 4, 4]), 4.3);
  assert.equal(computeAverageRating([5, 5, 4]), 4.7);
  // 4.25 rounds to 4.3.
  assert.equal(computeAverageRating([5, 4, 4, 4]), 4.3);
});
