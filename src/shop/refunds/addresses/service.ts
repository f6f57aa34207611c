/** Where buyers want money back: what they name counts once it was confirmed by mail. */
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
import type { Orders } from '#src/shop/orders/service.ts';
import { formatOrderNumber } from '#src/shop/orders/show-order.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { OBJECTION_PERIOD_MS } from './address-status.ts';
import * as store from './store.ts';

/** The mail that tells the buyer of an address that staff entered; who writes it asks `enteredToTell`. */
export const ENTERED_MAIL = 'refund-address-entered';

const CONFIRMATION_MS = 7 * 24 * 3600 * 1000;

/** The mail that this slice enqueues; who writes it asks `issueConfirmation`. */
export const ADDRESS_MAIL = 'confirm-refund-address';

export interface RefundAddressesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly network: BitcoinNetwork;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly orders: Pick<Orders, 'find' | 'appendEvent'>;
  readonly payments: Pick<Payments, 'isOwnAddress'>;
  /** Called in the transaction in which an address was named that money can be sent to, or will be, of a locked order. */
  readonly onAddressUsable: (tx: Db, orderId: string, now: Date) => Promise<void>;
}

export interface PresentedAddress {
  readonly address: string | null;
  readonly confirmed: boolean;
  /** When an address that staff entered begins to count; null for one that the buyer named. */
  readonly holds_from: Date | null;
}

const showAddress = (named: store.RefundAddressRow | null): PresentedAddress => ({
  address: named?.address ?? null,
  confirmed: (named?.confirmedAt ?? null) !== null,
  holds_from: named?.holdsFrom ?? null,
});

interface AddressRefusal {
  readonly ok: false;
  readonly reason: 'not-found' | 'refunded' | 'invalid-address';
  /** What exactly is wrong, where the reason alone does not say it. */
  readonly words?: string;
}
export type EnterAddressResult =
  | { readonly ok: true; readonly address: PresentedAddress }
  | AddressRefusal
  | { readonly ok: false; readonly reason: 'address-confirmed'; readonly words?: string };
export type SetAddressResult = { readonly ok: true; readonly order: ShownOrder } | AddressRefusal;

const NOT_FOUND: AddressRefusal = { ok: false, reason: 'not-found' };
const invalid = (words: string): AddressRefusal => ({ ok: false, reason: 'invalid-address', words });

export class RefundAddresses {
  readonly #options: RefundAddressesOptions;
  readonly #db: Db;

