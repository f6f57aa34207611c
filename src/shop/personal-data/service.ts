/** What the shop knows of a user, for the user; and how it forgets it. */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import { normaliseName } from '#src/shop/accounts/registration/normalise-name.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import type { RefundNotices } from '#src/shop/refunds/notices.service.ts';
import { findDeletionBlock, deletionBlocks } from './deletion-block.ts';
import type { DeletionBlock } from './deletion-block.ts';
import * as store from './store.ts';
import { formatOrderNumber } from '#src/shop/orders/show-order.ts';
import { SHOP_SLUG } from '#src/shop/shop-identity.ts';

/** What another slice knows of users: it is handed out and forgotten with the rest. */
/** Suggested name of the exported file. */
export const DATA_FILE_NAME = `${SHOP_SLUG}-data.json`;

interface PersonalDataSource {
  /** Its name in what is handed out. */
  readonly name: string;
  /** JSON. */
  readonly exportData: (userId: string) => Promise<unknown>;
  /** In the transaction that deletes the account. */
  readonly erase: (tx: Db, userId: string) => Promise<void>;
}

export interface PersonalDataOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails, 'eraseContentTo'>;
  readonly profile: Pick<Profile, 'isRecentlyAuthenticated' | 'endSessions'>;
  readonly carts: Pick<Carts, 'read'>;
  readonly orders: Pick<Orders, 'listIds' | 'find' | 'appendEvent'>;
  readonly refunds: Pick<RefundNotices, 'exportPersonalData'>;
  readonly sources: readonly PersonalDataSource[];
  /** Messages from the contact page are gone, in the transaction given. */
  readonly onMessagesDeleted: (tx: Db, messageIds: readonly string[]) => Promise<void>;
}

export type AccountDeletionResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'reauth' | 'gone' | 'staff' | 'wrong-name' }
  | { readonly ok: false; readonly reason: DeletionBlock; readonly orderNumber: string };

/** Undoes a deletion that is refused. */
class DeletionRefusedError extends Error {
  readonly result: Exclude<AccountDeletionResult, { ok: true }>;
  constructor(refused: Exclude<AccountDeletionResult, { ok: true }>) {
    super(refused.reason);
    this.result = refused;
  }
}

export class PersonalData {
  readonly #options: PersonalDataOptions;

  constructor(options: PersonalDataOptions) {
    this.#options = options;
  }

  /** Null for a user who is gone. */
  async exportData(userId: string) {
    const { db, clock, carts, sources } = this.#options;
    const account = await store.findAccount(db, userId);
    if (!account) return null;
    const { username, email, email_confirmed_at, role, created_at } = account;
    const others = await Promise.all(
      sources.map(async ({ name, exportData }) => [name, await exportData(userId)] as const),
    );
    return {
      ...Object.fromEntries(others),
      exported_at: clock.now(),
      user: { id: userId, username, email, email_confirmed_at, role, created_at },
      sessions: [...(await store.listSessions(db, userId))],
      cart: await carts.read({ userId, guestToken: null }),
      orders: await this.#exportOrders(userId),
      contact_messages: [...(await store.listContactMessages(db, await this.#listOwnAddresses(db, userId)))],
    };
  }

  async #exportOrders(userId: string) {
    const { orders, refunds } = this.#options;
    const found = [];
    // One after the other: who has many waits, and nobody else.
    for (const id of await orders.listIds(userId)) {
      const order = await orders.find(userId, id);
      if (order) found.push({ ...order, ...(await refunds.exportPersonalData(id)) });
    }
    return found;
  }

  /** Whoever has not confirmed an address may have taken another's: what was written from there is not theirs. */
  #listOwnAddresses(db: Db, userId: string): Promise<string[]> {
    return store.listAddresses(db, userId, { isConfirmed: true });
  }

  /** Deletes the caller's account. @param typed the username, lest it happens by mistake */
  async deleteAccount({ userId, sessionId }: Identity, typed: string): Promise<AccountDeletionResult> {
    const { db, profile } = this.#options;
    if (!(await profile.isRecentlyAuthenticated(sessionId))) return { ok: false, reason: 'reauth' };
    try {
      await transact(db, (tx) => this.#deleteData(tx, userId, typed));
      return { ok: true };
    } catch (error) {
      if (error instanceof DeletionRefusedError) return error.result;
      throw error;
    }
  }

  async #deleteData(tx: Db, userId: string, typed: string): Promise<void> {
    const { clock, mails, orders, profile, sources, onMessagesDeleted } = this.#options;
    const account = await store.lockAccount(tx, userId);
    if (!account) throw new DeletionRefusedError({ ok: false, reason: 'gone' });
    if (account.role !== 'customer') throw new DeletionRefusedError({ ok: false, reason: 'staff' });
    const blocking = findFirstBlock(await store.lockOrders(tx, userId));
    if (blocking) throw new DeletionRefusedError({ ok: false, ...blocking });
    if (normaliseName(typed) !== account.username_key)
      throw new DeletionRefusedError({ ok: false, reason: 'wrong-name' });
    for (const { erase } of sources) await erase(tx, userId);
    const now = clock.now();
    for (const id of await store.cancelExpired(tx, userId, now)) {
      await orders.appendEvent(tx, id, 'cancelled', now, { words: 'the account of its buyer was deleted' });
    }
    await store.anonymiseOrders(tx, userId);
    await mails.eraseContentTo(tx, await store.listAddresses(tx, userId, { isConfirmed: false }));
    await onMessagesDeleted(tx, await store.deleteContactMessages(tx, await this.#listOwnAddresses(tx, userId)));
    await profile.endSessions(tx, userId, null);
    await store.anonymiseAccount(tx, userId, account.email_key, now);
  }
}

/** The most pressing reason, and the first order that has it. */
function findFirstBlock(orders: readonly store.LockedOrder[]): { reason: DeletionBlock; orderNumber: string } | null {
  const blocks = orders.flatMap((order) => {
    const reason = findDeletionBlock(order);
    return reason === null ? [] : [{ reason, orderNumber: formatOrderNumber(order.number) }];
  });
  const [first] = deletionBlocks.flatMap((reason) => blocks.filter((block) => block.reason === reason));
  return first ?? null;
}
