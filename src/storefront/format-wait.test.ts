import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatWait } from './format-wait.ts';

test('[ACC-04] rounds the wait up to whole seconds or minutes', () => {
  assert.equal(formatWait(null), 'Please wait a minute and try again.');
  assert.equal(formatWait(1), 'Please wait a second and try again.');
  assert.equal(formatWait(60), 'Please wait 60 seconds and try again.');
  assert.equal(formatWait(90), 'Please wait 2 minutes and try again.');
  assert.equal(formatWait(121), 'Please wait 3 minutes and try again.');
});
