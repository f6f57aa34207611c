import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ByteBoundCache } from './byte-bound-cache.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

test('evicts the least recently stored entry first', () => {
  const cache = new ByteBoundCache<string>(1000);
  for (const key of KEYS) cache.set(key, key, 120);
  cache.set('i', 'i', 120);
  assert.equal(cache.get('a'), undefined);
  assert.equal(cache.get('b'), 'b');
  assert.equal(cache.get('i'), 'i');
});

test('[OPS-32] new keys do not evict entries that were used again', () => {
  const cache = new ByteBoundCache<string>(1000);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 120);
  for (const key of ['a', 'b']) assert.equal(cache.get(key), key);
  for (let index = 0; index < 1_000; index += 1) cache.set(`new-${index}`, 'x', 100);
  assert.deepEqual(
    ['a', 'b', 'c', 'new-1', 'new-999'].map((key) => cache.get(key)),
    ['a', 'b', undefined, undefined, 'x'],
  );
  // A new value of an entry stays among those that were used again.
  cache.set('a', 'a2', 120);
  for (let index = 0; index < 1_000; index += 1) cache.set(`newer-${index}`, 'x', 100);
  assert.equal(cache.get('a'), 'a2');
});

test('evicts entries that were used again long ago', () => {
  const cache = new ByteBoundCache<string>(1000);
  for (let index = 0; index < 100; index += 1) {
    cache.set(`key-${index}`, 'x', 100);
    cache.get(`key-${index}`);
  }
  assert.equal(cache.get('key-0'), undefined);
  assert.equal(cache.get('key-99'), 'x');
});

test('rejects an entry above an eighth and removes the old one', () => {
  const cache = new ByteBoundCache<string>(1000);
  cache.set('a', 'small', 10);
  cache.set('a', 'large', 200);
  assert.equal(cache.get('a'), undefined);
  assert.equal(cache.bytes, 0);
});

test('stays within its bounds for any sequence of writes', () => {
  const writes = fc.array(fc.record({ key: fc.constantFrom(...KEYS), bytes: fc.nat(200), isRemoval: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(writes, (list) => {
      const cache = new ByteBoundCache<number>(500);
      for (const { key, bytes, isRemoval } of list) {
        if (isRemoval) cache.delete(key);
        else cache.set(key, bytes, bytes);
        assert.ok(cache.bytes <= 500);
        const stored = KEYS.flatMap((name) => cache.get(name) ?? []);
        assert.equal(
          cache.bytes,
          stored.reduce((sum, size) => sum + size + 2, 0),
        );
      }
    }),
  );
});
