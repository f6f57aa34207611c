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
import type { RefundNews } from '#src/shop/refunds/news.service.ts';
import { deletionBlockOf, deletionBlocks } from './deletion-block.ts';
import type { DeletionBlock } from './deletion-block.ts';
import * as store from './store.ts';

/** What another slice knows of users: it is handed out and forgotten with the rest. */
interface PersonalPart {
  /** Its name in what is handed out. */
  readonly name: string;
  /** JSON. */
  readonly read: (userId: string) => Promise<unknown>;
  /** In the transaction that deletes the account. */
  readonly erase: (tx: Db, userId: string) => Promise<void>;
}

export interface PrivacyOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails, 'forgetWordsTo'>;
  readonly profile: Pick<Profile, 'isFresh' | 'endSessions'>;
  readonly carts: Pick<Carts, 'read'>;
  readonly orders: Pick<Orders, 'idsOf' | 'find' | 'report'>;
  readonly refunds: Pick<RefundNews, 'handOut'>;
  readonly parts: readonly PersonalPart[];
  /** Messages from the contact page are gone, in the transaction given. */
  readonly onMessagesDeleted: (tx: Db, messageIds: readonly string[]) => Promise<void>;
}

export type Deleted =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'reauth' | 'gone' | 'staff' | 'wrong-name' }
  | { readonly ok: false; readonly reason: DeletionBlock; readonly orderNumber: bigint };

/** Undoes a deletion that is refused. */
class DeletionRefused extends Error {
  readonly refused: Exclude<Deleted, { ok: true }>;
  constructor(refused: Exclude<Deleted, { ok: true }>) {
    super(refused.reason);
    this.refused = refused;
  }
}

export class Privacy {
  readonly #options: PrivacyOptions;

  constructor(options: PrivacyOptions) {
    this.#options = options;
  }

  /** Null for a user who is gone. */
  async dataOf(userId: string) {
    const { db, clock, carts, parts } = this.#options;
    const account = await store.findAccount(db, userId);
    if (!account) return null;
    const { username, email, email_confirmed_at, role, created_at } = account;
    const others = await Promise.all(parts.map(async ({ name, read }) => [name, await read(userId)] as const));
    return {
      ...Object.fromEntries(others),
      exported_at: clock.now(),
      user: { id: userId, username, email, email_confirmed_at, role, created_at },
      sessions: [...(await store.listSessions(db, userId))],
      cart: await carts.read({ userId, guestToken: null }),
      orders: await this.#ordersOf(userId),
      contact_messages: [...(await store.listContactMessages(db, await this.#ownAddresses(db, userId)))],
    };
  }

  async #ordersOf(userId: string) {
    const { orders, refunds } = this.#options;
    const found = [];
    // One after the other: who has many waits, and nobody else.
    for (const id of await orders.idsOf(userId)) {
      const order = await orders.find(userId, id);
      if (order) found.push({ ...order, ...(await refunds.handOut(id)) });
    }
    return found;
  }

  /** Whoever has not confirmed an address may have taken another's: what was written from there is not theirs. */
  #ownAddresses(db: Db, userId: string): Promise<string[]> {
    return store.addressesOf(db, userId, { isConfirmed: true });
  }

  /** Deletes the caller's account. @param typed the username, lest it happens by mistake */
  async delete({ userId, sessionId }: Identity, typed: string): Promise<Deleted> {
    const { db, profile } = this.#options;
    if (!(await profile.isFresh(sessionId))) return { ok: false, reason: 'reauth' };
    try {
      await transact(db, (tx) => this.#delete(tx, userId, typed));
      return { ok: true };
    } catch (error) {
      if (error instanceof DeletionRefused) return error.refused;
      throw error;
    }
  }

  async #delete(tx: Db, userId: string, typed: string): Promise<void> {
    const { clock, mails, orders, profile, parts, onMessagesDeleted } = this.#options;
    const account = await store.lockAccount(tx, userId);
    if (!account) throw new DeletionRefused({ ok: false, reason: 'gone' });
    if (account.role !== 'customer') throw new DeletionRefused({ ok: false, reason: 'staff' });
    const blocking = firstBlock(await store.lockOrders(tx, userId));
    if (blocking) throw new DeletionRefused({ ok: false, ...blocking });
    if (normaliseName(typed) !== account.username_key) throw new DeletionRefused({ ok: false, reason: 'wrong-name' });
    for (const { erase } of parts) await erase(tx, userId);
    const now = clock.now();
    for (const id of await store.cancelExpired(tx, userId, now)) {
      await orders.report(tx, id, 'cancelled', now, { words: 'the account of its buyer was deleted' });
    }
    await store.anonymiseOrders(tx, userId);
    await mails.forgetWordsTo(tx, await store.addressesOf(tx, userId, { isConfirmed: false }));
    await onMessagesDeleted(tx, await store.deleteContactMessages(tx, await this.#ownAddresses(tx, userId)));
    await profile.endSessions(tx, userId, null);
    await store.anonymiseAccount(tx, userId, account.email_key, now);
  }
}

/** The most pressing reason, and the first order that has it. */
function firstBlock(orders: readonly store.LeftOrder[]): { reason: DeletionBlock; orderNumber: bigint } | null {
  const blocks = orders.flatMap((order) => {
    const reason = deletionBlockOf(order);
    return reason === null ? [] : [{ reason, orderNumber: order.number }];
  });
  const [first] = deletionBlocks.flatMap((reason) => blocks.filter((block) => block.reason === reason));
  return first ?? null;
}
