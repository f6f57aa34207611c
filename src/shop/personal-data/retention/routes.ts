import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { retentionApi } from './contract.ts';
import type { Retention } from './service.ts';

export const createRetentionRoutes = (retention: Retention): RoutesOf<typeof retentionApi> => ({
  'GET /shop/retention': {
    who: 'settings',
    limit: { points: 30, seconds: 60, by: 'caller' },
    handle: ({ query }) => retention.preview(query),
  },
});
