/** What the shop tells its customers by mail. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { JobData } from '#src/platform/jobs/jobs.ts';
import type { Mail, Mails, MailToEnqueue, MailWriter } from '#src/platform/mail/mails.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import { CONFIRMATION_MAIL, NOTICE_MAIL } from '#src/shop/accounts/profile/service.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import { CODE_MAIL } from '#src/shop/accounts/password-reset/service.ts';
import type { Recovery } from '#src/shop/accounts/password-reset/service.ts';
import { ADDRESS_MAIL, ENTERED_MAIL } from '#src/shop/refunds/addresses/service.ts';
import type { RefundAddresses } from '#src/shop/refunds/addresses/service.ts';
import { WRITTEN_OFF_MAIL } from '#src/shop/refunds/manual/service.ts';
import type { RefundsByHand } from '#src/shop/refunds/manual/service.ts';
import { REFUND_MAIL } from '#src/shop/refunds/news.service.ts';
import type { RefundNews } from '#src/shop/refunds/news.service.ts';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { Tracking } from '#src/shop/orders/timeline/service.ts';
import { writeCodeMail, writeConfirmationMail, writeNotice } from './account-mail.ts';
import { orderMailKinds, orderMailOf } from './order-mail-of.ts';
import type { OrderMailKind } from './order-mail-of.ts';
import { writeOrderMail } from './order-mail.ts';
import {
  writeEnteredAddressMail,
  writeRefundAddressMail,
  writeRefundMail,
  writeWrittenOffMail,
} from './refund-mail.ts';
import { renderMail } from './render-mail.ts';
import type { MailFrame, MailWords } from './render-mail.ts';
import { takeUntold } from './store.ts';
import type { EventRow } from './store.ts';
import { nameInMail } from './user-text.ts';

export interface NotificationsOptions {
  readonly db: Db;
  readonly mails: Pick<Mails, 'enqueue'>;
  readonly tracking: Pick<Tracking, 'read'>;
  readonly accounts: Pick<Accounts, 'contactOf'>;
  readonly profile: Pick<Profile, 'issueConfirmation' | 'noticeOf'>;
  readonly recovery: Pick<Recovery, 'issueCode'>;
  readonly refunds: {
    readonly addresses: Pick<RefundAddresses, 'issueConfirmation' | 'enteredToTell'>;
    readonly byHand: Pick<RefundsByHand, 'writtenOffToTell'>;
    readonly news: Pick<RefundNews, 'toTell'>;
  };
  readonly frame: MailFrame;
  /** Hears, in the same transaction, of the events whose buyers are told. */
  readonly onTaken?: (tx: Db, events: readonly EventRow[]) => Promise<void>;
}

const ORDER = 'order';
const AT_ONCE = 100;

const satsIn = (value: unknown): Sats => sats(typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : 0n);
const isOrderMail = (kind: string | undefined): kind is OrderMailKind => orderMailKinds.some((one) => one === kind);

/** None, or the one that tells of an event. */
function mailOf({ order_id: orderId, kind, at, details, earlier }: EventRow): MailToEnqueue[] {
  const [dueSats, receivedSats, beforeSats] = [
    satsIn(details['due_sats']),
    satsIn(details['received_sats']),
    satsIn(details['before_sats']),
  ];
  const told = orderMailOf({ kind, at, dueSats, receivedSats, beforeSats, earlier });
  if (!told) return [];
  const { words } = details;
  const data = {
    orderId,
    mail: told.mail,
    at: at.toISOString(),
    due_sats: String(dueSats),
    received_sats: String(receivedSats),
    before_sats: String(beforeSats),
    surplus_sats: String(satsIn(details['surplus_sats'])),
    words: typeof words === 'string' ? words : '',
  };
  return [{ kind: ORDER, event: `order.${orderId}.${told.occasion}`, data }];
}

export class Notifications {
  readonly #options: NotificationsOptions;

