import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLink, MAIL_ADDRESS, ORDER_PREFIX, PHONE, PICTURE_PATH } from './check-text.ts';

test('[OPS-07] a link is a path of the shop or an http URL', () => {
  for (const link of [
    '/',
    '/promo',
    '/catalog?sort=newest#top',
    'https://shop.example',
    'http://shop.example/a?b=@c',
  ]) {
    assert.ok(isLink(link), link);
  }
  const refused = [
    '//evil.example',
    'vbscript:alert(1)',
    'data:text/html,x',
    'https://user:key@shop.example',
    'https:///x',
    'promo',
    '/a b',
    '/\\evil.example',
    '/a\nb',
    'https://a"b',
  ];
  for (const link of refused) assert.ok(!isLink(link), link);
});

test('[OPS-07] an order prefix is short, of capitals, digits and hyphens', () => {
  for (const prefix of ['', 'CM-', 'A', '2026-', 'ABCDEFGHIJ']) assert.match(prefix, ORDER_PREFIX);
  for (const prefix of ['-', '-A', 'cm-', 'A B', 'ABCDEFGHIJK', 'Ä', 'A\n']) assert.doesNotMatch(prefix, ORDER_PREFIX);
});

test('[OPS-07] a picture is a path of this shop', () => {
  for (const path of ['/logo.svg', '/api/images/logo-1.avif']) assert.match(path, PICTURE_PATH);
  for (const path of ['//evil.example/x', 'https://a.example/x', 'logo.svg', '/a b', '/a"b', '/a?b']) {
    assert.doesNotMatch(path, PICTURE_PATH);
  }
});

test('[OPS-07] a phone number has digits and separators', () => {
  for (const phone of ['+44 20 7946 0000', '030/123-45', '(020) 7946.0000']) assert.match(phone, PHONE);
  for (const phone of ['call me', '12', '+', '1;ext=2']) assert.doesNotMatch(phone, PHONE);
});

test('[OPS-07] a mail address is one address of a domain', () => {
  for (const address of ['help@shop.example', 'a.b+c@mail.shop.example', 'größe@köln.example']) {
    assert.match(address, MAIL_ADDRESS);
  }
  const refused = ['help', 'help@', 'help@localhost', 'a@b.example, c@d.example', 'A <a@b.example>', 'a b@c.example'];
  for (const text of refused) assert.doesNotMatch(text, MAIL_ADDRESS);
});
