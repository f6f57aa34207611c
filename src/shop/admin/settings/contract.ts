import { z } from 'zod';
import { instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { setupSteps } from './setup-checklist.ts';

const part = z.object({
  name: z.enum(['database', 'disk', 'chain', 'rate', 'mail', 'jobs']),
  is_ok: z.boolean(),
  state: z.string(),
  /** When it last worked, or since when it fails; null if unknown. */
  at: instant.nullable(),
  /** Since when it works or fails; the same in all processes once it is recorded. */
  since: instant,
});
export type PartHealth = z.input<typeof part>;

const step = z.object({ step: z.enum(setupSteps), is_done: z.boolean() });
export type SetupStepState = z.input<typeof step>;

export const adminSettingsApi = {
  'GET /support/health': {
    summary: 'Staff: state of database, disk, chain source, rate, mail and jobs, with since when',
    response: z.object({ parts: z.array(part) }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/setup': {
    summary: 'Staff: what a live shop still needs before its first sale. Empty for a demo shop',
    response: z.object({ steps: z.array(step), is_complete: z.boolean() }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
