import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findClientAddress, readCookie } from './upgrade-request.ts';

const findAddress = (trusted: number, forwarded?: string): string =>
  findClientAddress(
    {
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '10.0.0.1' },
    },
    trusted,
  );

test('the client address is taken from trusted proxies only', () => {
  assert.equal(findAddress(0), '10.0.0.1');
  assert.equal(findAddress(0, '6.6.6.6'), '10.0.0.1', 'no proxy is trusted');
  assert.equal(findAddress(1, '6.6.6.6, 2.2.2.2'), '2.2.2.2');
  assert.equal(findAddress(2, '6.6.6.6, 2.2.2.2, 3.3.3.3'), '2.2.2.2');
  assert.equal(findAddress(2, '2.2.2.2'), '2.2.2.2');
  assert.equal(findAddress(1, ' , '), '10.0.0.1');
});

test('finds a cookie by its exact name', () => {
  assert.equal(readCookie('a=1; session=abc=; b=2', 'session'), 'abc=');
  for (const header of [undefined, '', 'sessions=1', 'a=session', '__Host-session=1', '=session']) {
    assert.equal(readCookie(header, 'session'), null, header);
  }
});
