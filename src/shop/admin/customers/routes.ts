import { createNotFound } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { customerPageApi } from './contract.ts';
import type { CustomerPages } from './service.ts';

export const createCustomerPageRoutes = (pages: CustomerPages): RoutesOf<typeof customerPageApi> => ({
  'GET /support/customers/{id}': {
    who: 'customers',
    hasPersonalData: true,
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: async ({ params }) => (await pages.find(params.id)) ?? createNotFound(),
  },
});
