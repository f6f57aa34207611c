import { z } from 'zod';
import { filledText, id, instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { ROLES } from '#src/shop/permissions.ts';

const role = z.enum(ROLES);
const member = z.object({
  id,
  username: z.string(),
  email: z.string(),
  role,
  has_second_factor: z.boolean(),
  /** The last call of a present session; null without one. */
  last_seen_at: instant.nullable(),
});
export type StaffMember = z.input<typeof member>;

export const teamApi = {
  'GET /staff': {
    summary: 'Owner: all members of the team, with role, second factor and last call',
    response: z.object({ staff: z.array(member) }),
    refusals: { 403: 'forbidden' },
  },
  'PUT /staff/role': {
    summary:
      'Owner: changes the role of an account, within 15 minutes of entering the password. The last owner can’t be removed',
    body: z.object({
      username: filledText(254),
      role,
      /** The role that the account is expected to have. */
      seen_role: role.optional(),
    }),
    response: z.object({ staff: z.array(member) }),
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found', 409: 'last-owner, other-role' },
  },
} as const satisfies Contract;
