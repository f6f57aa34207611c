import { z } from 'zod';
import { instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { user } from '../contract.ts';

const code = text(64);
const recoveryCodes = z.object({
  /** Shown once: only their hashes are stored. */
  recovery_codes: z.array(z.string()),
});

export const secondFactorApi = {
  'POST /users/login/second-factor': {
    summary:
      'Completes a login with a code of the authenticator app, or with a recovery code. The cookie `pending_login` of POST /users/login says whose login it is',
    body: z.object({ code }),
    response: z.object({ user, tokens: z.object({ accessToken: z.string() }), cart_preserved: z.boolean() }),
    failureMessage: 'Login failed',
    refusals: { 401: 'login-expired, wrong-code' },
  },
  'GET /second-factor': {
    summary: 'Team: the state of the caller’s own second factor',
    response: z.object({
      /** Null: there is none. */
      confirmed_at: instant.nullable(),
      recovery_codes_left: z.int().nonnegative(),
      /** The back office is closed until one is set up. */
      is_required: z.boolean(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'POST /second-factor': {
    summary:
      'Team: creates the secret of an authenticator app, within 15 minutes of entering the password. It takes effect when a code confirms it',
    response: z.object({
      /** Base32, to type. */
      secret: z.string(),
      /** For a QR code. */
      uri: z.string(),
    }),
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'already-set-up' },
  },
  'POST /second-factor/confirm': {
    summary: 'Team: turns the second factor on with a first code, and ends all other sessions',
    body: z.object({ code }),
    response: recoveryCodes,
    refusals: { 400: 'wrong-code', 401: 'reauth', 403: 'forbidden', 409: 'not-started' },
  },
  'POST /second-factor/recovery-codes': {
    summary: 'Team: replaces all recovery codes, with a code of the app or a recovery code',
    body: z.object({ code }),
    response: recoveryCodes,
    refusals: { 400: 'wrong-code', 401: 'reauth', 403: 'forbidden', 409: 'not-set-up' },
  },
  'POST /second-factor/remove': {
    summary: 'Team: removes the second factor, with a code of the app or a recovery code',
    body: z.object({ code }),
    response: z.object({ message: z.literal('success') }),
    refusals: { 400: 'wrong-code', 401: 'reauth', 403: 'forbidden', 409: 'not-set-up' },
  },
} as const satisfies Contract;
