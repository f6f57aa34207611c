import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { EXPIRY_JOB } from './service.ts';
import type { Orders } from './service.ts';

export interface OrderJobsOptions {
  readonly jobs: Pick<Jobs, 'work'>;
  readonly orders: Pick<Orders, 'awaitsExpiry'>;
  /** Wakes the watcher: one pass over blocks and mempool, at whose end it expires what is due. Rejects while the chain is down. */
  readonly nudge: () => Promise<void>;
}

/**
 * When an order's window closes, the chain is looked at, and the order expires unless it is paid in time. While that
 * can't be told, the job fails and is tried again; the watcher's own passes expire the order as well.
 */
export async function startOrderJobs({ jobs, orders, nudge }: OrderJobsOptions): Promise<void> {
  await jobs.work(EXPIRY_JOB, async ({ orderId = '' }) => {
    if (!(await orders.awaitsExpiry(orderId))) return;
    await nudge();
    if (await orders.awaitsExpiry(orderId)) throw new Error('the chain was not looked at since the order was due');
  });
}
