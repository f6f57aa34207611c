/** Exports and erases the personal data of a user. Each slice provides its own part; this slice owns no table. */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { eraseCustomerFromAuditLog, recordChange } from '#src/shop/audit-log/service.ts';
import type { AccountPersonalData } from '#src/shop/accounts/personal-data/service.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import { normaliseName } from '#src/shop/accounts/registration/normalise-name.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import type { Invoices } from '#src/shop/invoices/service.ts';
import type { StockAlerts } from '#src/shop/inventory/alerts/service.ts';
import type { OrderPersonalData } from '#src/shop/orders/personal-data/service.ts';
import type { RefundPersonalData } from '#src/shop/refunds/personal-data.service.ts';
import type { Returns } from '#src/shop/returns/service.ts';
import type { WithdrawalPersonalData } from '#src/shop/returns/withdrawal/personal-data.service.ts';
import type { Reviews } from '#src/shop/reviews/service.ts';
import type { Contact } from '#src/shop/support/contact/service.ts';
import type { Tickets } from '#src/shop/support/tickets/service.ts';
import { findDeletionBlock, deletionBlocks } from './deletion-block.ts';
import type { DeletionBlock } from './deletion-block.ts';
import { describeForDeletion } from './orders-for-deletion.service.ts';
import type { NumberedOrder } from './orders-for-deletion.service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';

/** Ids of deleted tickets or contact messages. */
type ErasedTexts = { readonly tickets: readonly string[] } | { readonly messages: readonly string[] };

export interface PersonalDataOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails, 'eraseContentTo'>;
  readonly profile: Pick<Profile, 'isRecentlyAuthenticated'>;
  readonly accounts: AccountPersonalData;
  readonly carts: Pick<Carts, 'read' | 'erasePersonalData'>;
  readonly orders: OrderPersonalData;
  readonly refunds: RefundPersonalData;
  readonly returns: Pick<Returns, 'exportPersonalData' | 'erasePersonalData'>;
  readonly contact: Pick<Contact, 'exportPersonalData' | 'erasePersonalData'>;
  readonly tickets: Pick<Tickets, 'exportPersonalData' | 'erasePersonalData'>;
  readonly reviews: Pick<Reviews, 'listOwn' | 'erasePersonalData'>;
  readonly stockAlerts: Pick<StockAlerts, 'list' | 'erasePersonalData'>;
  /** Erases nothing: tax law requires that invoices are kept as issued. */
  readonly invoices: Pick<Invoices, 'exportPersonalData'>;
  readonly withdrawals: Pick<
    WithdrawalPersonalData,
    'exportPersonalData' | 'erasePersonalData' | 'listWithOpenReturn' | 'listWithOwedCredit'
  >;
  readonly shopSettings: Pick<ShopSettings, 'formatOrderNumber' | 'fileSlug'>;
  /** Called in the transaction that deletes texts of a user, whose copies in mails to staff must go as well. */
  readonly onErased: (tx: Db, erased: ErasedTexts) => Promise<void>;
}

export type AccountDeletionResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'reauth' | 'gone' | 'staff' | 'wrong-name' }
  | { readonly ok: false; readonly reason: DeletionBlock; readonly orderNumber: string };

