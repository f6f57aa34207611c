import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AddressAllocator } from './address-allocator.ts';

test('[PAY-07] who asks at once is served together, each with an index of its own and none passed over', async () => {
  let next = 0;
  let takings = 0;
  let isTaking = false;
  const reserve = new AddressAllocator(async (count) => {
    assert.ok(!isTaking && count > 0, 'one taking at a time');
    isTaking = true;
    takings += 1;
    await sleep(2);
    isTaking = false;
    next += count;
    return next - count;
  });
  const waves = Array.from({ length: 40 }, async (_, index) => {
    await sleep(index % 4);
    return reserve.next();
  });
  const given = await Promise.all(waves);
  assert.deepEqual(
    given.toSorted((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => index),
  );
  assert.ok(takings < 40, `${takings} takings for 40`);
});

test('who asks while the store fails is told, and who asks afterwards is served', async () => {
  let isDown = true;
  const reserve = new AddressAllocator(() => (isDown ? Promise.reject(new Error('away')) : Promise.resolve(7)));
  const asked = await Promise.allSettled([reserve.next(), reserve.next()]);
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isDown = false;
  assert.equal(await reserve.next(), 7);
});
