/** Sends mails to customers about their orders, refunds and accounts. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { JobData } from '#src/platform/jobs/jobs.ts';
import type { Mail, Mails, MailToEnqueue, MailWriter, WrittenMail } from '#src/platform/mail/mails.ts';
import type { CustomerMailKind } from '#src/shop/mail-kinds.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import { BACK_IN_STOCK_MAIL } from '#src/shop/inventory/alerts/service.ts';
import type { StockAlerts } from '#src/shop/inventory/alerts/service.ts';
import { INVITATION_MAIL } from '#src/shop/accounts/invitations/service.ts';
import type { Invitations } from '#src/shop/accounts/invitations/service.ts';
import { CONFIRMATION_MAILS_A_DAY } from '#src/shop/accounts/profile/confirmation-limit.ts';
import { CONFIRMATION_MAIL, NOTICE_MAIL } from '#src/shop/accounts/profile/service.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import { FACTOR_CHANGE_MAIL } from '#src/shop/accounts/second-factor/changes.service.ts';
import type { FactorChanges } from '#src/shop/accounts/second-factor/changes.service.ts';
import { CODE_MAIL } from '#src/shop/accounts/password-reset/service.ts';
import type { PasswordReset } from '#src/shop/accounts/password-reset/service.ts';
import { ADDRESS_MAIL, ENTERED_MAIL } from '#src/shop/refunds/addresses/service.ts';
import type { RefundAddresses } from '#src/shop/refunds/addresses/service.ts';
import { WRITTEN_OFF_MAIL } from '#src/shop/refunds/manual/service.ts';
import type { ManualRefunds } from '#src/shop/refunds/manual/service.ts';
import { REFUND_MAIL } from '#src/shop/refunds/notices.service.ts';
import type { RefundNotices } from '#src/shop/refunds/notices.service.ts';
import { ANSWER_MAIL } from '#src/shop/support/contact/inbox.service.ts';
import type { ContactInbox } from '#src/shop/support/contact/inbox.service.ts';
import { RETURN_MAIL } from '#src/shop/returns/notices.service.ts';
import type { ReturnNotices } from '#src/shop/returns/notices.service.ts';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderTerms } from '#src/shop/orders/terms/service.ts';
import type { OrderTimeline, UndispatchedEvent } from '#src/shop/orders/timeline/service.ts';
import { WITHDRAWAL_COPY_MAIL, WITHDRAWAL_LINK_MAIL, WITHDRAWAL_MAIL } from '#src/shop/returns/withdrawal/service.ts';
import type { Withdrawals } from '#src/shop/returns/withdrawal/service.ts';
import type { Acknowledgements } from '#src/shop/returns/withdrawal/acknowledgements.service.ts';
import { writeContactAnswerMail } from './contact-mail.ts';
import {
  writeCodeMail,
  writeConfirmationMail,
  writeFactorChangeMail,
  writeInvitationMail,
  writeNotice,
} from './account-mail.ts';
import { selectOrderMail } from './select-order-mail.ts';
import type { OrderMailToSend } from './select-order-mail.ts';
import { carriesTerms, isOrderMail, writeOrderMail } from './order-mail.ts';
import {
  writeEnteredAddressMail,
  writeRefundAddressMail,
  writeRefundMail,
  writeWrittenOffMail,
} from './refund-mail.ts';
import { renderMail } from './render-mail.ts';
import type { MailFrame, MailContents } from './render-mail.ts';
import { writeReturnMail } from './return-mail.ts';
import { writeBackInStockMail } from './stock-mail.ts';
import { getMailName } from './user-text.ts';
import { writeWithdrawalCopyMail, writeWithdrawalLinkMail, writeWithdrawalMail } from './withdrawal-mails.ts';

export interface NotificationsOptions {
  readonly db: Db;
  readonly mails: Pick<Mails<CustomerMailKind>, 'enqueue' | 'isDeliveredTo'>;
  readonly timeline: Pick<OrderTimeline, 'claimUndispatched' | 'readForMail'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly profile: Pick<Profile, 'issueConfirmation' | 'prepareNotice'>;
  readonly invitations: Pick<Invitations, 'issueLink'>;
  readonly passwordReset: Pick<PasswordReset, 'issueCode'>;
  readonly factorChanges: Pick<FactorChanges, 'issueLink'>;
  readonly refunds: {
    readonly addresses: Pick<RefundAddresses, 'issueConfirmation' | 'readEnteredMail'>;
    readonly manual: Pick<ManualRefunds, 'readWrittenOffMail'>;
    readonly notices: Pick<RefundNotices, 'readMail'>;
  };
  readonly returns: { readonly notices: Pick<ReturnNotices, 'readMail'> };
  readonly stockAlerts: Pick<StockAlerts, 'readMail'>;
  readonly inbox: Pick<ContactInbox, 'readAnswerMail'>;
  readonly acknowledgements: Pick<Acknowledgements, 'readMail' | 'readLinkMail'>;
  readonly withdrawals: Pick<Withdrawals, 'findPath'>;
  readonly orderTerms: Pick<OrderTerms, 'readForMail'>;
  readonly frame: MailFrame;
  /** Address for replies to answers; null: that of the sender. */
  readonly getSupportEmail: () => string | null;
  /** Called in the same transaction with the claimed events. */
  readonly onClaimed?: (tx: Db, events: readonly UndispatchedEvent[]) => Promise<void>;
}

