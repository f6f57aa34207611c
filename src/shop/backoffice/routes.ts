import { notFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { backofficeApi } from './contract.ts';
import type { Backoffice } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };

export function backofficeRoutes(backoffice: Backoffice): RoutesOf<typeof backofficeApi> {
  return {
    'GET /payments/attention': {
      who: 'staff',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query }) => backoffice.attention(query.page ?? 1),
    },
    'GET /support/reservations': {
      who: 'staff',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query }) => backoffice.reservations(query.page ?? 1),
    },
    'GET /support/orders': {
      who: 'staff',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query: { page, ...filter } }) => backoffice.orders(filter, page ?? 1),
    },
    'GET /support/orders/{id}': {
      who: 'staff',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params }) => (await backoffice.order(params.id)) ?? notFound(),
    },
  };
}
