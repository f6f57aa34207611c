/** What the shop tells its customers by mail. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { JobData } from '#src/platform/jobs/jobs.ts';
import type { Mail, Mails, MailToEnqueue, MailWriter } from '#src/platform/mail/mails.ts';
import type { CustomerMailKind } from '#src/shop/mail-kinds.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import { CONFIRMATION_MAIL, NOTICE_MAIL } from '#src/shop/accounts/profile/service.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import { CODE_MAIL } from '#src/shop/accounts/password-reset/service.ts';
import type { PasswordReset } from '#src/shop/accounts/password-reset/service.ts';
import { ADDRESS_MAIL, ENTERED_MAIL } from '#src/shop/refunds/addresses/service.ts';
import type { RefundAddresses } from '#src/shop/refunds/addresses/service.ts';
import { WRITTEN_OFF_MAIL } from '#src/shop/refunds/manual/service.ts';
import type { ManualRefunds } from '#src/shop/refunds/manual/service.ts';
import { REFUND_MAIL } from '#src/shop/refunds/notices.service.ts';
import type { RefundNotices } from '#src/shop/refunds/notices.service.ts';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import { writeCodeMail, writeConfirmationMail, writeNotice } from './account-mail.ts';
import { orderMailKinds, selectOrderMail } from './select-order-mail.ts';
import type { OrderMailKind } from './select-order-mail.ts';
import { writeOrderMail } from './order-mail.ts';
import {
  writeEnteredAddressMail,
  writeRefundAddressMail,
  writeRefundMail,
  writeWrittenOffMail,
} from './refund-mail.ts';
import { renderMail } from './render-mail.ts';
import type { MailFrame, MailContents } from './render-mail.ts';
import { claimUndispatched } from './store.ts';
import type { EventRow } from './store.ts';
import { getMailName } from './user-text.ts';

export interface NotificationsOptions {
  readonly db: Db;
  readonly mails: Pick<Mails<CustomerMailKind>, 'enqueue'>;
  readonly tracking: Pick<OrderTimeline, 'readForMail'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly profile: Pick<Profile, 'issueConfirmation' | 'prepareNotice'>;
  readonly recovery: Pick<PasswordReset, 'issueCode'>;
  readonly refunds: {
    readonly addresses: Pick<RefundAddresses, 'issueConfirmation' | 'readEnteredMail'>;
    readonly byHand: Pick<ManualRefunds, 'readWrittenOffMail'>;
    readonly news: Pick<RefundNotices, 'readMail'>;
  };
  readonly frame: MailFrame;
  /** Hears, in the same transaction, of the events whose buyers are told. */
  readonly onClaimed?: (tx: Db, events: readonly EventRow[]) => Promise<void>;
}

const ORDER = 'order';
const BATCH_SIZE = 100;

const readSats = (value: unknown): Sats => sats(typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : 0n);
const isOrderMail = (kind: string | undefined): kind is OrderMailKind => orderMailKinds.some((one) => one === kind);

/** None, or the one that tells of an event. */
function createOrderMails({
  order_id: orderId,
  kind,
  at,
  details,
  earlier,
}: EventRow): MailToEnqueue<CustomerMailKind>[] {
  const [dueSats, receivedSats, beforeSats] = [
    readSats(details['due_sats']),
    readSats(details['received_sats']),
    readSats(details['before_sats']),
  ];
  const told = selectOrderMail({ kind, at, dueSats, receivedSats, beforeSats, earlier });
  if (!told) return [];
  const { words } = details;
  const data = {
    orderId,
    mail: told.mail,
    at: at.toISOString(),
    due_sats: String(dueSats),
    received_sats: String(receivedSats),
    before_sats: String(beforeSats),
    surplus_sats: String(readSats(details['surplus_sats'])),
    words: typeof words === 'string' ? words : '',
  };
  return [{ kind: ORDER, event: `order.${orderId}.${told.deduplicationKey}`, data }];
}

export class Notifications {
  readonly #options: NotificationsOptions;

  /** Make the mails of what was enqueued here. */
  readonly writers: Readonly<Record<CustomerMailKind, MailWriter>> = {
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
  async relayNext(): Promise<boolean> {
    return transact(this.#options.db, async (tx) => {
      const events = await claimUndispatched(tx, BATCH_SIZE);
      await this.#options.mails.enqueue(tx, events.flatMap(createOrderMails));
      await this.#options.onClaimed?.(tx, events);
      return events.length === BATCH_SIZE;
    });
  }

  async #writeOfOrder({ orderId = '', mail, at = '', words: why = '', ...money }: JobData): Promise<Mail | null> {
    const { accounts, frame, tracking } = this.#options;
    if (!isOrderMail(mail)) throw new Error(`there is no mail "${mail}" of an order`);
    const found = await tracking.readForMail(orderId);
    const contact = found && (await accounts.findContact(found.userId));
    if (!contact) return null;
    const { order, late, rate, trackingReference, payPath } = found;
    const words = writeOrderMail(mail, {
      username: getMailName(contact),
      order,
      rate,
      late,
      trackingReference,
      event: {
        at: new Date(at),
        dueSats: readSats(money['due_sats']),
        receivedSats: readSats(money['received_sats']),
        beforeSats: readSats(money['before_sats']),
        surplusSats: readSats(money['surplus_sats']),
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
    return told && mailTo(told, writeCodeMail({ ...told, username: getMailName(told) }, frame.shopUrl), frame);
  }

  async #writeConfirmation({ id = '', userId = '' }: JobData): Promise<Mail | null> {
    const { frame, profile } = this.#options;
    const told = await profile.issueConfirmation(id, userId);
    return told && mailTo({ ...told, isConfirmed: false }, writeConfirmationMail(told, frame.shopUrl), frame);
  }

  async #writeRefundAddress({ id = '', orderId = '', setAt = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const told = await refunds.addresses.issueConfirmation(id, orderId, new Date(setAt));
    return told && mailTo(told, writeRefundAddressMail({ ...told, username: getMailName(told) }, frame.shopUrl), frame);
  }

  async #writeRefund({ id = '', told = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const refund = await refunds.news.readMail(id, told);
    return (
      refund && mailTo(refund, writeRefundMail({ ...refund, username: getMailName(refund) }, frame.shopUrl), frame)
    );
  }

  async #writeEnteredAddress({ orderId = '', setAt = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const told = await refunds.addresses.readEnteredMail(orderId, new Date(setAt));
    return told && { to: told.email, ...renderMail(writeEnteredAddressMail(told, frame.shopUrl), frame) };
  }

  async #writeWrittenOff({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const told = await refunds.byHand.readWrittenOffMail(id);
    return told && { to: told.email, ...renderMail(writeWrittenOffMail(told, frame.shopUrl), frame) };
  }

  async #writeNotice({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, profile } = this.#options;
    const told = await profile.prepareNotice(id);
    const words = told && writeNotice({ ...told, username: getMailName(told) }, frame.shopUrl);
    return words && mailTo({ email: told.recipient, isConfirmed: told.isConfirmed }, words, frame);
  }
}

const mailTo = (
  { email, isConfirmed }: { readonly email: string; readonly isConfirmed: boolean },
  words: MailContents,
  frame: MailFrame,
): Mail => ({ to: email, isUnconfirmed: !isConfirmed, ...renderMail(words, frame) });
