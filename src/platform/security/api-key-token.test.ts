import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hashApiKey, isApiKey, issueApiKey } from './api-key-token.ts';

test('[OPS-19] a key is recognized by its prefix and its checksum', () => {
  const { key, hash, hint } = issueApiKey('live');
  assert.match(key, /^cmk_live_[0-9a-f]{72}$/);
  assert.ok(isApiKey(key));
  assert.deepEqual(hashApiKey(key, 'live'), hash);
  assert.equal(hashApiKey(key, 'demo'), null);
  assert.ok(key.endsWith(hint.slice(-4)) && hint.length < 20);
});

test('[OPS-19] any other character makes a key invalid', () => {
  const { key } = issueApiKey('demo');
  fc.assert(
    fc.property(fc.nat({ max: key.length - 1 }), fc.constantFrom('0', '9', 'a', 'f', 'X', ' '), (at, character) => {
      const changed = `${key.slice(0, at)}${character}${key.slice(at + 1)}`;
      assert.equal(hashApiKey(changed, 'demo') === null, changed !== key);
    }),
  );
  for (const wrong of ['', 'cmk_demo_', `${key}0`, key.toUpperCase()]) assert.equal(hashApiKey(wrong, 'demo'), null);
});
