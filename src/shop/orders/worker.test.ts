import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobData } from '#src/platform/jobs/jobs.ts';
import { startOrderJobs } from './worker.ts';

type Handler = (data: JobData) => Promise<void>;

/** The job's handler, over an order that waits for its expiry until the chain was looked at well. */
async function handlerOf(
  looks: readonly ('fails' | 'misses' | 'works')[],
): Promise<{ handle: Handler; looked: () => number }> {
  let handle: Handler | undefined;
  let waits = true;
  let looked = 0;
  await startOrderJobs({
    jobs: {
      work: (_name, handler) => {
        handle = handler;
        return Promise.resolve();
      },
    },
    orders: { awaitsExpiry: () => Promise.resolve(waits) },
    nudge: () => {
      const look = looks[looked];
      looked += 1;
      if (look === 'fails') return Promise.reject(new Error('the chain is down'));
      if (look === 'works') waits = false;
      return Promise.resolve();
    },
  });
  return { handle: handle ?? assert.fail('no handler'), looked: () => looked };
}

test('[PAY-10] the job of an order fails until the chain was looked at, and then does nothing more', async () => {
  const { handle, looked } = await handlerOf(['fails', 'misses', 'works']);
  await assert.rejects(handle({ orderId: 'a' }), /the chain is down/);
  await assert.rejects(handle({ orderId: 'a' }), /not looked at/);
  await handle({ orderId: 'a' });
  await handle({ orderId: 'a' });
  assert.equal(looked(), 3);
});
