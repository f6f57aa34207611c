/** Rows of the access table for orders that staff create. */
import { ABSENT_ID } from './access-callers.ts';
import { areaOnly } from './access-rows.ts';
import { BILLING } from './stress-buyer.ts';

const LINES = [{ product_id: ABSENT_ID, property_value_ids: [], quantity: 1 }];

export const MANUAL_ORDER_ROWS = {
  'GET /support/order-defaults': areaOnly('manual-orders', 200),
  'GET /support/customers/{id}/billing': areaOnly('manual-orders', 404, () => ({
    path: `/support/customers/${ABSENT_ID}/billing`,
  })),
  'GET /support/order-variants': areaOnly('manual-orders', 200, () => ({ path: '/support/order-variants?q=iphone' })),
  // The product does not exist.
  'POST /support/orders/preview': areaOnly('manual-orders', 409, () => ({ body: { lines: LINES } })),
  'POST /support/orders': areaOnly('manual-orders', 404, () => ({
    body: { customer_id: ABSENT_ID, lines: LINES, billing: BILLING, window: '2h', expected_total_usd: 999 },
  })),
  // The buyer placed the order.
  'POST /support/orders/{id}/renew-price': areaOnly('manual-orders', 409, ({ order }) => ({
    path: `/support/orders/${order || ABSENT_ID}/renew-price`,
    body: { window: '2h' },
  })),
  'POST /support/orders/{id}/cancel': areaOnly('manual-orders', 409, ({ order }) => ({
    path: `/support/orders/${order || ABSENT_ID}/cancel`,
    body: { reason: 'The customer changed her mind' },
  })),
};
