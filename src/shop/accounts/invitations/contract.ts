import { z } from 'zod';
import { filledText, id, instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { STAFF_ROLES } from '#src/shop/permissions.ts';
import { MIN_STAFF_PASSWORD_LENGTH } from '../registration/check-password.ts';
import { emailAddress } from '../contract.ts';

const role = z.enum(STAFF_ROLES);
const token = text(100);

const invitation = z.object({
  id,
  email: z.string(),
  role,
  /** Username of the owner who sent it last. */
  invited_by: z.string(),
  sent_at: instant,
  expires_at: instant,
  /** Its link no longer works until it is sent again: seven days passed, or its sender is no owner any more. */
  is_expired: z.boolean(),
});
export type ShownInvitation = z.input<typeof invitation>;
const invitations = z.object({ invitations: z.array(invitation) });

export const invitationsApi = {
  'GET /staff/invitations': {
    summary: 'Owner: invitations that are neither accepted nor withdrawn, newest first',
    response: invitations,
    refusals: { 403: 'forbidden' },
  },
  'POST /staff/invitations': {
    summary: 'Owner: invites an email address to the team, within 15 minutes of entering the password',
    body: z.object({
      email: emailAddress,
      role,
    }),
    status: 201,
    response: invitations,
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'already-invited, already-member', 429: 'too-often' },
  },
  'POST /staff/invitations/{id}/resend': {
    summary: 'Owner: sends a new link, valid for seven days. The former one stops working',
    params: z.object({ id }),
    response: invitations,
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found', 429: 'too-often' },
  },
  'DELETE /staff/invitations/{id}': {
    summary: 'Owner: withdraws an invitation',
    params: z.object({ id }),
    response: invitations,
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found' },
  },
  'POST /invitations/read': {
    summary: 'Returns the invitation of a link',
    body: z.object({ token }),
    response: z.object({ state: z.enum(['open', 'used', 'expired', 'withdrawn']), email: z.string(), role }),
    refusals: { 404: 'not-found' },
  },
  'POST /invitations/accept': {
    summary: 'Accepts an invitation with the account of its address, whose sessions end',
    body: z.object({ token }),
    response: z.object({ role }),
    refusals: { 403: 'other-account', 404: 'not-found', 409: 'already-member, invitation-closed' },
  },
  'POST /invitations/register': {
    summary: 'Creates an account with the address of an invitation, and accepts it',
    body: z.object({
      token,
      username: filledText(60),
      password: text(128).min(MIN_STAFF_PASSWORD_LENGTH, {
        message: `must be at least ${MIN_STAFF_PASSWORD_LENGTH} characters`,
      }),
    }),
    status: 201,
    response: z.object({ username: z.string() }),
    hasErrorMessage: true,
    failureMessage: 'Registration failed',
    refusals: { 404: 'not-found', 409: 'invitation-closed, taken' },
  },
} as const satisfies Contract;
