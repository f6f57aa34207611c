import { z } from 'zod';
import { id, instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { limitationKinds } from './source-limitations.ts';

/**
 * Whether the chain source responds. While it does not, no order expires and payments appear later.
 */
export const chain = z.enum(['up', 'down']);

const height = z.int().nonnegative();

const rescan = z.object({
  id,
  from_height: height,
  to_height: height,
  /** Height of the next block to read. */
  next_height: height,
  /** Last pruned block; null if the node had all blocks. */
  unread_until: height.nullable(),
  /** Number of payments that the ledger lacked. */
  found: z.int().nonnegative(),
  state: z.enum(['open', 'done', 'stopped']),
  /** Why the rescan is paused. */
  problem: z.string().nullable(),
  by: z.string(),
  asked_at: instant,
  ended_at: instant.nullable(),
});
export type ShownRescan = z.input<typeof rescan>;

export const chainApi = {
  'GET /support/chain': {
    summary: 'Staff: status of the chain sync, limits of the node’s settings, and the newest rescans',
    response: z.object({
      chain,
      tip_height: height.nullable(),
      tip_at: instant.nullable(),
      reconciled_at: instant.nullable(),
      limitations: z.array(z.enum(limitationKinds)),
      rescans: z.array(rescan),
    }),
    refusals: { 403: 'forbidden' },
  },
  'POST /payments/rescans': {
    summary:
      'Staff: rescans the blocks from a height to the tip for missing payments. Repeated while it runs, it returns the same rescan',
    body: z.object({ from_height: z.int().min(0).max(2_147_483_647) }),
    response: z.object({ rescan }),
    refusals: { 403: 'forbidden', 409: 'above-tip, too-long, rescan-open' },
  },
  'POST /payments/rescans/{id}/stop': {
    summary: 'Staff: stops a rescan. Payments that it found stay. Idempotent',
    params: z.object({ id }),
    response: z.object({ rescan }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