/** Rolls back a refused deletion. */
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

  /** Suggested name of the exported file. */
  get fileName(): string {
    return `${this.#options.shopSettings.fileSlug}-data.json`;
  }

  /** Null for a deleted account. */
  async exportData(userId: string) {
    const { db, clock, accounts, carts, contact, invoices, orders, reviews, stockAlerts, tickets } = this.#options;
    const account = await accounts.exportPersonalData(userId);
    if (!account) return null;
    const [ownTickets, ownReviews, ownAlerts, ownInvoices, ownSerials] = await Promise.all([
      tickets.exportPersonalData(userId),
      reviews.listOwn(userId),
      stockAlerts.list(userId),
      invoices.exportPersonalData(userId),
      orders.exportSerials(userId),
    ]);
    return {
      tickets: ownTickets,
      reviews: ownReviews,
      stock_alerts: ownAlerts,
      invoices: ownInvoices,
      serial_numbers: ownSerials,
      exported_at: clock.now(),
      ...account,
      cart: await carts.read({ userId, guestToken: null }),
      orders: await this.#exportOrders(userId),
      contact_messages: await contact.exportPersonalData(await accounts.listConfirmedAddresses(db, userId)),
    };
  }

  async #exportOrders(userId: string) {
    const { orders, refunds, returns, withdrawals } = this.#options;
    const exported = [];
    for (const order of await orders.exportPersonalData(userId)) {
      const [ownRefunds, ownReturns, statements] = await Promise.all([
        refunds.exportPersonalData(order.id),
        returns.exportPersonalData(order.id),
        withdrawals.exportPersonalData(order.id),
      ]);
      exported.push({ ...order, ...ownRefunds, ...statements, returns: ownReturns });
    }
    return exported;
  }

  /** Deletes the caller's account. @param typed the username, typed as a confirmation */
  async deleteAccount({ userId, sessionId }: Identity, typed: string): Promise<AccountDeletionResult> {
    const { db, profile } = this.#options;
    if (!(await profile.isRecentlyAuthenticated(sessionId))) return { ok: false, reason: 'reauth' };
    try {
      await transact(db, (tx) => this.#erase(tx, userId, typed));
      return { ok: true };
    } catch (error) {
      if (error instanceof DeletionRefusedError) return error.result;
      throw error;
    }
  }

  /**
   * Deletes the account of a customer at their request. @param sessionId of the member of staff
   * @param typed the username of the customer, typed as a confirmation
   */
  async deleteCustomer(userId: string, typed: string, sessionId: string, by: Actor): Promise<AccountDeletionResult> {
    const { clock, db, profile } = this.#options;
    if (!(await profile.isRecentlyAuthenticated(sessionId))) return { ok: false, reason: 'reauth' };
    try {
      await transact(db, async (tx) => {
        await this.#erase(tx, userId, typed);
        const subject = { kind: 'account', id: userId } as const;
        await recordChange(tx, {
          at: clock.now(),
          by,
          action: 'account.erased',
          subject,
          before: { is_erased: false },
          after: { is_erased: true },
        });
      });
      return { ok: true };
    } catch (error) {
      if (error instanceof DeletionRefusedError) return error.result;
      throw error;
    }
  }

  /** Locks the cart, the account, then its orders: the order in which a checkout locks them. */
  async #erase(tx: Db, userId: string, typed: string): Promise<void> {
    const { accounts, carts, clock, contact, mails, onErased, orders, refunds, returns, reviews } = this.#options;
    const { stockAlerts, tickets, withdrawals } = this.#options;
    await carts.erasePersonalData(tx, userId);
    const account = await accounts.lockForErasure(tx, userId);
    if (!account) throw new DeletionRefusedError({ ok: false, reason: 'gone' });
    if (account.role !== 'customer') throw new DeletionRefusedError({ ok: false, reason: 'staff' });
    const locked = await this.#lockOrders(tx, userId);
    const block = findFirstBlock(locked);
    if (block) {
      const orderNumber = this.#options.shopSettings.formatOrderNumber(block.number);
      throw new DeletionRefusedError({ ok: false, reason: block.reason, orderNumber });
    }
    if (normaliseName(typed) !== account.username_key)
      throw new DeletionRefusedError({ ok: false, reason: 'wrong-name' });

    const now = clock.now();
    await onErased(tx, { tickets: await tickets.erasePersonalData(tx, userId) });
    await reviews.erasePersonalData(tx, userId);
    await stockAlerts.erasePersonalData(tx, userId);
    const orderIds = locked.map(({ id }) => id);
    await orders.erasePersonalData(tx, userId, orderIds, now);
    await refunds.erasePersonalData(tx, orderIds);
    await returns.erasePersonalData(tx, orderIds);
    // Before the account: it holds the addresses.
    const addresses = await accounts.listAddresses(tx, userId);
    await mails.eraseContentTo(tx, addresses);
    const confirmed = await accounts.listConfirmedAddresses(tx, userId);
    await onErased(tx, { messages: await contact.erasePersonalData(tx, confirmed) });
    await accounts.erasePersonalData(tx, userId, account, now);
    await withdrawals.erasePersonalData(tx, orderIds, addresses);
    await eraseCustomerFromAuditLog(tx, orderIds);
  }

  async #lockOrders(tx: Db, userId: string): Promise<readonly NumberedOrder[]> {
    return describeForDeletion(tx, await this.#options.orders.lockForErasure(tx, userId), this.#options);
  }
}

/** The most pressing reason, and the first order that has it. */
function findFirstBlock(orders: readonly NumberedOrder[]): { reason: DeletionBlock; number: bigint } | null {
  const blocks = orders.flatMap((order) => {
    const reason = findDeletionBlock(order);
    return reason === null ? [] : [{ reason, number: order.number }];
  });
  const [first] = deletionBlocks.flatMap((reason) => blocks.filter((block) => block.reason === reason));
  return first ?? null;
}
