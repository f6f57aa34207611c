import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AddressAllocator } from './address-allocator.ts';

test('[PAY-07] serves concurrent calls in one batch without gaps or duplicates', async () => {
  let next = 0;
  let takings = 0;
  let isTaking = false;
  const reserve = new AddressAllocator(async (count) => {
    assert.ok(!isTaking && count > 0, 'one reservation at a time');
    isTaking = true;
    takings += 1;
    await sleep(2);
    isTaking = false;
    next += count;
    return next - count;
  });
  const waves = Array.from({ length: 40 }, async (_, index) => {
    await sleep(index % 4);
    return reserve.allocateNext();
  });
  const indexes = await Promise.all(waves);
  assert.deepEqual(
    indexes.toSorted((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => index),
  );
  assert.ok(takings < 40, `40 calls took indexes ${takings} times`);
});

test('rejects calls while the store fails and serves later ones', async () => {
  let isDown = true;
  const reserve = new AddressAllocator(() => (isDown ? Promise.reject(new Error('away')) : Promise.resolve(7)));
  const results = await Promise.allSettled([reserve.allocateNext(), reserve.allocateNext()]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isDown = false;
  assert.equal(await reserve.allocateNext(), 7);
});
