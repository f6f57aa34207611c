import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { AccountBlocks, BlockResult } from './blocks.service.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { customersApi } from './contract.ts';
import type { Customers } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const changing: Limit = { points: 60, seconds: 60, by: 'caller' };

const respond = (changed: BlockResult) => {
  if (changed.ok) return { message: 'success' as const };
  return changed.reason === 'staff'
    ? new Refusal(409, 'staff', 'This is an account of staff. Remove its role first')
    : createNotFound();
};

export function createCustomerRoutes(customers: Customers, blocks: AccountBlocks): RoutesOf<typeof customersApi> {
  return {
    'GET /support/customers': {
      who: 'customers',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query: { q = '', show = null, sort = 'newest', page = 1 } }) =>
        customers.list({ q, show, sort }, page),
    },
    'POST /support/customers/{id}/block': {
      who: 'customer-changes',
      limit: changing,
      handle: async ({ params, caller }) => respond(await blocks.block(params.id, toStaffActor(caller))),
    },
    'POST /support/customers/{id}/unblock': {
      who: 'customer-changes',
      limit: changing,
      handle: async ({ params, caller }) => respond(await blocks.unblock(params.id, toStaffActor(caller))),
    },
    'POST /support/customers/{id}/end-sessions': {
      who: 'customer-changes',
      limit: changing,
      handle: async ({ params, caller }) => respond(await blocks.endSessions(params.id, toStaffActor(caller))),
    },
  };
}
