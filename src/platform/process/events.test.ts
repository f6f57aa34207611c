import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AsyncEvent, Query, SyncEvent } from './events.ts';

test('an event runs its listeners in the order of subscription', async () => {
  const calls: string[] = [];
  const changed = new AsyncEvent<[id: string]>();
  changed.on(async (id) => {
    await Promise.resolve();
    calls.push(`first ${id}`);
  });
  changed.on(async (id) => void calls.push(`second ${id}`));
  await changed.emit('a');
  assert.deepEqual(calls, ['first a', 'second a']);
});

test('an error of a listener rejects the event and stops later listeners', async () => {
  const changed = new AsyncEvent<[]>();
  let isCalled = false;
  changed.on(() => Promise.reject(new Error('refused')));
  changed.on(async () => void (isCalled = true));
  await assert.rejects(changed.emit(), /refused/);
  assert.equal(isCalled, false);
});

test('a synchronous event returns after its listeners', () => {
  const ids: string[] = [];
  const changed = new SyncEvent<[id: string]>();
  changed.on((id) => void ids.push(id));
  changed.emit('a');
  assert.deepEqual(ids, ['a']);
});

test('a query rejects without a handler and accepts only one', async () => {
  const count = new Query<[by: number], number>();
  await assert.rejects(count.run(2), /has no handler/);
  count.setHandler(async (by) => by * 2);
  assert.equal(await count.run(2), 4);
  assert.throws(() => count.setHandler(async () => 0), /already has a handler/);
});
