import { z } from 'zod';
import { MIN_PASSWORD_LENGTH } from '../registration/check-registration.ts';
import { emailAddress, user } from '../contract.ts';
import { filledText, id, instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const success = z.object({ message: z.literal('success') });

const sessionSummary = z.object({
  id,
  device: z.string(),
  created_at: instant,
  last_seen_at: instant,
  is_current: z.boolean(),
});
export type SessionSummary = z.input<typeof sessionSummary>;

export const profileApi = {
  'PUT /users/{id}': {
    summary:
      'Changes username, email address or password of the caller; the latter two within 15 minutes of reauthentication',
    params: z.object({ id }),
    body: z.object({
      username: filledText(60).optional(),
      email: emailAddress.optional(),
      /** Empty means unchanged. */
      password: text(128)
        .refine((password) => password === '' || password.length >= MIN_PASSWORD_LENGTH, {
          message: `must be at least ${MIN_PASSWORD_LENGTH} characters`,
        })
        .optional(),
    }),
    response: user,
    failureMessage: 'Update failed',
    refusals: { 401: 'reauth', 404: 'not-found', 409: 'taken' },
  },
  'POST /users/reauthenticate': {
    summary: 'Checks the password again for the current session, which ends with the tenth wrong one in a row',
    body: z.object({ password: text(128) }),
    response: success,
    refusals: { 401: 'session-ended, unauthenticated', 403: 'wrong-password' },
  },
  'GET /users/email-confirmation': {
    summary: 'Returns whether the email address is confirmed',
    response: z.object({ email: z.string(), is_confirmed: z.boolean() }),
  },
  'POST /users/send-confirmation': {
    summary:
      'Requests the confirmation link again unless the address is confirmed. A mailbox gets six a day, from all accounts that name it; beyond that the response is the same',
    response: z.object({ is_confirmed: z.boolean() }),
  },
  'POST /users/confirm-email': {
    summary: 'Confirms an email address by the token of the link',
    body: z.object({ token: text(100) }),
    response: success,
    refusals: { 400: 'invalid-link' },
  },
  'GET /users/sessions': {
    summary: 'Lists the sessions of the user, newest first',
    response: z.object({ sessions: z.array(sessionSummary) }),
  },
  'DELETE /users/sessions/{id}': {
    summary: 'Ends one session of the user',
    params: z.object({ id }),
    response: success,
    refusals: { 404: 'not-found' },
  },
  'DELETE /users/sessions': {
    summary: 'Ends all other sessions of the user',
    response: z.object({ ended: z.int() }),
  },
} as const satisfies Contract;
