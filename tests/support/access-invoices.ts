/** Rows of the access table for invoices. */
import { ABSENT_ID } from './access-callers.ts';
import { areaOnly, orderInPath, ownerOnly, plain, staffOnly, usersOnly } from './access-rows.ts';

export const INVOICE_ROWS = {
  'GET /orders/{id}/invoices': orderInPath((id) => `/orders/${id}/invoices`),
  'GET /invoices/{id}/pdf': plain(usersOnly(404), () => ({ path: `/invoices/${ABSENT_ID}/pdf` })),
  'GET /support/invoices': areaOnly('orders', 200, () => ({ query: '?kind=invoice&year=2026&q=a' })),
  'GET /support/orders/{id}/invoices': areaOnly('orders', 404, () => ({
    path: `/support/orders/${ABSENT_ID}/invoices`,
  })),
  'GET /support/invoices/{id}/pdf': areaOnly('orders', 404, () => ({ path: `/support/invoices/${ABSENT_ID}/pdf` })),
  'GET /exports/orders': staffOnly(200, () => ({ query: '?from=2026-01-01' })),
  'GET /exports/invoices': ownerOnly(200, () => ({ query: '?from=2026-01-01&to=2026-12-31' })),
};
