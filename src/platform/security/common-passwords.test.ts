import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dictionary } from '@zxcvbn-ts/language-common';
import { isCommonPassword } from './common-passwords.ts';

test('[ACC-01] refuses the 10,000 most common passwords in any case', () => {
  const most = dictionary['passwords-common'].slice(0, 10_000).filter(({ length }) => length >= 6);
  assert.ok(most.length > 8_000);
  for (const password of most)
    assert.ok(isCommonPassword(password) && isCommonPassword(password.toUpperCase()), password);
  for (const password of ['123456', 'PassWord', ' qwerty ', 'ｄｒａｇｏｎ'])
    assert.ok(isCommonPassword(password), password);
});

test('[ACC-01] accepts passwords that are not on the list', () => {
  for (const password of ['crypto-market', 'password of mine', 'tr0ub4', ''])
    assert.ok(!isCommonPassword(password), password);
});
