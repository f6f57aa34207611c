import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { overviewApi } from './contract.ts';
import type { Overview } from './service.ts';

const reading: Limit = { points: 240, seconds: 60, by: 'caller' };

export function createOverviewRoutes(overview: Overview): RoutesOf<typeof overviewApi> {
  return {
    'GET /support/todo': { who: 'back-office', limit: reading, handle: () => overview.readTodo() },
  };
}
