import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becauseOfOrder, greeting, nameInMail } from './user-text.ts';

test('[OPS-26] a mail names its reader once the address is confirmed', () => {
  assert.equal(nameInMail({ username: 'Ada', isConfirmed: true }), 'Ada');
  assert.equal(nameInMail({ username: 'Ada', isConfirmed: false }), null);
  assert.deepEqual([greeting('Ada'), greeting(null)], ['Hello Ada,', 'Hello,']);
  assert.match(becauseOfOrder(null, 'CM-1'), /because an account with this address ordered at our shop \(order CM-1\)/);
});
