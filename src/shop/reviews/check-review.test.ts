import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getReviewError } from './check-review.ts';

test('[REV-03] requires a text of at most 2000 characters', () => {
  assert.equal(getReviewError('Good'), null);
  assert.equal(getReviewError(` ${'x'.repeat(2000)} `), null);
  assert.equal(getReviewError(' \n'), 'Write a few words about the product');
  assert.equal(getReviewError('x'.repeat(2001)), 'Your review is too long (2001 of 2000 characters)');
});
