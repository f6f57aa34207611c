import assert from 'node:assert/strict';
import { test } from 'node:test';
import { averageRating } from './average-rating.ts';

test('the mean of ratings has one decimal', () => {
  assert.equal(averageRating([]), null);
  assert.equal(averageRating([4]), 4);
  assert.equal(averageRating([5, 4]), 4.5);
  assert.equal(averageRating([5, 4, 4]), 4.3);
  assert.equal(averageRating([5, 5, 4]), 4.7);
  // 4.25 is written 4.3.
  assert.equal(averageRating([5, 4, 4, 4]), 4.3);
});
