import { createNotFound, Download, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { adminApi } from './contract.ts';
import type { ChainAdmin } from './chain/service.ts';
import type { OrderExport } from './orders/export.service.ts';
import type { Admin } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
/** Each call makes about a dozen requests to the node. */
const lookingUp: Limit = { points: 30, seconds: 60, by: 'caller' };
const rescanning: Limit = { points: 10, seconds: 60, by: 'caller' };

const notRescanned = {
  'above-tip': 'The chain has not reached this height yet',
  'too-long': 'That is more than a year of blocks. Choose a later start',
  'rescan-open': 'Another rescan is running. Wait for it, or stop it',
} as const;

export interface AdminServices {
  readonly admin: Admin;
  readonly chainAdmin: ChainAdmin;
  readonly orderExport: OrderExport;
  readonly payments: Pick<Payments, 'rescans'>;
}

export function createAdminRoutes({
  admin,
  chainAdmin,
  orderExport,
  payments: { rescans },
}: AdminServices): RoutesOf<typeof adminApi> {
  return {
    'GET /support/chain': {
      who: 'payments',
      limit: reading,
      handle: () => chainAdmin.readStatus(),
    },
    'GET /payments/transactions/{txid}': {
      who: 'payments',
      hasPersonalData: true,
      limit: lookingUp,
      handle: ({ params }) => chainAdmin.lookUp(params.txid.toLowerCase()),
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
    'GET /payments/attention': {
      who: 'payments',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query }) => admin.listStaffTasks(query.page ?? 1),
    },
    'GET /support/reservations': {
      who: 'stock',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query }) => admin.listReservations(query.page ?? 1),
    },
    'GET /support/orders': {
      who: 'orders',
      hasPersonalData: true,
      limit: reading,
      handle: ({ query: { page, ...filter } }) => admin.listOrders(filter, page ?? 1),
    },
    'GET /exports/orders': {
      who: 'report-exports',
      hasPersonalData: true,
      // Each export reads all orders of its days.
      limit: { points: 10, seconds: 60, by: 'caller', isShared: true },
      handle: async ({ query, caller }) => {
        const { name, pieces } = await orderExport.exportOrders(query, toStaffActor(caller), caller.getAbortSignal?.());
        return new Download(name, 'text/csv; charset=utf-8', pieces);
      },
    },
    'GET /support/orders/{id}': {
      who: 'orders',
      hasPersonalData: true,
      limit: reading,
      handle: async ({ params }) => (await admin.findOrder(params.id)) ?? createNotFound(),
    },
  };
}
