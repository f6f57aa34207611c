import { z } from 'zod';
import { emailAddress } from '#src/shop/accounts/contract.ts';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_LENGTHS } from './check-message.ts';

/** One line, since it may be used in a mail header. */
const line = (maximum: number) =>
  filledText(maximum).regex(/^\P{Cc}*$/u, { message: 'contains characters that are not allowed' });

/** `new`, answered by mail, or done without (further) answer. */
const contactStates = ['new', 'answered', 'done'] as const;

const contactMessage = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  message: z.string(),
  /** Whether the honeypot was filled in, or staff marked it as spam. */
  is_suspect: z.boolean(),
  state: z.enum(contactStates),
  created_at: instant,
  /** Oldest first. */
  answers: z.array(z.object({ id, author: z.string(), text: z.string(), created_at: instant })),
});
export type ContactMessage = z.input<typeof contactMessage>;

const messageInPath = z.object({ id });
const refusals = { 403: 'forbidden', 404: 'not-found' } as const;

export const contactApi = {
  'POST /contact': {
    summary: 'Sends a message to the shop; a duplicate within an hour is stored once',
    body: z.object({
      firstName: line(MAX_LENGTHS.firstName),
      lastName: line(MAX_LENGTHS.lastName),
      email: emailAddress,
      message: filledText(MAX_LENGTHS.message),
      /** Honeypot: hidden in the form, so people leave it empty. */
      subject: text(200).optional(),
      /** The same, in forms of the release before. */
      website: text(200).optional(),
    }),
    status: 201,
    response: z.object({ message: z.literal('success') }),
    failureMessage: 'The message was not sent',
    refusals: { 429: 'too-often' },
  },
  'GET /support/contact-messages': {
    summary:
      'Staff: contact messages, newest first, 25 a page; q is words of name, address or text, or their beginnings',
    query: z.object({
      /** `spam` lists messages marked as spam; every other choice leaves them out. Default: all. */
      state: z.enum([...contactStates, 'spam', 'not-spam']).optional(),
      q: text(200).optional(),
      page: queryInteger(1, 100_000).optional(),
    }),
    response: z.object({
      messages: z.array(contactMessage),
      total: z.int().nonnegative(),
      /** Whether more messages match the filters than the 10,000 that are counted and listed. */
      has_more: z.boolean(),
      page: z.int().positive(),
      /** Number of new messages that are not spam. */
      new: z.int().nonnegative(),
      /** Number of messages that are spam, by the honeypot or by staff. */
      spam: z.int().nonnegative(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/contact-messages/{id}': {
    summary: 'Staff: a contact message with its answers',
    params: messageInPath,
    response: z.object({ message: contactMessage }),
    refusals,
  },
  'POST /support/contact-messages/{id}/answers': {
    summary: 'Staff: answers by mail, unless the message was answered since the caller read it',
    params: messageInPath,
    body: z.object({
      text: filledText(MAX_LENGTHS.message),
      /** Id of the newest answer that the caller saw. */
      seen_answer_id: id.nullable(),
    }),
    status: 201,
    response: z.object({ message: contactMessage }),
    failureMessage: 'The answer was not sent',
    refusals: { ...refusals, 409: 'answered-meanwhile, spam' },
  },
  'POST /support/contact-messages/{id}/state': {
    summary: 'Staff: marks a message as done, or opens it again. Idempotent',
    params: messageInPath,
    body: z.object({ is_done: z.boolean() }),
    response: z.object({ message: contactMessage }),
    refusals,
  },
  'POST /support/contact-messages/{id}/spam': {
    summary: 'Staff: marks a message as spam, which is deleted after 30 days, or as no spam. Idempotent',
    params: messageInPath,
    body: z.object({ is_spam: z.boolean() }),
    response: z.object({ message: contactMessage }),
    refusals,
  },
  'DELETE /support/contact-messages/{id}': {
    summary: 'Staff: deletes a contact message with its answers',
    params: messageInPath,
    response: z.object({ message: z.literal('success') }),
    refusals,
  },
} as const satisfies Contract;
