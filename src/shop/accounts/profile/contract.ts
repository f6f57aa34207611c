import { z } from 'zod';
import { EMAIL_PATTERN, MIN_PASSWORD_LENGTH } from '../registration/check-registration.ts';
import { user } from '../contract.ts';
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
      'Changes one’s own name, address or password; address and password within 15 minutes of giving the password',
    params: z.object({ id }),
    body: z.object({
      username: filledText(60).optional(),
      email: filledText(254).regex(EMAIL_PATTERN, { message: 'is not a valid email address' }).optional(),
      /** Empty: it stays as it is. */
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
    summary: 'Gives the password once more, for the session that asks',
    body: z.object({ password: text(128) }),
    response: success,
    refusals: { 403: 'wrong-password' },
  },
  'GET /users/email-confirmation': {
    summary: 'Whether the user’s address was confirmed',
    response: z.object({ email: z.string(), is_confirmed: z.boolean() }),
  },
  'POST /users/send-confirmation': {
    summary: 'Sends the link that confirms the address once more, unless it is confirmed',
    response: z.object({ is_confirmed: z.boolean() }),
  },
  'POST /users/confirm-email': {
    summary: 'Confirms an address by the token in its link',
    body: z.object({ token: text(100) }),
    response: success,
    refusals: { 400: 'invalid-link' },
  },
  'GET /users/sessions': {
    summary: 'Where the user is signed in, the latest first',
    response: z.object({ sessions: z.array(sessionSummary) }),
  },
  'DELETE /users/sessions/{id}': {
    summary: 'Ends one of the user’s sessions',
    params: z.object({ id }),
    response: success,
    refusals: { 404: 'not-found' },
  },
  'DELETE /users/sessions': {
    summary: 'Ends all of the user’s sessions but the one that asks',
    response: z.object({ ended: z.int() }),
  },
} as const satisfies Contract;
