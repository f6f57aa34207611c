/** What staff are told by mail: what customers have asked. */
import type { Db } from '#src/platform/database/database.ts';
import type { JobData } from '#src/platform/jobs/jobs.ts';
import type { Mail, Mails, MailWriter } from '#src/platform/mail/mails.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Contact } from '../contact/service.ts';
import { renderMail } from '../notifications/render-mail.ts';
import type { MailFrame } from '../notifications/render-mail.ts';
import type { Tickets } from '../tickets/service.ts';
import { writeContactMail, writeTicketMail } from './staff-mail.ts';

export interface StaffMailsOptions {
  readonly mails: Pick<Mails, 'enqueue' | 'forgetWordsOf'>;
  readonly tickets: Pick<Tickets, 'findForStaff'>;
  readonly contact: Pick<Contact, 'find'>;
  readonly accounts: Pick<Accounts, 'contactOf'>;
  readonly frame: MailFrame;
  /** Null: nobody is told. */
  readonly supportEmail: string | null;
}

const TICKET = 'staff-ticket';
const CONTACT = 'staff-contact';
const eventOf = (kind: string, id: string): string => `${kind}.${id}`;

export class StaffMails {
  readonly #options: StaffMailsOptions;

  /** Make the mails of what was enqueued here. */
  readonly writers: Readonly<Record<string, MailWriter>> = {
    [TICKET]: (data) => this.#writeOfTicket(data),
    [CONTACT]: (data) => this.#writeOfMessage(data),
  };

  constructor(options: StaffMailsOptions) {
    this.#options = options;
  }

  /** In the transaction that makes the ticket. */
  tellOfTicket(tx: Db, ticketId: string): Promise<void> {
    return this.#enqueue(tx, TICKET, ticketId);
  }

  /** In the transaction that keeps the message. */
  tellOfMessage(tx: Db, messageId: string): Promise<void> {
    return this.#enqueue(tx, CONTACT, messageId);
  }

  /** Of what staff were told of these tickets and messages, in the transaction that deletes them. */
  async forget(
    tx: Db,
    ids: { readonly tickets: readonly string[] } | { readonly messages: readonly string[] },
  ): Promise<void> {
    const events =
      'tickets' in ids ? ids.tickets.map((id) => eventOf(TICKET, id)) : ids.messages.map((id) => eventOf(CONTACT, id));
    await this.#options.mails.forgetWordsOf(tx, events);
  }

  async #enqueue(tx: Db, kind: string, id: string): Promise<void> {
    const { mails, supportEmail } = this.#options;
    if (supportEmail !== null) await mails.enqueue(tx, [{ kind, event: eventOf(kind, id), data: { id } }]);
  }

  async #writeOfTicket({ id = '' }: JobData): Promise<Mail | null> {
    const { accounts, frame, supportEmail, tickets } = this.#options;
    const ticket = await tickets.findForStaff(id);
    const user = ticket && (await accounts.contactOf(ticket.user_id));
    if (!user || supportEmail === null) return null;
    return { to: supportEmail, ...renderMail(writeTicketMail({ ...user, ...ticket }), frame) };
  }

  async #writeOfMessage({ id = '' }: JobData): Promise<Mail | null> {
    const { contact, frame, supportEmail } = this.#options;
    const message = await contact.find(id);
    if (!message || supportEmail === null) return null;
    return { to: supportEmail, ...renderMail(writeContactMail(message), frame) };
  }
}
