import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { readChainStatus } from './chain-status.service.ts';
import type { ChainStatusSources } from './chain-status.service.ts';
import type { chainApi } from './contract.ts';
import type { Rescans } from './rescan.service.ts';

const rescanning: Limit = { points: 10, seconds: 60, by: 'caller' };

const notRescanned = {
  'above-tip': 'The chain has not reached this height yet',
  'too-long': 'That is more than a year of blocks. Choose a later start',
  'rescan-open': 'Another rescan is running. Wait for it, or stop it',
} as const;

export function createChainRoutes(
  payments: ChainStatusSources & { readonly rescans: Rescans },
): RoutesOf<typeof chainApi> {
  const { rescans } = payments;
  return {
    'GET /support/chain': {
      who: 'payments',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: () => readChainStatus(payments),
    },
    'POST /payments/rescans': {
      who: 'payments',
      limit: rescanning,
      handle: async ({ body, caller }) => {
        const requested = await rescans.request(body.from_height, toStaffActor(caller));
        return requested.ok
          ? { rescan: requested.rescan }
          : new Refusal(409, requested.reason, notRescanned[requested.reason]);
      },
    },
    'POST /payments/rescans/{id}/stop': {
      who: 'payments',
      limit: rescanning,
      handle: async ({ params, caller }) => {
        const rescan = await rescans.stop(params.id, toStaffActor(caller));
        return rescan === null ? createNotFound() : { rescan };
      },
    },
  };
}
