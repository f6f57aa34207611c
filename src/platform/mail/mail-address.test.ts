import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isMailAddress, parseSender, toMailboxKey } from './mail-address.ts';

test('accepts one mail address only', () => {
  for (const good of [
    'ada@shop.example',
    'ada.lovelace+orders@mail.shop.example',
    "o'brien@shop.example",
    'x@localhost',
    'jürgen@bücher.example',
    `${'a'.repeat(64)}@shop.example`,
  ]) {
    assert.ok(isMailAddress(good), good);
  }
  for (const bad of [
    '',
    'ada',
    '@shop.example',
    'ada@',
    'ada@.example',
    'ada@shop..example',
    '.ada@shop.example',
    'ada.@shop.example',
    'ada@-shop.example',
    'ada @shop.example',
    'ada@shop.example ',
    'ada@shop.example\r\nBcc: eve@evil.example',
    'ada@shop.example,eve@evil.example',
    'eve@evil.example;ada@shop.example',
    'Ada <ada@shop.example>',
    '<ada@shop.example>',
    '"ada"@shop.example',
    'ada(comment)@shop.example',
    'ada:eve@evil.example',
    'ada@shop@evil.example',
    'ada@[127.0.0.1]',
    'ada@shop.example\u0000',
    `${'a'.repeat(65)}@shop.example`,
    `a@${'b'.repeat(64)}.example`,
    `a@${'bcd.'.repeat(70)}example`,
  ]) {
    assert.ok(!isMailAddress(bad), JSON.stringify(bad));
  }
});

test('refuses line ends, separators and brackets in an address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(40), (text, at) => {
      for (const bad of ['\r', '\n', '\u0000', '\u2028', ',', ';', '<', '>', ' ', '"', '(', '\\']) {
        const mixed = `${text.slice(0, at)}${bad}${text.slice(at)}`;
        assert.ok(
          !isMailAddress(mixed) && !isMailAddress(`a${mixed}@shop.example`) && !isMailAddress(`a@b${mixed}.example`),
        );
      }
    }),
  );
});

test('a sender is an address, with or without a name', () => {
  assert.deepEqual(parseSender('Crypto Market <no-reply@shop.example>'), {
    name: 'Crypto Market',
    address: 'no-reply@shop.example',
  });
  assert.deepEqual(parseSender('"Market, Crypto" <no-reply@shop.example>'), {
    name: 'Market, Crypto',
    address: 'no-reply@shop.example',
  });
  assert.deepEqual(parseSender('no-reply@shop.example'), { name: '', address: 'no-reply@shop.example' });
  for (const bad of [
    '',
    'shop',
    'Shop <shop>',
    'Shop <a@b.example',
    'A\r\nB <a@b.example>',
    'a@b.example, c@d.example',
  ]) {
    assert.equal(parseSender(bad), null, JSON.stringify(bad));
  }
});

test('[OPS-26] spellings of one mailbox have one key', () => {
  const key = toMailboxKey('jane.doe@mail.example');
  for (const spelling of [
    'JaneDoe@Mail.example',
    'j.a.n.e.d.o.e+shop@mail.example',
    ' jane.doe+a+b@mail.example',
    'ｊane.doe@mail.example',
  ])
    assert.equal(toMailboxKey(spelling), key, spelling);
  assert.equal(toMailboxKey('a@bücher.example'), toMailboxKey('a@xn--bcher-kva.example'));
  for (const other of ['jane.do@mail.example', 'jane.doe@mail2.example', 'jane.doe', ''])
    assert.notEqual(toMailboxKey(other), key);
});
