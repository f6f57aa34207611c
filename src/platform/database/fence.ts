/** Fencing: what a process writes in a role is refused once another process has taken the role over. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';

/** A role as it is held: `token` grows with every takeover. */
export interface Fence {
  readonly role: string;
  readonly token: bigint;
}

/** Another process has taken the role over. The transaction was rolled back. */
export class LeaderLockLostError extends Error {
  override readonly name = 'LeaseLostError';
}

const current = new AsyncLocalStorage<Fence>();

/** Runs `work`; every `transact` in it first checks, in its transaction, that the role is still held. */
export const runWithFence = <T>(fence: Fence, work: () => Promise<T>): Promise<T> => current.run(fence, work);

/**
 * Called first in every transaction. The row lock makes a takeover wait until the transaction has ended; it does not conflict
 * with renewals.
 * @throws LeaseLostError within `runFenced`, when the role was taken over
 */
export async function checkFence(tx: Parameters<ReturnType<typeof sql>['execute']>[0]): Promise<void> {
  const fence = current.getStore();
  if (fence === undefined) return;
  const { rows } = await sql`
    select from leases where role = ${fence.role} and token = ${fence.token} for key share
  `.execute(tx);
  if (rows.length === 0) throw new LeaderLockLostError(`another process has taken over the role "${fence.role}"`);
}
