import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPassword } from './is-common-password.ts';

test('the passwords that are guessed first are refused, in any case', () => {
  for (const password of ['123456', 'password', 'PassWord1', 'QWERTY']) assert.equal(isCommonPassword(password), true);
});

test('others are not, also short ones', () => {
  for (const password of ['crypto-market', 'password of mine', 'tr0ub4', ''])
    assert.equal(isCommonPassword(password), false);
});
