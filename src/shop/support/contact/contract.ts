import { z } from 'zod';
import { EMAIL_PATTERN } from '#src/shop/accounts/registration/check-registration.ts';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_LENGTHS } from './check-message.ts';

/** One line, since it may be used in a mail header. */
const line = (maximum: number) =>
  filledText(maximum).regex(/^\P{Cc}*$/u, { message: 'contains characters that are not allowed' });

export const contactApi = {
  'POST /contact': {
    summary: 'Sends a message to the shop; a duplicate within an hour is stored once',
    body: z.object({
      firstName: line(MAX_LENGTHS.firstName),
      lastName: line(MAX_LENGTHS.lastName),
      email: line(MAX_LENGTHS.email).regex(EMAIL_PATTERN, { message: 'is not a valid email address' }),
      message: filledText(MAX_LENGTHS.message),
      /** Honeypot: hidden in the form, so people leave it empty. */
      website: text(200).optional(),
    }),
    status: 201,
    response: z.object({ message: z.literal('success') }),
    failureMessage: 'The message was not sent',
    refusals: { 429: 'too-often' },
  },
  'GET /support/contact-messages': {
    summary: 'Staff: contact messages, newest first, 25 a page',
    query: z.object({ page: queryInteger(1, 100_000).optional() }),
    response: z.object({
      messages: z.array(
        z.object({
          id,
          firstName: z.string(),
          lastName: z.string(),
          email: z.string(),
          message: z.string(),
          /** Whether the honeypot was filled in. */
          is_suspect: z.boolean(),
          created_at: instant,
        }),
      ),
      total: z.int().nonnegative(),
      page: z.int().positive(),
    }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