const ORDER = 'order';
const BATCH_SIZE = 100;

const readSats = (value: unknown): Sats => sats(typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : 0n);
/** The mail that staff requested, if the event is such a request. */
const selectRequestedMail = (id: string, kind: unknown): OrderMailToSend | null =>
  typeof kind === 'string' && isOrderMail(kind) ? { mail: kind, deduplicationKey: `requested-${id}` } : null;

const nameMail = (orderId: string, key: string): string => `order.${orderId}.${key}`;

/** The mail of an event, if it has one. */
function createOrderMails({
  id,
  order_id: orderId,
  kind,
  at,
  details,
  earlier,
}: UndispatchedEvent): MailToEnqueue<CustomerMailKind>[] {
  const [dueSats, receivedSats, beforeSats] = [
    readSats(details['due_sats']),
    readSats(details['received_sats']),
    readSats(details['before_sats']),
  ];
  const selected =
    kind === 'mail_requested'
      ? selectRequestedMail(id, details['mail'])
      : selectOrderMail({ kind, at, dueSats, receivedSats, beforeSats, earlier });
  if (!selected) return [];
  const { words, shipment } = details;
  const data = {
    orderId,
    mail: selected.mail,
    at: at.toISOString(),
    due_sats: String(dueSats),
    received_sats: String(receivedSats),
    before_sats: String(beforeSats),
    surplus_sats: String(readSats(details['surplus_sats'])),
    words: typeof words === 'string' ? words : '',
    ...(typeof shipment === 'number' && { shipment: String(shipment) }),
  };
  return [{ kind: ORDER, event: nameMail(orderId, selected.deduplicationKey), data }];
}

export class Notifications {
  readonly #options: NotificationsOptions;

  /** Writers of the mails that are enqueued here. */
  readonly writers: Readonly<Record<CustomerMailKind, MailWriter>> = {
    [ORDER]: (data) => this.#writeOrderMail(data),
    [CODE_MAIL]: (data) => this.#writeCode(data),
    [CONFIRMATION_MAIL]: (data) => this.#writeConfirmation(data),
    [INVITATION_MAIL]: (data) => this.#writeInvitation(data),
    [NOTICE_MAIL]: (data) => this.#writeNotice(data),
    [FACTOR_CHANGE_MAIL]: (data) => this.#writeFactorChange(data),
    [ADDRESS_MAIL]: (data) => this.#writeRefundAddress(data),
    [REFUND_MAIL]: (data) => this.#writeRefund(data),
    [RETURN_MAIL]: (data) => this.#writeReturn(data),
    [ENTERED_MAIL]: (data) => this.#writeEnteredAddress(data),
    [WRITTEN_OFF_MAIL]: (data) => this.#writeWrittenOff(data),
    [BACK_IN_STOCK_MAIL]: (data) => this.#writeBackInStock(data),
    [ANSWER_MAIL]: (data) => this.#writeContactAnswer(data),
    [WITHDRAWAL_MAIL]: (data) => this.#writeWithdrawal(data),
    [WITHDRAWAL_COPY_MAIL]: (data) => this.#writeWithdrawalCopy(data),
    [WITHDRAWAL_LINK_MAIL]: (data) => this.#writeWithdrawalLink(data),
  };

  constructor(options: NotificationsOptions) {
    this.#options = options;
  }

