import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiFailure } from '../api.ts';
import { describeFailure, describeFailureWithFields, describeOutage } from './describe-failure.ts';

const refusal = new ApiFailure(409, 'sold-out', 'It is sold out.');

test('a call without an answer says so, with what is true nevertheless', () => {
  const silent = new ApiFailure(0, 'no-answer', 'No answer');
  assert.equal(describeFailure(silent), 'The shop did not respond. Check your connection and try again.');
  assert.equal(
    describeFailure(silent, { assurance: 'You will not order twice.' }),
    'The shop did not respond. Check your connection and try again. You will not order twice.',
  );
});

test('a limit names what is counted and how long to wait', () => {
  const limited = new ApiFailure(429, 'too-often', 'Too many requests', { retryAfterSeconds: 30 });
  assert.equal(describeFailure(limited), 'Too many attempts. Please wait 30 seconds and try again.');
  assert.equal(
    describeFailure(limited, { counted: 'messages' }),
    'Too many messages. Please wait 30 seconds and try again.',
  );
});

test('a failure of the shop shows its reason only if it has one', () => {
  for (const code of ['internal', 'unknown', '']) {
    const text = describeFailure(new ApiFailure(500, code, 'Unknown error'));
    assert.equal(text, 'Something went wrong on our side. Try again in a moment.');
  }
  assert.equal(describeFailure(new ApiFailure(503, 'no-rate', 'No bitcoin price')), 'No bitcoin price.');
  assert.equal(describeFailure(new TypeError('x')), 'Something went wrong on our side. Try again in a moment.');
});

test('[ACC-15] a call without a session says how to go on without leaving the page', () => {
  const loggedOut = new ApiFailure(401, 'unauthenticated', 'Please log in');
  const expected = 'You are logged out. Log in in another tab, then try again.';
  assert.equal(describeOutage(loggedOut), expected);
  assert.equal(
    describeFailure(loggedOut, { assurance: 'Your text is still here.' }),
    `${expected} Your text is still here.`,
  );
});

test('a refusal is no outage, and its message ends with one full stop', () => {
  assert.equal(describeOutage(refusal), null);
  assert.equal(describeFailure(refusal), 'It is sold out.');
});

test('an action without fields of its own names the refused ones', () => {
  const invalid = new ApiFailure(400, 'invalid', 'Not sent', {
    fields: { amount: 'is too small', note: 'is too long' },
  });
  assert.equal(describeFailureWithFields(invalid), 'Not sent: amount is too small, note is too long.');
  assert.equal(describeFailureWithFields(refusal), 'It is sold out.');
});
