import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SecretBox } from './secret-box.ts';

const key = randomBytes(32);
const secret = Buffer.from('12345678901234567890');

test('[OPS-17] opens what it sealed, and the sealed bytes do not contain it', () => {
  const sealed = new SecretBox(key).seal(secret, 'ada');
  assert.deepEqual(new SecretBox(key).open(sealed, 'ada'), secret);
  assert.equal(sealed.includes(secret), false);
  assert.notDeepEqual(new SecretBox(key).seal(secret, 'ada'), sealed);
});

test('[OPS-17] refuses another key, another context and changed bytes', () => {
  const box = new SecretBox(key);
  const sealed = box.seal(secret, 'ada');
  assert.throws(() => new SecretBox(randomBytes(32)).open(sealed, 'ada'));
  assert.throws(() => box.open(sealed, 'bob'));
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => box.open(changed, 'ada'), String(at));
  }
  assert.throws(() => box.open(sealed.subarray(0, 20), 'ada'));
});
