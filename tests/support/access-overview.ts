/** Rows of the access table for the first page, figures, health and backups. */
import { areaOnly, ownerOnly, staffOnly, teamOnly } from './access-rows.ts';

export const OVERVIEW_ROWS = {
  'GET /support/health': staffOnly(200),
  'GET /support/setup': staffOnly(200),
  'GET /support/system': ownerOnly(200),
  'POST /exports/backup': ownerOnly(200, () => ({ body: { passphrase: 'a long passphrase' } })),
  'GET /support/todo': teamOnly(200),
  'GET /support/sales': staffOnly(200, () => ({ path: '/support/sales?from=2026-03-01&to=2026-03-31' })),
  'GET /support/sales/comparison': staffOnly(200),
  'GET /support/sales/groups': staffOnly(200, () => ({
    path: '/support/sales/groups?from=2026-03-01&to=2026-03-31&group=product',
  })),
  'GET /support/stock-value': staffOnly(200),
  'GET /exports/sales': staffOnly(200, () => ({ path: '/exports/sales?from=2026-03-01&to=2026-03-31' })),
  'GET /support/recent-orders': areaOnly('orders', 200),
};
