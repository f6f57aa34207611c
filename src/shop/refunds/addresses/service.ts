/** Refund addresses of orders. An address that the buyer enters must be confirmed by mail. */
import { v7 as uuidv7 } from 'uuid';
import { readAddress } from '#src/platform/bitcoin/address.ts';
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { hashToken, issueToken } from '#src/platform/security/tokens.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { OBJECTION_PERIOD_MS } from './address-status.ts';
import * as store from './store.ts';

/** Mail about an address that staff entered. Its content comes from `readEnteredMail`. */
export const ENTERED_MAIL = 'refund-address-entered';

const CONFIRMATION_MS = 7 * 24 * 3600 * 1000;

/** Mail that confirms an address. Its content comes from `issueConfirmation`. */
export const ADDRESS_MAIL = 'confirm-refund-address';

export interface RefundAddressesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly network: BitcoinNetwork;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly orders: Pick<Orders, 'find' | 'appendEvent'>;
  readonly payments: Pick<Payments, 'isOwnAddress'>;
  readonly shopSettings: OrderNumbers;
  /** Called within the transaction that makes an address of a locked order usable, now or later. */
  readonly onAddressUsable: (tx: Db, orderId: string, now: Date) => Promise<void>;
}

export interface PresentedAddress {
  readonly address: string | null;
  readonly confirmed: boolean;
  /**
   * When the objection period of an address entered by staff ends; null if the buyer entered it.
   */
  readonly holds_from: Date | null;
}

const showAddress = (row: store.RefundAddressRow | null): PresentedAddress => ({
  address: row?.address ?? null,
  confirmed: (row?.confirmedAt ?? null) !== null,
  holds_from: row?.holdsFrom ?? null,
});

interface AddressRefusal {
  readonly ok: false;
  readonly reason: 'not-found' | 'refunded' | 'invalid-address';
  /** Detail of the reason. */
  readonly words?: string;
}
export type EnterAddressResult =
  | { readonly ok: true; readonly address: PresentedAddress }
  | AddressRefusal
  | { readonly ok: false; readonly reason: 'address-confirmed'; readonly words?: string };
export type SetAddressResult = { readonly ok: true; readonly order: ShownOrder } | AddressRefusal;

const NOT_FOUND: AddressRefusal = { ok: false, reason: 'not-found' };
const createInvalid = (words: string): AddressRefusal => ({ ok: false, reason: 'invalid-address', words });

export class RefundAddresses {
  readonly #options: RefundAddressesOptions;
  readonly #db: Db;

  constructor(options: RefundAddressesOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  /**
   * Sets the refund address of the buyer. The latest one replaces others, and must be confirmed.
   */
  async set(userId: string, orderId: string, text: string): Promise<SetAddressResult> {
    const { clock, network, orders } = this.#options;
    const parsed = readAddress(text, network);
    // Checked before the lock, since it may be slow.
    const isOwn = parsed.ok && (await this.#isShopAddress(parsed.address));
    const refused = await transact(this.#db, async (tx): Promise<AddressRefusal | null> => {
      const order = await store.lockOwnOrder(tx, userId, orderId);
      if (!order) return NOT_FOUND;
      // A refund by an exchange needs no address, and may leave a part of what was received.
      const isNothingLeft = order.leftSats < MIN_REFUND_SATS;
      if (order.payment_status === 'refunded' && isNothingLeft) return { ok: false, reason: 'refunded' };
      if (!parsed.ok) return createInvalid(parsed.message);
      if (isOwn) return createInvalid('This is an address of the shop. Use one of your own wallet');
      const before = await store.findAddress(tx, orderId);
      // An address that staff entered must be confirmed too.
      if (before?.address === parsed.address && before.holdsFrom === null) return null;
      const now = clock.now();
      await store.setAddress(tx, orderId, parsed.address, now);
      await orders.appendEvent(tx, orderId, 'refund_address', now, { address: parsed.address });
      await this.#enqueueConfirmation(tx, orderId, now);
      return null;
    });
    if (refused) return refused;
    const order = await orders.find(userId, orderId);
    return order ? { ok: true, order } : NOT_FOUND;
  }

  #isShopAddress(address: string): Promise<boolean> {
    return this.#options.payments.isOwnAddress(address);
  }

