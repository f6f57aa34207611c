import { z } from 'zod';
import { filledText, id, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const role = z.enum(['customer', 'staff', 'owner']);
const member = z.object({ id, username: z.string(), email: z.string(), role });
export type StaffMember = z.input<typeof member>;

/** A day in UTC: 2026-03-01. */
const day = text(10)
  .regex(/^\d{4}-\d\d-\d\d$/, { message: 'must be YYYY-MM-DD' })
  .refine((written) => !Number.isNaN(Date.parse(`${written}T00:00:00Z`)), { message: 'is no day' });

const setting = z.object({
  name: z.string(),
  /** Secrets are masked; null where nothing is set and there is no default. */
  value: z.string().nullable(),
});
export type ShownSetting = z.input<typeof setting>;

export const ownerApi = {
  'GET /staff': {
    summary: 'Owner: everybody who is more than a customer',
    response: z.object({ staff: z.array(member) }),
    refusals: { 403: 'forbidden' },
  },
  'PUT /staff/role': {
    summary: 'Owner: gives an account a role, within 15 minutes of giving the password; the last owner stays one',
    body: z.object({ username: filledText(254), role }),
    response: z.object({ staff: z.array(member) }),
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found', 409: 'last-owner' },
  },
  'GET /settings': {
    summary: 'Owner: the settings in force, with secrets masked',
    response: z.object({ settings: z.array(setting) }),
    refusals: { 403: 'forbidden' },
  },
  'GET /exports/books': {
    summary:
      'Owner: the accounting export as CSV, of payments first seen on these days (UTC), within 15 minutes of giving the password',
    query: z.object({ from: day.optional(), to: day.optional() }),
    response: z.object({ filename: z.string(), csv: z.string() }),
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'too-large' },
  },
} as const satisfies Contract;
