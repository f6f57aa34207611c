/** Changes of the merchant's texts, which every process shows after the commit. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import { CONTENT_TOPIC } from './service.ts';

export interface ChangeOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}

export type RefusedChange =
  | 'changed-meanwhile'
  | 'not-found'
  | 'no-picture'
  | 'too-many'
  | 'unchanged'
  | 'no-draft'
  | 'too-complex';
/** What a change did, for the audit log. `of` names the text, such as `home/hero`. */
export interface ContentChange extends Pick<RecordedChange, 'action' | 'before' | 'after'> {
  readonly of: string;
}
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
  { db, clock, revisions }: ChangeOptions,
  by: StaffActor,
  change: (tx: Db) => Promise<RefusedChange | ContentChange>,
): Promise<ChangeResult> {
  try {
    await transact(db, async (tx) => {
      const changed = await change(tx);
      if (typeof changed === 'string') throw new Refused(changed);
      await incrementRevision(tx, CONTENT_TOPIC);
      const { of, ...recorded } = changed;
      await recordChange(tx, {
        at: clock.now(),
        by,
        subject: { kind: 'content', id: of, ...(of.startsWith('faq/') && { name: 'FAQ question' }) },
        ...recorded,
      });
    });
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.reason };
    throw error;
  }
  await revisions.announce();
  return { ok: true };
}
