import { notFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { refundsApi } from './contract.ts';
import type { AddressSet, Refunds } from './service.ts';

const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

type NotSet = Extract<AddressSet, { ok: false }>['reason'];
const notSet: Readonly<Record<NotSet, (words: string) => Refusal>> = {
  'not-found': notFound,
  refunded: () => new Refusal(409, 'refunded', 'This order has been refunded'),
  'invalid-address': (words) => new Refusal(400, 'invalid-address', words, { fields: { address: words } }),
};

export function refundRoutes(refunds: Refunds): RoutesOf<typeof refundsApi> {
  return {
    'PUT /orders/{id}/refund-address': {
      who: 'user',
      limit: { points: 30, seconds: 3600, by: 'caller', isShared: true },
      handle: async ({ params, body, caller }) => {
        const set = await refunds.setAddress(caller.identity.userId, params.id, body.address);
        return set.ok ? { order: set.order } : notSet[set.reason](set.words ?? '');
      },
    },
    'GET /orders/{id}/refund-address': {
      who: 'user',
      limit: { points: 60, seconds: 10, by: 'caller' },
      handle: async ({ params, caller }) => (await refunds.addressOf(caller.identity.userId, params.id)) ?? notFound(),
    },
    'POST /orders/{id}/refund-address/resend': {
      who: 'user',
      limit: { points: 5, seconds: 3600, by: 'caller', isShared: true },
      handle: async ({ params, caller }) => {
        const named = await refunds.resend(caller.identity.userId, params.id);
        if (named === null) return notFound();
        return named.address === null ? new Refusal(409, 'no-address', 'There is no address to confirm yet') : named;
      },
    },
    'POST /refund-addresses/confirm': {
      who: 'anyone',
      limit: { ...changing, by: 'ip' },
      handle: async ({ body: { token } }) => {
        switch (await refunds.confirmAddress(token)) {
          case 'confirmed':
            return { message: 'success' };
          case 'address-changed':
            return new Refusal(409, 'address-changed', 'Another address has been named since: nothing was confirmed');
          default:
            return new Refusal(400, 'invalid-link', 'This link is not valid any more');
        }
      },
    },
  };
}
