import { z } from 'zod';
import type { Contract } from '#src/shop/codecs.ts';

const setting = z.object({
  name: z.string(),
  /** Secrets are masked. Null: not set, and no default. */
  value: z.string().nullable(),
});
export type ShownSetting = z.input<typeof setting>;

export const environmentApi = {
  'GET /settings': {
    summary: 'Owner: the settings in use, with secrets masked',
    response: z.object({ settings: z.array(setting) }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
