import { z } from 'zod';
import type { Contract } from '#src/shop/codecs.ts';

/** Of a downloaded backup, in characters. */
const MIN_PASSPHRASE = 12;
const MAX_PASSPHRASE = 200;

const bytes = z.int().nonnegative();
const system = z.object({
  /** Of the shop. */
  version: z.string(),
  /** Newest migration of the database. */
  schema: z.object({ number: z.int().positive(), name: z.string() }),
  node: z.string(),
  /** Such as `linux x64`. */
  platform: z.string(),
  postgres: z.string(),
  database_bytes: bytes,
  network: z.string(),
  chain_source: z.string(),
  /** Of the file system with DATA_DIR; null if it can't be measured. */
  disk: z.object({ free_bytes: bytes, total_bytes: bytes }).nullable(),
  /** Since when the process that answers runs, in seconds. */
  uptime_s: z.int().nonnegative(),
});
export type SystemState = z.input<typeof system>;

export const systemApi = {
  'GET /support/system': {
    summary: 'Owner: versions of the shop and of what it runs on, sizes of database and disk. No secrets',
    response: system,
    refusals: { 403: 'forbidden' },
  },
  'POST /exports/backup': {
    summary:
      'Owner: a consistent backup of the database, encrypted with the passphrase, within 15 minutes of entering the password. One at a time; "npm run db -- restore" reads it',
    body: z.object({
      passphrase: z
        .string()
        .max(MAX_PASSPHRASE, { message: `must have at most ${MAX_PASSPHRASE} characters` })
        .refine((text) => text.trim().length >= MIN_PASSPHRASE, {
          message: `must have at least ${MIN_PASSPHRASE} characters`,
        }),
    }),
    response: z.string(),
    responseType: 'backup',
    failureMessage: 'The backup was not made',
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'backup-running' },
  },
} as const satisfies Contract;
