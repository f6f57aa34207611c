import { z } from 'zod';
import { auditSubjectKinds } from '../audit-entry.ts';
import { id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

/** A day of the shop's time zone, such as 2026-03-01. */
const day = z.iso.date();

const filter = {
  /** Beginnings of words of names and values (one letter is a whole word), or of the id of a subject; or the number of an order or ticket. */
  q: text(200).optional(),
  /** Id of an account or API key, `api-key` for all keys, or `command` for changes from the command line. */
  actor: z.union([id, z.literal('command'), z.literal('api-key')]).optional(),
  kind: z.enum(auditSubjectKinds).optional(),
  from: day.optional(),
  /** Inclusive. */
  to: day.optional(),
};

const entry = z.object({
  /** Position in the log. */
  id: z.string(),
  at: instant,
  action: z.string(),
  /** The action in plain English. */
  title: z.string(),
  /** Null: erased after the retention period. */
  actor: z.string().nullable(),
  ip: z.string().nullable(),
  subject: z.object({
    kind: z.enum(auditSubjectKinds),
    id: z.string(),
    /** An order or ticket with its number, a code or the name of a product. */
    name: z.string(),
    /** Page of the back office; null if there is none. */
    path: z.string().nullable(),
  }),
  changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  /** The changes were erased with a customer, or all details after the retention period. */
  is_erased: z.boolean(),
});
export type ShownAuditEntry = z.input<typeof entry>;

export const auditApi = {
  'GET /support/audit': {
    summary: 'Staff: the audit log, newest first',
    query: z.object({ ...filter, page: queryInteger(1, 100_000).optional() }),
    response: z.object({
      entries: z.array(entry),
      total: z.int().nonnegative(),
      /** Whether more entries match the filters than the 10,000 that are counted and listed. */
      has_more: z.boolean(),
      page: z.int().positive(),
      /** Present members of the team, for the filter. */
      actors: z.array(z.object({ id, username: z.string() })),
      /** Of the days: an IANA name. */
      time_zone: z.string(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /exports/audit': {
    summary: 'Owner: the audit log as CSV, oldest first, within 15 minutes of entering the password',
    query: z.object(filter),
    response: z.string(),
    responseType: 'csv',
    refusals: { 401: 'reauth', 403: 'forbidden' },
  },
} as const satisfies Contract;
