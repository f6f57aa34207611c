import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkRegistration } from './check-registration.ts';

const VALID = { username: 'ada', email: 'ada@shop.example', password: 'secret' };
const CLEAN = { username: null, email: null, password: null };

test('[ACC-01] accepts a complete registration', () => {
  assert.deepEqual(checkRegistration(VALID), CLEAN);
});

test('[ACC-01] requires each field and treats blanks as empty', () => {
  assert.deepEqual(checkRegistration({ username: '', email: '', password: '' }), {
    username: 'Username is required',
    email: 'Email is required',
    password: 'Password is required',
  });
  assert.deepEqual(checkRegistration({ username: '  ', email: '\t', password: '      ' }), {
    username: 'Username is required',
    email: 'Email is required',
    password: 'Password is required',
  });
});

test('[ACC-01] requires text, @ and a domain ending in two letters', () => {
  for (const email of [
    'a@b.co',
    'first.last+tag@mail.shop.example',
    ' ada@shop.example ',
    'ADA@SHOP.EXAMPLE',
    'ada@bücher.example',
    'ada@xn--bcher-kva.example',
    'ada@例え.テスト',
    'ada@shop.xn--p1ai',
    'jörg@shop.example',
    '\u200bada@shop.example\ufeff',
    'ada＠shop.example',
  ]) {
    assert.deepEqual(checkRegistration({ ...VALID, email }), CLEAN, email);
  }
  for (const email of [
    'ada',
    'ada@',
    '@shop.example',
    'ada@shop',
    'ada@shop.e',
    'ada@shop.e1',
    'a@b@c.de',
    'a b@c.de',
    'a@.de',
    'a..b@shop.example',
    'a.@shop.example',
    '.a@shop.example',
    'ada@exam,ple.com',
    'ada@-shop.example',
    'ada@shop-.example',
    'a"b@shop.example',
    `${'a'.repeat(65)}@shop.example`,
  ]) {
    assert.deepEqual(
      checkRegistration({ ...VALID, email }),
      { ...CLEAN, email: 'Please enter a valid email address' },
      email,
    );
  }
});

test('[ACC-01] requires a password of at least six characters', () => {
  assert.equal(checkRegistration({ ...VALID, password: '12345' }).password, 'Password must be at least 6 characters');
  assert.equal(checkRegistration({ ...VALID, password: '123456' }).password, null);
});

test('[ACC-01] checks each field independently of the others', () => {
  const draft = fc.record({ username: fc.string(), email: fc.string(), password: fc.string() });
  fc.assert(
    fc.property(draft, (values) => {
      const messages = checkRegistration(values);
      assert.equal(checkRegistration({ ...VALID, username: values.username }).username, messages.username);
      assert.equal(checkRegistration({ ...VALID, email: values.email }).email, messages.email);
      assert.equal(checkRegistration({ ...VALID, password: values.password }).password, messages.password);
    }),
  );
});
