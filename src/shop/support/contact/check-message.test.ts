import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMessage, normaliseMessage } from './check-message.ts';

const GOOD = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' };

test('[PAGE-02] a whole message has no faults', () => {
  assert.deepEqual(checkMessage(GOOD), {});
  assert.deepEqual(checkMessage({ ...GOOD, message: `  ${'x'.repeat(4000)}\r\n` }), {});
});

test('[PAGE-02] each field says what it lacks', () => {
  assert.deepEqual(checkMessage({ firstName: ' ', lastName: '', email: '', message: '\n' }), {
    firstName: 'First Name is required',
    lastName: 'Last Name is required',
    email: 'Email is required',
    message: 'Comment or Message is required',
  });
  assert.deepEqual(checkMessage({ ...GOOD, email: 'ada@example' }), { email: 'Please enter a valid email address' });
  assert.deepEqual(checkMessage({ ...GOOD, message: 'x'.repeat(4010) }), {
    message: 'Comment or Message has 4010 characters: 4000 at most',
  });
  assert.deepEqual(checkMessage({ ...GOOD, firstName: 'x'.repeat(101) }), {
    firstName: 'First Name has 101 characters: 100 at most',
  });
});

test('line ends of a form count as one character, and what surrounds a text is no part of it', () => {
  assert.deepEqual(normaliseMessage({ ...GOOD, firstName: ' Ada ', message: '\r\none\r\ntwo\rthree\n' }), {
    ...GOOD,
    message: 'one\ntwo\nthree',
  });
  assert.deepEqual(checkMessage({ ...GOOD, message: Array.from({ length: 2000 }, () => 'a').join('\r\n') }), {});
});
