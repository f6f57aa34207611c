import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeVerification, summariseReviews } from './describe-reviews.ts';

test('[PROD-11] a line says whether reviews are verified', () => {
  const [all, some, none] = [describeVerification(3, 3), describeVerification(3, 2), describeVerification(3, 0)];
  assert.doesNotMatch(all, /not checked/);
  assert.match(some, /^Reviews with “Verified purchase” are from buyers .* The others were not checked/);
  assert.match(none, /These reviews were not checked: the shop added them/);
  for (const text of [all, some, none]) assert.match(text, /Only buyers of this product can review it/);
  assert.equal(describeVerification(0, 0), all);
});

test('[PROD-07] the average is written with one decimal', () => {
  assert.deepEqual(summariseReviews([5, 4, 4], 3).average, ['4.3', ' out of 5, from 3 reviews']);
  assert.deepEqual(summariseReviews([5], 0).average, ['5.0', ' out of 5, from 1 review']);
  assert.equal(summariseReviews([], 0).average, null);
});
