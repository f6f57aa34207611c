import { Download, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { salesApi } from './contract.ts';
import type { Sales } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const exporting: Limit = { points: 20, seconds: 60, by: 'caller' };

const createBadPeriod = (): Refusal =>
  new Refusal(400, 'bad-period', 'Choose a first day before the last one, at most ten years apart');

export function createSalesRoutes(sales: Sales): RoutesOf<typeof salesApi> {
  return {
    'GET /support/sales': {
      who: 'reports',
      limit: reading,
      handle: async ({ query: { by, ...period } }) => (await sales.readSales(period, by)) ?? createBadPeriod(),
    },
    'GET /support/sales/comparison': {
      who: 'reports',
      limit: reading,
      handle: ({ query: { days } }) => sales.readComparison(days ?? '1'),
    },
    'GET /support/sales/groups': {
      who: 'reports',
      limit: reading,
      handle: async ({ query: { group, ...period }, caller }) => {
        // No key reads what units cost, as no key reads the costs of a product.
        const isPerson = caller.identity.apiKey === undefined;
        return (await sales.readGroups(period, group, { withMargins: isPerson })) ?? createBadPeriod();
      },
    },
    'GET /support/stock-value': { who: 'reports', limit: reading, handle: () => sales.readStockValue() },
    'GET /exports/sales': {
      who: 'report-exports',
      limit: exporting,
      handle: async ({ query: { by, group, ...period }, caller }) => {
        const found = sales.exportSales(period, { by, group }, caller.getAbortSignal?.());
        return found === null ? createBadPeriod() : new Download(found.name, 'text/csv; charset=utf-8', found.lines);
      },
    },
  };
}
