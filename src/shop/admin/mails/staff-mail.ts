/** Texts of mails to staff. */
import type { StaffTaskKind } from '../tasks/staff-task.ts';
import { describeStaffTask } from '../tasks/staff-task-messages.ts';
import type { MailBlock, MailContents } from '#src/shop/notifications/render-mail.ts';

const REASON = 'You get this mail because this is the support address of the shop.';
const SUBJECT_LENGTH = 120;
const PREVIEW_LENGTH = 140;

const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
/** A subject is a single line. */
const formatSubject = (text: string): string => shorten(text.replaceAll(/\s+/g, ' '), SUBJECT_LENGTH);
/** Keeps the paragraphs of the writer. */
const splitParagraphs = (text: string): MailBlock[] =>
  text.split(/\n{2,}/).map((part): MailBlock => ({ kind: 'text', text: part }));

export interface TicketMailData {
  readonly title: string;
  readonly theme: string;
  readonly description: string;
  readonly username: string;
  readonly email: string;
  /** Admin page of the ticket. */
  readonly url: string;
}

export function writeTicketMail({ title, theme, description, username, email, url }: TicketMailData): MailContents {
  return {
    subject: formatSubject(`New ticket: ${title}`),
    title: `${username} opened a ticket`,
    preview: shorten(description, PREVIEW_LENGTH),
    blocks: [
      {
        kind: 'facts',
        facts: [
          { label: 'Title', value: title },
          { label: 'Theme', value: theme },
          { label: 'From', value: `${username}, ${email}` },
        ],
      },
      ...splitParagraphs(description),
      { kind: 'text', text: 'Reply in the ticket. The user sees your reply immediately.' },
      { kind: 'link', label: 'Open ticket', url },
    ],
    reason: REASON,
  };
}

export interface ContactMailData {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly message: string;
  /** Admin page of the message. */
  readonly url: string;
}

export function writeContactMail({ firstName, lastName, email, message, url }: ContactMailData): MailContents {
  const name = `${firstName} ${lastName}`;
  return {
    subject: formatSubject(`Message from ${name}`),
    title: `${name} wrote to the shop`,
    preview: shorten(message, PREVIEW_LENGTH),
    blocks: [
      { kind: 'facts', facts: [{ label: 'Reply to', value: email, isCode: true }] },
      ...splitParagraphs(message),
      { kind: 'link', label: 'Answer this message', url },
    ],
    reason: REASON,
  };
}

export interface InboxMailData {
  /** Mails of single tickets and messages that the limit allows in an hour. */
  readonly limit: number;
  /** When the limit ends, as text. */
  readonly until: string;
  readonly tickets: number;
  readonly messages: number;
  /** First page of the back office. */
  readonly url: string;
  /** Statements that name no order and that nobody answered. */
  readonly withdrawals: number;
}

/** Sent once in place of the mails above the limit. */
export function writeInboxMail({ limit, until, tickets, messages, withdrawals, url }: InboxMailData): MailContents {
  const text = `More than ${limit} tickets, contact messages and withdrawals without an order came within an hour. To keep your mailbox usable, further ones are not mailed until ${until}. All of them are in the back office.`;
  return {
    subject: 'Many new tickets and messages',
    title: 'Many new tickets and messages',
    preview: shorten(text, PREVIEW_LENGTH),
    blocks: [
      { kind: 'text', text },
      {
        kind: 'facts',
        facts: [
          { label: 'Tickets without an answer', value: String(tickets) },
          { label: 'New contact messages', value: String(messages) },
          { label: 'Withdrawals without an order', value: String(withdrawals) },
        ],
      },
      { kind: 'link', label: 'Open the back office', url },
    ],
    reason: REASON,
  };
}

export interface StaffTaskMailData {
  readonly number: string;
  readonly need: StaffTaskKind;
  readonly username: string;
  readonly email: string;
  /** Decimal bitcoin. */
  readonly dueBtc: string;
  readonly receivedBtc: string;
  /** Admin page of the order. */
  readonly url: string;
}

export function writeStaffTaskMail({
  number,
  need,
  username,
  email,
  dueBtc,
  receivedBtc,
  url,
}: StaffTaskMailData): MailContents {
  const { title, text } = describeStaffTask(need);
  return {
    subject: formatSubject(`Order ${number}: ${title}`),
    title,
    preview: `Order ${number}. ${shorten(text, PREVIEW_LENGTH - number.length)}`,
    blocks: [
      { kind: 'text', text },
      {
        kind: 'facts',
        facts: [
          { label: 'Order', value: number },
          { label: 'Buyer', value: `${username}, ${email}` },
          { label: 'Due', value: `${dueBtc} BTC` },
          { label: 'Received', value: `${receivedBtc} BTC` },
        ],
      },
      { kind: 'link', label: 'Open order', url },
    ],
    reason: REASON,
  };
}
