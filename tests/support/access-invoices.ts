/** Rows of the access table for invoices and the terms of orders. */
import { ABSENT_ID } from './access-callers.ts';
import { areaOnly, orderInPath, ownerOnly, plain, staffOnly, usersOnly } from './access-rows.ts';

export const INVOICE_ROWS = {
  'GET /orders/{id}/invoices': orderInPath((id) => `/orders/${id}/invoices`),
  'GET /invoices/{id}/pdf': plain(usersOnly(404), () => ({ path: `/invoices/${ABSENT_ID}/pdf` })),
  'GET /orders/{id}/terms': orderInPath((id) => `/orders/${id}/terms`),
  'GET /orders/{id}/terms/pdf': orderInPath((id) => `/orders/${id}/terms/pdf`),
  'GET /support/orders/{id}/terms': areaOnly('orders', 404, () => ({ path: `/support/orders/${ABSENT_ID}/terms` })),
  'GET /support/orders/{id}/terms/pdf': areaOnly('orders', 404, () => ({
    path: `/support/orders/${ABSENT_ID}/terms/pdf`,
  })),
  'GET /support/invoices': areaOnly('orders', 200, () => ({ query: '?kind=invoice&year=2026&q=a' })),
  'GET /support/orders/{id}/invoices': areaOnly('orders', 404, () => ({
    path: `/support/orders/${ABSENT_ID}/invoices`,
  })),
  'GET /support/invoices/{id}/pdf': areaOnly('orders', 404, () => ({ path: `/support/invoices/${ABSENT_ID}/pdf` })),
  'GET /tax/national-currency': staffOnly(200),
  // A version that never was: nothing changes.
  'PUT /tax/national-currency': ownerOnly(409, () => ({
    body: { currency: 'EUR', valid_days: 4, rates_from: 'table', version: 999_999 },
  })),
  'PUT /tax/national-rates': staffOnly(409, () => ({
    body: { source: 'ECB', rates: [{ day: '2026-11-27', rate: '0.86' }] },
  })),
  'DELETE /tax/national-rates/{day}': staffOnly(404, () => ({ path: '/tax/national-rates/2026-11-27' })),
  'GET /exports/orders': staffOnly(200, () => ({ query: '?from=2026-01-01' })),
  'GET /exports/invoices': ownerOnly(200, () => ({ query: '?from=2026-01-01&to=2026-12-31' })),
};
