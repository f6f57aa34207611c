/**
 * Blocks of customers. A blocked account can't log in or order: its sessions end with the block, and
 * checkout and requote read it under a lock. Open orders stay payable by their link.
 */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import * as store from './blocks.store.ts';
import type { Profile } from '../profile/service.ts';

export interface AccountBlocksOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly profile: Pick<Profile, 'endSessions'>;
}

export type BlockResult = { readonly ok: true } | { readonly ok: false; readonly reason: 'not-found' | 'staff' };

export class AccountBlocks {
  readonly #options: AccountBlocksOptions;

  constructor(options: AccountBlocksOptions) {
    this.#options = options;
  }

  /** Blocks a customer and ends all sessions, in every process. Idempotent. Staff can't be blocked. */
  async block(userId: string, by: Actor): Promise<BlockResult> {
    const { clock, db, profile } = this.#options;
    return transact(db, async (tx): Promise<BlockResult> => {
      const account = await store.lockAccount(tx, userId);
      if (account === null) return { ok: false, reason: 'not-found' };
      if (account.role !== 'customer') return { ok: false, reason: 'staff' };
      if (account.blockedAt !== null) return { ok: true };
      await store.setBlocked(tx, userId, clock.now());
      await profile.endSessions(tx, userId, null);
      await this.#record(tx, userId, 'account.blocked', true, by);
      return { ok: true };
    });
  }

  /** Idempotent. */
  async unblock(userId: string, by: Actor): Promise<BlockResult> {
    return transact(this.#options.db, async (tx): Promise<BlockResult> => {
      const account = await store.lockAccount(tx, userId);
      if (account === null) return { ok: false, reason: 'not-found' };
      if (account.blockedAt === null) return { ok: true };
      await store.setBlocked(tx, userId, null);
      await this.#record(tx, userId, 'account.unblocked', false, by);
      return { ok: true };
    });
  }

  /** Ends all sessions of a customer, in every process. Staff end their own. */
  async endSessions(userId: string, by: Actor): Promise<BlockResult> {
    const { clock, db, profile } = this.#options;
    return transact(db, async (tx): Promise<BlockResult> => {
      const account = await store.lockAccount(tx, userId);
      if (account === null) return { ok: false, reason: 'not-found' };
      if (account.role !== 'customer') return { ok: false, reason: 'staff' };
      const sessions = await profile.endSessions(tx, userId, null);
      const change = {
        at: clock.now(),
        by,
        action: 'account.sessions_ended',
        before: { sessions },
        after: { sessions: 0 },
      };
      if (sessions > 0) await recordChange(tx, { ...change, subject: { kind: 'account', id: userId } });
      return { ok: true };
    });
  }

  async #record(tx: Db, id: string, action: string, isBlocked: boolean, by: Actor): Promise<void> {
    const change = { before: { is_blocked: !isBlocked }, after: { is_blocked: isBlocked } };
    await recordChange(tx, { ...change, at: this.#options.clock.now(), by, action, subject: { kind: 'account', id } });
  }
}