  constructor(options: RefundAddressesOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  /** Keeps where the buyer wants money back, should there be any; the last one holds, once it is confirmed. */
  async set(userId: string, orderId: string, text: string): Promise<SetAddressResult> {
    const { clock, network, orders } = this.#options;
    const read = readAddress(text, network);
    // Before the lock: to know it may take a while.
    const isOwn = read.ok && (await this.#isShopAddress(read.address));
    const refused = await transact(this.#db, async (tx): Promise<AddressRefusal | null> => {
      const order = await store.lockOwnOrder(tx, userId, orderId);
      if (!order) return NOT_FOUND;
      if (order.payment_status === 'refunded') return { ok: false, reason: 'refunded' };
      if (!read.ok) return invalid(read.message);
      if (isOwn) return invalid('This is an address of the shop: take one of your own wallet');
      const before = await store.findAddress(tx, orderId);
      // One that staff entered is to be confirmed as any other.
      if (before?.address === read.address && before.holdsFrom === null) return null;
      const now = clock.now();
      await store.setAddress(tx, orderId, read.address, now);
      await orders.appendEvent(tx, orderId, 'refund_address', now, { address: read.address });
      await this.#askToConfirm(tx, orderId, now);
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
   * Enters an address in the buyer's place. It counts once the buyer, who gets a mail, has had time to object by naming
   * another one; what the buyer has confirmed is not staff's to change.
   */
  async enter(staffId: string, orderId: string, text: string, reason: string): Promise<EnterAddressResult> {
    const { clock, mails, network, onAddressUsable, orders } = this.#options;
    const read = readAddress(text, network);
    if (!read.ok) return invalid(read.message);
    const { address } = read;
    const isOwn = await this.#isShopAddress(address);
    return transact(this.#db, async (tx): Promise<EnterAddressResult> => {
      const order = await store.lockOrder(tx, orderId);
      if (!order) return NOT_FOUND;
      if (isOwn) return invalid('This is an address of the shop: enter one of the buyer');
      const before = await store.findAddress(tx, orderId);
      if (before !== null && before.confirmedAt !== null) return { ok: false, reason: 'address-confirmed' };
      if (before?.address === address && before.holdsFrom !== null) return { ok: true, address: showAddress(before) };
      const at = clock.now();
      const holdsFrom = new Date(at.getTime() + OBJECTION_PERIOD_MS);
      await store.enterAddress(tx, { orderId, address, by: staffId, reason, at, holdsFrom });
      await orders.appendEvent(tx, orderId, 'refund_address_entered', at, { by: staffId, reason, address });
      const data = { orderId, setAt: at.toISOString() };
      await mails.enqueue(tx, [{ kind: ENTERED_MAIL, event: `${ENTERED_MAIL}.${orderId}.${at.getTime()}`, data }]);
      await onAddressUsable(tx, orderId, at);
      return { ok: true, address: showAddress(await store.findAddress(tx, orderId)) };
    });
  }

  /** What a mail says of an address that staff entered; null when it is another one by now, or the buyer has confirmed it. */
  async readEnteredMail(orderId: string, setAt: Date) {
    const named = await store.findAddress(this.#db, orderId);
    if (!named || named.holdsFrom === null || named.confirmedAt !== null) return null;
    if (named.setAt.getTime() !== setAt.getTime()) return null;
    const owner = await store.findOwner(this.#db, orderId);
    const contact = owner && (await this.#options.accounts.findContact(owner.userId));
    if (!contact) return null;
    const { address, holdsFrom } = named;
    return { ...contact, orderId, number: formatOrderNumber(owner.number), address, holdsFrom };
  }

  async #askToConfirm(tx: Db, orderId: string, setAt: Date): Promise<void> {
    const id = uuidv7();
    const data = { id, orderId, setAt: setAt.toISOString() };
    await this.#options.mails.enqueue(tx, [{ kind: ADDRESS_MAIL, event: `refund-address.${id}`, data }]);
  }

  /** What an order's buyer has named, whosoever asks; null for nothing. */
  findForOrder(db: Db, orderId: string): Promise<store.RefundAddressRow | null> {
    return store.findAddress(db, orderId);
  }

  /** Null for an order that is somebody else's or not there. */
  async find(userId: string, orderId: string): Promise<PresentedAddress | null> {
    if (!(await store.isOwnOrder(this.#db, userId, orderId))) return null;
    return showAddress(await store.findAddress(this.#db, orderId));
  }

  /** Sends the link once more, unless the address is confirmed or there is none; null as `find`. */
  async resend(userId: string, orderId: string): Promise<PresentedAddress | null> {
    return transact(this.#db, async (tx) => {
      if (!(await store.lockOwnOrder(tx, userId, orderId))) return null;
      const named = await store.findAddress(tx, orderId);
      if (named?.confirmedAt === null) await this.#askToConfirm(tx, orderId, named.setAt);
      return showAddress(named);
    });
  }

  /** What a mail says that asks to confirm; null when there is nothing to confirm any more, or another mail asks. */
  async issueConfirmation(id: string, orderId: string, setAt: Date) {
    const { accounts, clock } = this.#options;
    const named = await store.findAddress(this.#db, orderId);
    if (!named || named.confirmedAt || named.setAt.getTime() !== setAt.getTime()) return null;
    const owner = await store.findOwner(this.#db, orderId);
    const contact = owner && (await accounts.findContact(owner.userId));
    if (!contact) return null;
    const { token, hash: tokenHash } = issueToken();
    const expiresAt = new Date(clock.now().getTime() + CONFIRMATION_MS);
    await store.upsertConfirmation(this.#db, { id, orderId, address: named.address, tokenHash, expiresAt });
    return { ...contact, number: formatOrderNumber(owner.number), address: named.address, token };
  }

  /** 'invalid-link': the token was used or is too old. 'address-changed': another address was named since. */
  async confirm(token: string): Promise<'confirmed' | 'invalid-link' | 'address-changed'> {
    const { clock, onAddressUsable, orders } = this.#options;
    const tokenHash = hashToken(token);
    if (!tokenHash) return 'invalid-link';
    return transact(this.#db, async (tx) => {
      const now = clock.now();
      const orderId = await store.findOrderOfConfirmation(tx, tokenHash);
      // The order before what is its own, as everybody locks them.
      if (orderId !== null) await store.lockOrder(tx, orderId);
      const taken = await store.consumeConfirmation(tx, tokenHash, now);
      if (!taken) return 'invalid-link';
      if (!(await store.confirmAddress(tx, taken.orderId, taken.address, now))) return 'address-changed';
      await orders.appendEvent(tx, taken.orderId, 'refund_address_confirmed', now, {});
      await onAddressUsable(tx, taken.orderId, now);
      return 'confirmed';
    });
  }

  /** Removes what is of no use any more; to be called now and then. */
  async deleteExpired(): Promise<void> {
    await store.deleteOldConfirmations(this.#db, this.#options.clock.now());
  }
}
