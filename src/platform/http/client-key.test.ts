import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toClientKey, toSiteKey } from './client-key.ts';

test('[OPS-26] an IPv4 address is its own key, in IPv6 notation too', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '[::ffff:192.0.2.7]'])
    assert.equal(toClientKey(address), '192.0.2.7', address);
  assert.notEqual(toClientKey('192.0.2.7'), toClientKey('192.0.2.8'));
});

test('[OPS-26] IPv6 addresses of one /64 share a key', () => {
  const key = '2001:db8:0:7::/64';
  for (const address of ['2001:db8:0:7::1', '2001:DB8::7:ffff:ffff:ffff:ffff', '2001:0db8:0000:0007:1:2:3:4%eth0'])
    assert.equal(toClientKey(address), key, address);
  assert.notEqual(toClientKey('2001:db8:0:8::1'), key);
  assert.equal(toClientKey('::1'), '0:0:0:0::/64');
});

test('[OPS-26] the host part of an IPv6 address never changes the key', () => {
  const hex = fc.integer({ min: 0, max: 0xffff }).map((group) => group.toString(16));
  const half = fc.array(hex, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(half, half, half, (network, host, other) => {
      fc.pre(network.some((group) => group !== '0'));
      const keys = [host, other].map((end) => toClientKey([...network, ...end].join(':')));
      assert.equal(keys[0], keys[1]);
      assert.equal(keys[0], `${network.join(':')}::/64`);
    }),
  );
});

test('[OPS-26] text that is not an address is its own key', () => {
  for (const text of ['', 'unknown', '1:2', '1::2::3', ':::', 'g::1', '1:2:3:4:5:6:7:8:9', '::256.1.1.1'])
    assert.equal(toClientKey(text), text);
  fc.assert(fc.property(fc.string(), (text) => assert.equal(typeof toClientKey(text), 'string')));
});

test('[OPS-26] the site of an IPv6 client is its /48, of IPv4 the address', () => {
  assert.equal(toSiteKey(toClientKey('2001:db8:1:2::3')), '2001:db8:1::/48');
  assert.equal(toSiteKey(toClientKey('2001:db8::1')), '2001:db8:0::/48');
  for (const key of ['192.0.2.1', 'unknown', '']) assert.equal(toSiteKey(key), key);
});
