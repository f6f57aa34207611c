import { createNotFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { staffOrderApi } from './contract.ts';
import { mayAct } from '#src/shop/permissions.ts';
import type { StaffOrders } from './service.ts';

export const createStaffOrderRoutes = (orders: StaffOrders): RoutesOf<typeof staffOrderApi> => ({
  'GET /support/orders/{id}': {
    who: 'orders',
    hasPersonalData: true,
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: async ({ caller: { identity }, params }) => {
      // An API key that reads orders reads no tickets.
      const hasTickets = identity.apiKey === undefined && mayAct(identity, 'support');
      return (await orders.find(params.id, { hasTickets })) ?? createNotFound();
    },
  },
});