  /**
   * Enters an address for the buyer. It is used after an objection period, unless the buyer sets
   * another one. An address that the buyer confirmed is not changed.
   */
  async enter(by: StaffActor, orderId: string, text: string, reason: string): Promise<EnterAddressResult> {
    const { clock, mails, network, onAddressUsable, orders } = this.#options;
    const parsed = readAddress(text, network);
    if (!parsed.ok) return createInvalid(parsed.message);
    const { address } = parsed;
    const isOwn = await this.#isShopAddress(address);
    return transact(this.#db, async (tx): Promise<EnterAddressResult> => {
      const order = await store.lockOrder(tx, orderId);
      if (!order) return NOT_FOUND;
      if (isOwn) return createInvalid('This is an address of the shop. Enter one of the buyer');
      const before = await store.findAddress(tx, orderId);
      if (before !== null && before.confirmedAt !== null) return { ok: false, reason: 'address-confirmed' };
      if (before?.address === address && before.holdsFrom !== null) return { ok: true, address: showAddress(before) };
      const at = clock.now();
      const holdsFrom = new Date(at.getTime() + OBJECTION_PERIOD_MS);
      await store.enterAddress(tx, { orderId, address, by: by.userId, reason, at, holdsFrom });
      await orders.appendEvent(tx, orderId, 'refund_address_entered', at, { by: by.userId, reason, address });
      const data = { orderId, setAt: at.toISOString() };
      await mails.enqueue(tx, [{ kind: ENTERED_MAIL, event: `${ENTERED_MAIL}.${orderId}.${at.getTime()}`, data }]);
      await onAddressUsable(tx, orderId, at);
      await recordChange(tx, {
        at,
        by,
        action: 'order.refund_address_entered',
        subject: { kind: 'order', id: orderId, name: String(order.number) },
        before: { refund_address: before?.address ?? null },
        after: { refund_address: address, reason },
      });
      return { ok: true, address: showAddress(await store.findAddress(tx, orderId)) };
    });
  }

  /** Content of the mail about an entered address; null if it was changed or confirmed. */
  async readEnteredMail(orderId: string, setAt: Date) {
    const row = await store.findAddress(this.#db, orderId);
    if (!row || row.holdsFrom === null || row.confirmedAt !== null) return null;
    if (row.setAt.getTime() !== setAt.getTime()) return null;
    const owner = await store.findOwner(this.#db, orderId);
    const contact = owner && (await this.#options.accounts.findContact(owner.userId));
    if (!contact) return null;
    const { address, holdsFrom } = row;
    return {
      ...contact,
      orderId,
      number: this.#options.shopSettings.formatOrderNumber(owner.number),
      address,
      holdsFrom,
    };
  }

  async #enqueueConfirmation(tx: Db, orderId: string, setAt: Date): Promise<void> {
    const id = uuidv7();
    const data = { id, orderId, setAt: setAt.toISOString() };
    await this.#options.mails.enqueue(tx, [{ kind: ADDRESS_MAIL, event: `refund-address.${id}`, data }]);
  }

  /** The refund address of an order of any user; null for none. */
  findForOrder(db: Db, orderId: string): Promise<store.RefundAddressRow | null> {
    return store.findAddress(db, orderId);
  }

  /** Null if the order belongs to another user or does not exist. */
  async find(userId: string, orderId: string): Promise<PresentedAddress | null> {
    if (!(await store.isOwnOrder(this.#db, userId, orderId))) return null;
    return showAddress(await store.findAddress(this.#db, orderId));
  }

  /** Resends the confirmation mail, unless the address is confirmed or missing. Null as `find`. */
  async resend(userId: string, orderId: string): Promise<PresentedAddress | null> {
    return transact(this.#db, async (tx) => {
      if (!(await store.lockOwnOrder(tx, userId, orderId))) return null;
      const row = await store.findAddress(tx, orderId);
      if (row?.confirmedAt === null) await this.#enqueueConfirmation(tx, orderId, row.setAt);
      return showAddress(row);
    });
  }

  /**
   * Content of the confirmation mail; null if nothing is left to confirm or a newer mail exists.
   */
  async issueConfirmation(id: string, orderId: string, setAt: Date) {
    const { accounts, clock, shopSettings } = this.#options;
    const row = await store.findAddress(this.#db, orderId);
    if (!row || row.confirmedAt || row.setAt.getTime() !== setAt.getTime()) return null;
    const owner = await store.findOwner(this.#db, orderId);
    const contact = owner && (await accounts.findContact(owner.userId));
    if (!contact) return null;
    const { token, hash: tokenHash } = issueToken();
    const expiresAt = new Date(clock.now().getTime() + CONFIRMATION_MS);
    await store.upsertConfirmation(this.#db, { id, orderId, address: row.address, tokenHash, expiresAt });
    return { ...contact, number: shopSettings.formatOrderNumber(owner.number), address: row.address, token };
  }

  /**
   * 'invalid-link': the token was used or expired. 'address-changed': the address was changed
   * since then.
   */
  async confirm(token: string): Promise<'confirmed' | 'invalid-link' | 'address-changed'> {
    const { clock, onAddressUsable, orders } = this.#options;
    const tokenHash = hashToken(token);
    if (!tokenHash) return 'invalid-link';
    return transact(this.#db, async (tx) => {
      const now = clock.now();
      const orderId = await store.findOrderOfConfirmation(tx, tokenHash);
      // Lock order: the order before its address.
      if (orderId !== null) await store.lockOrder(tx, orderId);
      const confirmation = await store.consumeConfirmation(tx, tokenHash, now);
      if (!confirmation) return 'invalid-link';
      if (!(await store.confirmAddress(tx, confirmation.orderId, confirmation.address, now))) return 'address-changed';
      await orders.appendEvent(tx, confirmation.orderId, 'refund_address_confirmed', now, {});
      await onAddressUsable(tx, confirmation.orderId, now);
      return 'confirmed';
    });
  }

  /** Makes the confirmation links of all orders of a user invalid. */
  invalidateConfirmations(tx: Db, userId: string): Promise<void> {
    return store.deleteUserConfirmations(tx, userId);
  }

  /** Deletes expired tokens. */
  async deleteExpired(): Promise<void> {
    await store.deleteOldConfirmations(this.#db, this.#options.clock.now());
  }
}
