import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getReviewError } from './check-review.ts';

test('[REV-03] a review says something, in at most 2000 characters', () => {
  assert.equal(getReviewError('Good'), null);
  assert.equal(getReviewError(` ${'x'.repeat(2000)} `), null);
  assert.equal(getReviewError(' \n'), 'Say in a few words how it is');
  assert.equal(getReviewError('x'.repeat(2001)), 'Your review has 2001 characters: 2000 at most');
});
