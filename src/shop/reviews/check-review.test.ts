import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getNameError, getReviewError } from './check-review.ts';

test('[REV-03] requires a text of at most 2000 characters', () => {
  assert.equal(getReviewError('Good'), null);
  assert.equal(getReviewError(` ${'x'.repeat(2000)} `), null);
  assert.equal(getReviewError(' \n'), 'Write a few words about the product');
  assert.equal(getReviewError('x'.repeat(2001)), 'Your review is too long (2001 of 2000 characters)');
});

test('[REV-04] requires a name of at most 60 characters', () => {
  assert.equal(getNameError('Ada'), null);
  assert.equal(getNameError(` ${'x'.repeat(60)} `), null);
  assert.equal(getNameError(' '), 'Enter the name to show');
  assert.equal(getNameError('x'.repeat(61)), 'The name is too long (61 of 60 characters)');
});
