/** Rows of the access table for the inventory. */
import { ABSENT_ID } from './access-callers.ts';
import { areaOnly } from './access-rows.ts';

export const INVENTORY_ROWS = {
  'GET /inventory': areaOnly('stock', 200),
  'PUT /inventory': areaOnly('stock', 404, () => ({
    body: { counts: [{ variant_id: ABSENT_ID, quantity: 1, seen: null }], reason: 'counted' },
  })),
  'GET /inventory/products/{product_id}': areaOnly('stock', 404, () => ({ path: `/inventory/products/${ABSENT_ID}` })),
  'GET /inventory/{variant_id}': areaOnly('stock', 404, () => ({ path: `/inventory/${ABSENT_ID}` })),
  'PUT /inventory/{variant_id}': areaOnly('stock', 404, () => ({
    path: `/inventory/${ABSENT_ID}`,
    body: { of: 'available', quantity: 1, seen: null, reason: 'counted' },
  })),
  'POST /inventory/{variant_id}/adjustments': areaOnly('stock', 404, () => ({
    path: `/inventory/${ABSENT_ID}/adjustments`,
    body: { by: 1, reason: 'received' },
  })),
  'POST /inventory/{variant_id}/stop-tracking': areaOnly('stock', 404, () => ({
    path: `/inventory/${ABSENT_ID}/stop-tracking`,
    body: {},
  })),
  'PUT /inventory/{variant_id}/threshold': areaOnly('stock', 404, () => ({
    path: `/inventory/${ABSENT_ID}/threshold`,
    body: { threshold: 5 },
  })),
  'GET /inventory/{variant_id}/history': areaOnly('stock', 404, () => ({ path: `/inventory/${ABSENT_ID}/history` })),
  // A version that never was: nothing changes.
  'PUT /low-stock': areaOnly('stock', 409, () => ({ body: { threshold: 3, is_mailed: true, version: 999_999 } })),
};
