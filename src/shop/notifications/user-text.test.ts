import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainOrderMail, createGreeting, getMailName } from './user-text.ts';

test('[OPS-26] a mail has the username once the address is confirmed', () => {
  assert.equal(getMailName({ username: 'Ada', isConfirmed: true }), 'Ada');
  assert.equal(getMailName({ username: 'Ada', isConfirmed: false }), null);
  assert.deepEqual([createGreeting('Ada'), createGreeting(null)], ['Hello Ada,', 'Hello,']);
  assert.match(
    explainOrderMail(null, 'CM-1'),
    /because an account with this address ordered at our shop \(order CM-1\)/,
  );
});