  /**
   * Claims the next undispatched events and enqueues their mails in one transaction. Returns
   * whether more events are waiting.
   */
  async relayNext(): Promise<boolean> {
    return transact(this.#options.db, async (tx) => {
      const events = await this.#options.timeline.claimUndispatched(tx, BATCH_SIZE);
      await this.#options.mails.enqueue(tx, events.flatMap(createOrderMails));
      await this.#options.onClaimed?.(tx, events);
      return events.length === BATCH_SIZE;
    });
  }

  /** The present address of a buyer, if the receipt of the order was sent there. */
  async findReceiptAddress(orderId: string, userId: string): Promise<string | null> {
    const { accounts, mails } = this.#options;
    const contact = await accounts.findContact(userId);
    if (!contact) return null;
    return (await mails.isDeliveredTo(nameMail(orderId, 'paid'), contact.email)) ? contact.email : null;
  }

  async #writeOrderMail({
    orderId = '',
    mail,
    at = '',
    words: reason = '',
    shipment: number = '',
    ...money
  }: JobData): Promise<Mail | null> {
    const { accounts, frame, orderTerms, timeline, withdrawals } = this.#options;
    if (!isOrderMail(mail)) throw new Error(`unknown order mail "${mail}"`);
    const orderData = await timeline.readForMail(orderId);
    const contact = orderData && (await accounts.findContact(orderData.userId));
    if (!contact) return null;
    const { order, isManual, late, rate, requoteRefusal, shipments, trackingReference, payPath } = orderData;
    const shipment = shipments.find((one) => String(one.number) === number) ?? null;
    const withdrawalPath = withdrawals.findPath(order.id, order.billing.vatNumber ?? null);
    const terms = carriesTerms(mail, order) ? await orderTerms.readForMail(order.id) : null;
    const contents = writeOrderMail(mail, {
      username: getMailName(contact),
      order,
      isManual,
      rate,
      late,
      requoteRefusal,
      trackingReference: shipment === null ? trackingReference : shipment.tracking_number,
      shipment,
      isShipmentUndone: number !== '' && shipment === null,
      event: {
        at: new Date(at),
        dueSats: readSats(money['due_sats']),
        receivedSats: readSats(money['received_sats']),
        beforeSats: readSats(money['before_sats']),
        surplusSats: readSats(money['surplus_sats']),
        words: reason,
      },
      shopUrl: frame.shopUrl,
      payUrl: `${frame.shopUrl}${payPath}`,
      withdrawalUrl: withdrawalPath && `${frame.shopUrl}${withdrawalPath}`,
      orderUrl: `${frame.shopUrl}/dashboard/orders/${order.id}`,
      terms: terms && { documents: terms.documents, isAttached: terms.pdf !== null },
    });
    if (!contents) return null;
    const created = createMail(contact, contents, frame);
    return terms?.pdf ? { ...created, attachments: [{ ...terms.pdf, type: 'application/pdf' }] } : created;
  }

  async #writeCode({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, passwordReset } = this.#options;
    const data = await passwordReset.issueCode(id);
    return data && createMail(data, writeCodeMail({ ...data, username: getMailName(data) }, frame.shopUrl), frame);
  }

  async #writeConfirmation({ id = '', userId = '' }: JobData): Promise<WrittenMail | null> {
    const { frame, profile } = this.#options;
    const data = await profile.issueConfirmation(id, userId);
    if (!data) return null;
    const mail = createMail({ ...data, isConfirmed: false }, writeConfirmationMail(data, frame.shopUrl), frame);
    return { ...mail, recipientLimit: { name: 'confirmation-mails-to', perDay: CONFIRMATION_MAILS_A_DAY } };
  }

  async #writeInvitation({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, invitations } = this.#options;
    const data = await invitations.issueLink(id);
    return data && createMail({ ...data, isConfirmed: false }, writeInvitationMail(data, frame), frame);
  }

  async #writeRefundAddress({ id = '', orderId = '', setAt = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const data = await refunds.addresses.issueConfirmation(id, orderId, new Date(setAt));
    return (
      data && createMail(data, writeRefundAddressMail({ ...data, username: getMailName(data) }, frame.shopUrl), frame)
    );
  }

  async #writeRefund({ id = '', told: mail = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const refund = await refunds.notices.readMail(id, mail);
    return (
      refund && createMail(refund, writeRefundMail({ ...refund, username: getMailName(refund) }, frame.shopUrl), frame)
    );
  }

  async #writeReturn({ id = '', step: mail = '' }: JobData): Promise<Mail | null> {
    const { frame, returns } = this.#options;
    const found = await returns.notices.readMail(id, mail);
    return (
      found && createMail(found, writeReturnMail({ ...found, username: getMailName(found) }, frame.shopUrl), frame)
    );
  }

  async #writeEnteredAddress({ orderId = '', setAt = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const data = await refunds.addresses.readEnteredMail(orderId, new Date(setAt));
    return data && { to: data.email, ...renderMail(writeEnteredAddressMail(data, frame.shopUrl), frame) };
  }

  async #writeWrittenOff({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, refunds } = this.#options;
    const data = await refunds.manual.readWrittenOffMail(id);
    return data && { to: data.email, ...renderMail(writeWrittenOffMail(data, frame.shopUrl), frame) };
  }

  async #writeBackInStock({ id = '', attempt = '' }: JobData): Promise<Mail | null> {
    const { accounts, frame, stockAlerts } = this.#options;
    const variant = await stockAlerts.readMail(id, Number(attempt));
    const contact = variant && (await accounts.findContact(variant.userId));
    if (!contact) return null;
    return createMail(
      contact,
      writeBackInStockMail({ ...variant, username: getMailName(contact) }, frame.shopUrl),
      frame,
    );
  }

  async #writeContactAnswer({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, getSupportEmail, inbox } = this.#options;
    const answer = await inbox.readAnswerMail(id);
    if (!answer) return null;
    const replyTo = getSupportEmail();
    // Anyone can write with any address, so it is not confirmed.
    const recipient = { email: answer.email, isConfirmed: false };
    const mail = createMail(recipient, writeContactAnswerMail(answer.text, frame.shopName), frame);
    return replyTo === null ? mail : { ...mail, replyTo };
  }

  async #writeWithdrawal({ id = '' }: JobData): Promise<Mail | null> {
    const { acknowledgements, frame } = this.#options;
    const data = await acknowledgements.readMail(id);
    return data && createMail(data.contact, writeWithdrawalMail(data, frame.shopUrl), frame);
  }

  async #writeWithdrawalCopy({ id = '' }: JobData): Promise<WrittenMail | null> {
    const { acknowledgements, frame } = this.#options;
    const data = await acknowledgements.readMail(id);
    // A withdrawal without effect is explained to the address of the order only.
    if (data === null || data.copyTo === null || data.result !== 'recorded') return null;
    const recipient = { email: data.copyTo, isConfirmed: false };
    const mail = createMail(recipient, writeWithdrawalCopyMail(data, frame.shopUrl), frame);
    // The buyer may have named the address of somebody else.
    return { ...mail, recipientLimit: { name: 'withdrawal-copies-to', perDay: 6 } };
  }

  async #writeWithdrawalLink({ address = '', numbers = '' }: JobData): Promise<Mail | null> {
    const { acknowledgements, frame } = this.#options;
    const data = await acknowledgements.readLinkMail(numbers === '' ? [] : numbers.split(','), address);
    return data && createMail(data.contact, writeWithdrawalLinkMail(data, frame.shopUrl), frame);
  }

  async #writeFactorChange({ id = '', notice = '' }: JobData): Promise<Mail | null> {
    const { factorChanges, frame } = this.#options;
    const data = await factorChanges.issueLink(id, notice === '' ? null : notice);
    if (!data) return null;
    const contents = writeFactorChangeMail({ ...data, username: getMailName(data) }, frame.shopUrl);
    // Only staff cause it, so mails that others cause to an unconfirmed address must not use up its place.
    return createMail({ email: data.email, isConfirmed: true }, contents, frame);
  }

  async #writeNotice({ id = '' }: JobData): Promise<WrittenMail | null> {
    const { frame, profile } = this.#options;
    const data = await profile.prepareNotice(id);
    if (!data) return null;
    const { recipient, isConfirmed } = data;
    const contents = writeNotice({ ...data, username: getMailName(data) }, frame.shopUrl);
    const mail = createMail({ email: recipient, isConfirmed }, contents, frame);
    // Accounts are free, and anyone can name the address of somebody else.
    return isConfirmed ? mail : { ...mail, recipientLimit: { name: 'notices-to-unconfirmed', perDay: 6 } };
  }
}

const createMail = (
  { email, isConfirmed }: { readonly email: string; readonly isConfirmed: boolean },
  contents: MailContents,
  frame: MailFrame,
): Mail => ({ to: email, isUnconfirmed: !isConfirmed, ...renderMail(contents, frame) });
