import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import * as fc from 'fast-check';
import { FairQueue } from './fair-queue.ts';
import type { FairQueueOptions } from './fair-queue.ts';

/** Tasks that end on command, and the clients in order of running. */
function bench(options: FairQueueOptions) {
  const queue = new FairQueue(options);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const submit = (client: string) =>
    queue.run(client, async () => {
      started.push(client);
      await new Promise<void>((end) => ends.push(end));
      return client;
    });
  const endAll = async (): Promise<void> => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await nextTick();
    }
  };
  return { submit, started, ends, endAll };
}

test('[OPS-26] runs a client in the next round while sixty others flood', async () => {
  const { submit, started, endAll } = bench({ concurrency: 2, maxWaiting: 250, maxWaitingPerClient: 5 });
  const floods = Array.from({ length: 60 * 20 }, (_, at) => submit(`flood ${at % 60}`));
  await nextTick();
  const honest = submit('honest');
  await nextTick();
  await endAll();
  assert.equal(await honest, 'honest');
  assert.ok(started.indexOf('honest') <= 2 + 61, `it ran at position ${started.indexOf('honest')}`);
  const results = await Promise.all(floods);
  assert.equal(results.filter((result) => result !== null).length, started.length - 1);
});

test('[OPS-26] limits the waiting tasks of each client', async () => {
  const { submit, endAll } = bench({ concurrency: 1, maxWaiting: 100, maxWaitingPerClient: 3 });
  const results = Promise.all(Array.from({ length: 9 }, () => submit('one')));
  await nextTick();
  await endAll();
  assert.deepEqual(await results, ['one', 'one', 'one', 'one', null, null, null, null, null]);
});

const isSuspect = (client: string): boolean => client.startsWith('bad');

test('[OPS-26] suspect clients wait behind others and get every fourth start', async () => {
  const { submit, started, endAll } = bench({ concurrency: 1, maxWaiting: 100, maxWaitingPerClient: 10, isSuspect });
  const running = submit('first');
  const all = ['bad 1', 'bad 2', 'bad 3', 'a', 'b', 'c', 'd', 'e', 'f'].map((client) => submit(client));
  await nextTick();
  await endAll();
  await Promise.all([running, ...all]);
  assert.deepEqual(started.slice(1), ['a', 'b', 'c', 'bad 1', 'd', 'e', 'f', 'bad 2', 'bad 3']);
});

test('[OPS-26] a full queue drops suspect clients for others, never the reverse', async () => {
  const { submit, endAll } = bench({ concurrency: 1, maxWaiting: 3, maxWaitingPerClient: 10, isSuspect });
  const running = submit('first');
  const results = Promise.all(['bad 1', 'bad 2', 'a', 'b', 'bad 3', 'c'].map((client) => submit(client)));
  await nextTick();
  await endAll();
  assert.deepEqual(await results, [null, null, 'a', 'b', null, 'c']);
  assert.equal(await running, 'first');
});

test('every task runs once or is refused, within the concurrency limit', async () => {
  const scripts = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.constant(null)), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      const { submit, started, ends, endAll } = bench({
        concurrency: 2,
        maxWaiting: 5,
        maxWaitingPerClient: 3,
        isSuspect: (client) => client === 'd',
      });
      const tasks = [];
      for (const step of script) {
        if (step === null) ends.shift()?.();
        else tasks.push(submit(step));
        await nextTick();
        assert.ok(ends.length <= 2);
      }
      await endAll();
      const results = await Promise.all(tasks);
      assert.equal(results.filter((result) => result !== null).length, started.length);
    }),
  );
});
