/** Fencing: writes of a leader are refused once another process is the leader. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';

/** Leadership as acquired. `token` grows with every takeover. */
export interface Fence {
  readonly role: string;
  readonly token: bigint;
}

/** Another process is the leader now. The transaction was rolled back. */
export class LeaderLockLostError extends Error {
  override readonly name = 'LeaderLockLostError';
}

const current = new AsyncLocalStorage<Fence>();

/** Runs `work`. Every `transact` in it first checks, in its transaction, that the fence still holds. */
export const runWithFence = <T>(fence: Fence, work: () => Promise<T>): Promise<T> => current.run(fence, work);

/**
 * Called first in every transaction. Its row lock makes a takeover wait for the end of the transaction, and does not
 * conflict with renewals.
 * @throws LeaderLockLostError within `runWithFence`, after a takeover
 */
export async function checkFence(tx: Parameters<ReturnType<typeof sql>['execute']>[0]): Promise<void> {
  const fence = current.getStore();
  if (fence === undefined) return;
  const { rows } = await sql`
    select from leases where role = ${fence.role} and token = ${fence.token} for key share
  `.execute(tx);
  if (rows.length === 0) throw new LeaderLockLostError(`another process has taken over the role "${fence.role}"`);
}
