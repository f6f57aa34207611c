import { z } from 'zod';
import { text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

/** A day of the shop's time zone, such as 2026-03-01. */
const day = text(10)
  .regex(/^\d{4}-\d\d-\d\d$/, { message: 'must be YYYY-MM-DD' })
  .refine((written) => !Number.isNaN(Date.parse(`${written}T00:00:00Z`)), { message: 'is not a date' });

export const accountingExportApi = {
  'GET /exports/books': {
    summary:
      'Owner: the accounting export as CSV, by the day of the first sighting in the shop’s time zone, within 15 minutes of entering the password',
    query: z.object({ from: day.optional(), to: day.optional() }),
    response: z.object({ filename: z.string(), csv: z.string() }),
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'too-large' },
  },
} as const satisfies Contract;
