/** Changes of the merchant's texts, which every process shows after the commit. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { CONTENT_TOPIC } from './service.ts';

export interface ChangeOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}

export type RefusedChange = 'changed-meanwhile' | 'not-found' | 'no-picture' | 'too-many' | 'unchanged' | 'no-draft';
export type ChangeResult = { readonly ok: true } | { readonly ok: false; readonly reason: RefusedChange };

class Refused extends Error {
  readonly reason: RefusedChange;
  constructor(reason: RefusedChange) {
    super(reason);
    this.reason = reason;
  }
}

/** Runs `change` in a transaction, which is rolled back if it returns a reason for a refusal. */
export async function changeContent(
  { db, revisions }: Pick<ChangeOptions, 'db' | 'revisions'>,
  change: (tx: Db) => Promise<RefusedChange | null>,
): Promise<ChangeResult> {
  try {
    await transact(db, async (tx) => {
      const reason = await change(tx);
      if (reason !== null) throw new Refused(reason);
      await incrementRevision(tx, CONTENT_TOPIC);
    });
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.reason };
    throw error;
  }
  await revisions.announce();
  return { ok: true };
}
