import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTotpSecret, describeTotpSecret, findTotpStep } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');
/** RFC 6238, appendix B: the last six of eight digits. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test('[OPS-17] accepts the codes of RFC 6238 in their step', () => {
  for (const [seconds, code] of VECTORS) {
    assert.equal(findTotpStep(SECRET, code, new Date(seconds * 1000)), Math.floor(seconds / 30), String(seconds));
  }
});

const findStepAt = (seconds: number) => findTotpStep(SECRET, '287082', new Date(seconds * 1000));

test('[OPS-17] accepts a code one step early or late, and no further', () => {
  assert.deepEqual([0, 30, 60, 89].map(findStepAt), [1, 1, 1, 1]);
  assert.deepEqual([90, 120, 3600].map(findStepAt), [null, null, null]);
});

test('[OPS-17] refuses texts that are not codes', () => {
  for (const text of ['', '28708', '2870820', 'abcdef', '28708२', '      ']) {
    assert.equal(findTotpStep(SECRET, text, new Date(59_000)), null, text);
  }
});

test('[OPS-17] the URI names shop and account, and the secret is new each time', () => {
  const { text, uri } = describeTotpSecret(SECRET, { issuer: 'A & B: shop', account: 'ada@x.example' });
  assert.equal(text, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const url = new URL(uri);
  assert.deepEqual([url.protocol, url.host, url.searchParams.get('issuer')], ['otpauth:', 'totp', 'A & B: shop']);
  assert.equal(url.searchParams.get('secret'), text);
  assert.notDeepEqual(createTotpSecret(), createTotpSecret());
});
