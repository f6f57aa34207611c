import { Download } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { orderListApi } from './contract.ts';
import type { OrderExport } from './export.service.ts';
import type { OrderList } from './service.ts';

export const createOrderListRoutes = (list: OrderList, orderExport: OrderExport): RoutesOf<typeof orderListApi> => ({
  'GET /support/orders': {
    who: 'orders',
    hasPersonalData: true,
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: ({ query: { page, sort, ...filter } }) => list.list(filter, { page: page ?? 1, sort: sort ?? null }),
  },
  'GET /support/recent-orders': {
    who: 'orders',
    limit: { points: 240, seconds: 60, by: 'caller' },
    handle: async () => ({ orders: await list.listNewest() }),
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
});
