import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMessage, normaliseMessage } from './check-message.ts';

const GOOD = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' };

test('[PAGE-02] accepts a complete message', () => {
  assert.deepEqual(checkMessage(GOOD), {});
  assert.deepEqual(checkMessage({ ...GOOD, message: `  ${'x'.repeat(4000)}\r\n` }), {});
});

test('[PAGE-02] returns an error for each invalid field', () => {
  assert.deepEqual(checkMessage({ firstName: ' ', lastName: '', email: '', message: '\n' }), {
    firstName: 'First Name is required',
    lastName: 'Last Name is required',
    email: 'Email is required',
    message: 'Comment or Message is required',
  });
  assert.deepEqual(checkMessage({ ...GOOD, email: 'ada@example' }), { email: 'Please enter a valid email address' });
  assert.deepEqual(checkMessage({ ...GOOD, message: 'x'.repeat(4010) }), {
    message: 'Comment or Message is too long (4010 of 4000 characters)',
  });
  assert.deepEqual(checkMessage({ ...GOOD, firstName: 'x'.repeat(101) }), {
    firstName: 'First Name is too long (101 of 100 characters)',
  });
});

test('normalises line ends and trims surrounding whitespace', () => {
  assert.deepEqual(normaliseMessage({ ...GOOD, firstName: ' Ada ', message: '\r\none\r\ntwo\rthree\n' }), {
    ...GOOD,
    message: 'one\ntwo\nthree',
  });
  assert.deepEqual(checkMessage({ ...GOOD, message: Array.from({ length: 2000 }, () => 'a').join('\r\n') }), {});
});
