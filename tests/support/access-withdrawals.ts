/** Rows of the access table for withdrawals. */
import { ABSENT_ID } from './access-callers.ts';
import { all, areaOnly, orderInPath, plain } from './access-rows.ts';

const NAMED = { order_number: '999999', order_email: 'nobody@access.example' };
const DECLARATION = { ...NAMED, name: 'Ada Lovelace', units: null, acknowledgement_email: null, reason: null };

export const WITHDRAWAL_ROWS = {
  'POST /withdrawal/read': plain(all(404), () => ({ body: { link: 'x' } })),
  'POST /withdrawal/preview': plain(all(200), () => ({ body: DECLARATION })),
  'POST /withdrawal': plain(all(201), () => ({ body: { ...DECLARATION, key: crypto.randomUUID() } })),
  'POST /withdrawal/link': plain(all(200), () => ({ body: NAMED })),
  'POST /withdrawal/receipt': plain(all(404), () => ({ body: { receipt: 'x' } })),
  'GET /withdrawal/{receipt}/pdf': plain(all(404), () => ({ path: '/withdrawal/x/pdf' })),
  'GET /orders/{id}/withdrawals': orderInPath((id) => `/orders/${id}/withdrawals`),
  'GET /support/withdrawals': areaOnly('orders', 200),
  'POST /support/withdrawals/{id}/answer': areaOnly('shipping', 404, () => ({
    path: `/support/withdrawals/${ABSENT_ID}/answer`,
  })),
  'GET /support/orders/{id}/withdrawals': areaOnly('orders', 404, () => ({
    path: `/support/orders/${ABSENT_ID}/withdrawals`,
  })),
};