  /** Make the mails of what was enqueued here. */
  readonly writers: Readonly<Record<string, MailWriter>> = {
    [ORDER]: (data) => this.#writeOfOrder(data),
    [CODE_MAIL]: (data) => this.#writeCode(data),
    [CONFIRMATION_MAIL]: (data) => this.#writeConfirmation(data),
    [NOTICE_MAIL]: (data) => this.#writeNotice(data),
    [ADDRESS_MAIL]: (data) => this.#writeRefundAddress(data),
    [REFUND_MAIL]: (data) => this.#writeRefund(data),
    [ENTERED_MAIL]: (data) => this.#writeEnteredAddress(data),
    [WRITTEN_OFF_MAIL]: (data) => this.#writeWrittenOff(data),
  };

  constructor(options: NotificationsOptions) {
    this.#options = options;
  }

  /**
   * Looks at the next events that nobody has looked at, and enqueues their mails together with the mark that they were.
   * Whether there are more at once.
   */
  async tellNext(): Promise<boolean> {
    return transact(this.#options.db, async (tx) => {
      const events = await takeUntold(tx, AT_ONCE);
      await this.#options.mails.enqueue(tx, events.flatMap(mailOf));
      await this.#options.onTaken?.(tx, events);
      return events.length === AT_ONCE;
    });
  }

  async #writeOfOrder({ orderId = '', mail, at = '', words: why = '', ...money }: JobData): Promise<Mail | null> {
    const { accounts, frame, tracking } = this.#options;
    if (!isOrderMail(mail)) throw new Error(`there is no mail "${mail}" of an order`);
    const found = await tracking.read(orderId);
    const contact = found && (await accounts.contactOf(found.userId));
    if (!contact) return null;
    const { order, late, rate, trackingReference, payPath } = found;
    const words = writeOrderMail(mail, {
      username: nameInMail(contact),
      order,
      rate,
      late,
      trackingReference,
      happened: {
        at: new Date(at),
        dueSats: satsIn(money['due_sats']),
        receivedSats: satsIn(money['received_sats']),
        beforeSats: satsIn(money['before_sats']),
        surplusSats: satsIn(money['surplus_sats']),
        words: why,
      },
      payUrl: `${frame.shopUrl}${payPath}`,
      orderUrl: `${frame.shopUrl}/dashboard/orders/${order.id}`,
    });
    return words && mailTo(contact, words, frame);
  }

  async #writeCode({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, recovery } = this.#options;
    const told = await recovery.issueCode(id);
    return told && mailTo(told, writeCodeMail({ ...told, username: nameInMail(told) }, frame.shopUrl), frame);
  }

  async #writeConfirmation({ id = '', userId = '' }: JobData): Promise<Mail | null> {
    const { frame, profile } = this.#options;
    const told = await profile.issueConfirmation(id, userId);
    return told && mailTo({ ...told, isConfirmed: false }, writeConfirmationMail(told, frame.shopUrl), frame);
  }

  async #writeRefundAddress({ id = '', orderId = '', setAt = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const told = await refunds.addresses.issueConfirmation(id, orderId, new Date(setAt));
    return told && mailTo(told, writeRefundAddressMail({ ...told, username: nameInMail(told) }, frame.shopUrl), frame);
  }

  async #writeRefund({ id = '', told = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const refund = await refunds.news.toTell(id, told);
    return refund && mailTo(refund, writeRefundMail({ ...refund, username: nameInMail(refund) }, frame.shopUrl), frame);
  }

  async #writeEnteredAddress({ orderId = '', setAt = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const told = await refunds.addresses.enteredToTell(orderId, new Date(setAt));
    return told && { to: told.email, ...renderMail(writeEnteredAddressMail(told, frame.shopUrl), frame) };
  }

  async #writeWrittenOff({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const told = await refunds.byHand.writtenOffToTell(id);
    return told && { to: told.email, ...renderMail(writeWrittenOffMail(told, frame.shopUrl), frame) };
  }

  async #writeNotice({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, profile } = this.#options;
    const told = await profile.noticeOf(id);
    const words = told && writeNotice({ ...told, username: nameInMail(told) }, frame.shopUrl);
    return words && mailTo({ email: told.recipient, isConfirmed: told.isConfirmed }, words, frame);
  }
}

const mailTo = (
  { email, isConfirmed }: { readonly email: string; readonly isConfirmed: boolean },
  words: MailWords,
  frame: MailFrame,
): Mail => ({ to: email, isUnconfirmed: !isConfirmed, ...renderMail(words, frame) });
