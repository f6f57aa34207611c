import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { staffTasksApi } from './contract.ts';
import type { StaffTasks } from './service.ts';

export const createStaffTaskRoutes = (tasks: StaffTasks): RoutesOf<typeof staffTasksApi> => ({
  'GET /payments/attention': {
    who: 'payments',
    hasPersonalData: true,
    limit: { points: 120, seconds: 60, by: 'caller' },
    handle: ({ query }) => tasks.list(query.page ?? 1),
  },
});
