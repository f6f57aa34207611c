import { z } from 'zod';
import { emailAddress } from '../contract.ts';
import { MIN_PASSWORD_LENGTH } from '../registration/check-registration.ts';
import { text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const success = z.object({ message: z.literal('success') });

export const passwordResetApi = {
  'POST /users/request-password-reset': {
    summary: 'Sends a code to the email address of an account; the response is the same without an account',
    body: z.object({ email: emailAddress }),
    response: success,
    failureMessage: 'The code was not sent',
    refusals: { 429: 'too-often' },
  },
  'POST /users/reset-password': {
    summary: 'Sets a new password and ends all sessions. A code works once, for 10 minutes and 5 attempts',
    body: z.object({
      email: emailAddress,
      code: text(40),
      newPassword: text(128).min(MIN_PASSWORD_LENGTH, {
        message: `must be at least ${MIN_PASSWORD_LENGTH} characters`,
      }),
    }),
    response: success,
    failureMessage: 'The password was not reset',
    refusals: { 400: 'invalid-code' },
  },
} as const satisfies Contract;
