import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { hashToken, issueToken } from './tokens.ts';

test('a token is 256 bits in base64url and is stored as its SHA-256', () => {
  const { token, hash } = issueToken();
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(hashToken(token), hash);
  assert.equal(hash.toString('hex'), createHash('sha256').update(token).digest('hex'));
  assert.notEqual(issueToken().token, token);
});

test('a text in another format has no token hash', () => {
  for (const text of ['', 'short', 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(43)}\n`])
    assert.equal(hashToken(text), null);
});
