import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPassword, COMMON_PASSWORD_MESSAGE } from './check-password.ts';

const owner = { username: 'Ada Lovelace', email: 'analyst@engine.example' };
const isCommon = (password: string): boolean => password === 'dragon';
const check = (password: string) => checkPassword(password, owner, isCommon);

test('[ACC-01] refuses a password of blanks or invisible characters', () => {
  for (const password of ['      ', '\t\t\t\t\t\t', '\u200b\u200b\u200b\u200b\u200b\u200b', '\u3000\u00a0      '])
    assert.equal(check(password), 'must not be blank');
});

test('[ACC-01] refuses the username and the email address as a password', () => {
  for (const password of ['ada lovelace', 'ADA LOVELACE', ' Ada  Lovelace '])
    assert.equal(check(password), 'must not be your username');
  for (const password of ['analyst@engine.example', 'Analyst@Engine.example', 'analyst'])
    assert.equal(check(password), 'must not be your email address');
});

test('[ACC-01] refuses a common password and accepts others', () => {
  assert.equal(check('dragon'), COMMON_PASSWORD_MESSAGE);
  for (const password of ['ada lovelace 1815', 'crypto-market', 'de ux']) assert.equal(check(password), null);
  assert.equal(checkPassword('ada lovelace', {}, isCommon), null);
});
