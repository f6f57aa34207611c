import { z } from 'zod';
import { filledText, id, instant, text } from '#src/shop/codecs.ts';
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

/** A day of the shop's time zone, such as 2026-03-01. */
const day = text(10)
  .regex(/^\d{4}-\d\d-\d\d$/, { message: 'must be YYYY-MM-DD' })
  .refine((written) => !Number.isNaN(Date.parse(`${written}T00:00:00Z`)), { message: 'is not a date' });

const setting = z.object({
  name: z.string(),
  /** Secrets are masked. Null: not set, and no default. */
  value: z.string().nullable(),
});
export type ShownSetting = z.input<typeof setting>;

export const ownerApi = {
  'GET /staff': {
    summary: 'Owner: all members of the team, with role, second factor and last call',
    response: z.object({ staff: z.array(member) }),
    refusals: { 403: 'forbidden' },
  },
  'PUT /staff/role': {
    summary:
      'Owner: changes the role of an account, within 15 minutes of entering the password. The last owner can’t be removed',
    body: z.object({ username: filledText(254), role }),
    response: z.object({ staff: z.array(member) }),
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found', 409: 'last-owner' },
  },
  'GET /settings': {
    summary: 'Owner: the settings in use, with secrets masked',
    response: z.object({ settings: z.array(setting) }),
    refusals: { 403: 'forbidden' },
  },
  'GET /exports/books': {
    summary:
      'Owner: the accounting export as CSV, by the day of the first sighting in the shop’s time zone, within 15 minutes of entering the password',
    query: z.object({ from: day.optional(), to: day.optional() }),
    response: z.object({ filename: z.string(), csv: z.string() }),
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'too-large' },
  },
} as const satisfies Contract;
