import { z } from 'zod';
import { filledText, id, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { foldTyped } from '#src/shop/fold-typed.ts';
import { EMAIL_PATTERN, isEmail, MIN_PASSWORD_LENGTH } from './registration/check-registration.ts';

export const user = z.object({
  id,
  username: z.string(),
  email: z.string(),
  tickets: z.array(id),
  orders: z.array(id),
  /** All roles of the team but owner are shown as staff (API-13). */
  role: z.enum(['customer', 'staff', 'owner']),
});
export type User = z.input<typeof user>;

const NO_EMAIL = { message: 'is not a valid email address' };
/** A typed or pasted address that mails can be sent to. */
export const emailAddress = text(254)
  .overwrite(foldTyped)
  .min(1, { message: 'is required' })
  .regex(EMAIL_PATTERN, NO_EMAIL)
  .refine(isEmail, NO_EMAIL);

const success = z.object({ message: z.literal('success') });

export const accountsApi = {
  'POST /users/register': {
    summary: 'Creates an account',
    body: z.object({
      username: filledText(60),
      email: emailAddress,
      password: text(128).min(MIN_PASSWORD_LENGTH, { message: `must be at least ${MIN_PASSWORD_LENGTH} characters` }),
    }),
    status: 201,
    response: success,
    hasErrorMessage: true,
    failureMessage: 'Registration failed',
    refusals: { 409: 'taken' },
  },
  'POST /users/login': {
    summary: 'Logs in and merges the guest cart into the cart of the account',
    body: z.object({ username: text(254), password: text(128) }),
    response: z.object({ user, tokens: z.object({ accessToken: z.string() }), cart_preserved: z.boolean() }),
    failureMessage: 'Login failed',
    refusals: { 401: 'invalid-credentials, second-factor', 403: 'blocked' },
  },
  'POST /users/logout': { summary: 'Ends the session', response: success },
  'GET /users/user': { summary: 'Returns the logged-in user', response: user, refusals: { 401: 'unauthenticated' } },
} as const satisfies Contract;
