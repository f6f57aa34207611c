import { z } from 'zod';
import { filledText, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MIN_STAFF_PASSWORD_LENGTH } from '../registration/check-password.ts';
import { emailAddress } from '../contract.ts';

const token = text(100);

export const firstOwnerApi = {
  'POST /first-owner/read': {
    summary: 'Checks the link that a live shop without an owner prints at its start',
    body: z.object({ token }),
    response: z.object({ message: z.string() }),
    refusals: { 404: 'not-found' },
  },
  'POST /first-owner/register': {
    summary: 'Creates the first owner of the shop, and uses the link up',
    body: z.object({
      token,
      username: filledText(60),
      email: emailAddress,
      password: text(128).min(MIN_STAFF_PASSWORD_LENGTH, {
        message: `must be at least ${MIN_STAFF_PASSWORD_LENGTH} characters`,
      }),
    }),
    status: 201,
    response: z.object({ username: z.string() }),
    hasErrorMessage: true,
    failureMessage: 'Registration failed',
    refusals: { 404: 'not-found', 409: 'taken' },
  },
} as const satisfies Contract;
