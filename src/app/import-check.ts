import { z } from 'zod';
import { unknownWeightRules } from '#src/shop/shipping/compute-shipping.ts';

/** What the process of a check gets. */
export const importCheck = z.object({
  connection: z.record(z.string(), z.unknown()),
  importId: z.uuid(),
  origin: z.string(),
  initialStock: z.int().nullable(),
  unknownWeight: z.enum(unknownWeightRules).nullable(),
  now: z.iso.datetime(),
});

/** What it returns. */
export const importOutcome = z.object({ outcome: z.enum(['stored', 'cancelled']) });
