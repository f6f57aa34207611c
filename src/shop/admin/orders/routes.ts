import { createNotFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { staffOrderApi } from './contract.ts';
import type { StaffOrders } from './service.ts';

export const createStaffOrderRoutes = (orders: StaffOrders): RoutesOf<typeof staffOrderApi> => ({
  'GET /support/orders/{id}': {
    who: 'orders',
    hasPersonalData: true,
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: async ({ caller, params }) => (await orders.find(params.id, caller.identity)) ?? createNotFound(),
  },
});
