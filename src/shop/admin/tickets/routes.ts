import { createNotFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { staffTicketsApi } from './contract.ts';
import type { TicketsAdmin } from './service.ts';

export const createStaffTicketRoutes = (tickets: TicketsAdmin): RoutesOf<typeof staffTicketsApi> => ({
  'GET /support/tickets/{id}': {
    who: 'support',
    hasPersonalData: true,
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: async ({ params }) => (await tickets.find(params.id)) ?? createNotFound(),
  },
});
