/** Rows of the access table for the inventory. */
import { ABSENT_ID } from './access-callers.ts';
import { staffOnly } from './access-rows.ts';

export const INVENTORY_ROWS = {
  'GET /inventory': staffOnly(200),
  'GET /inventory/{variant_id}': staffOnly(404, () => ({ path: `/inventory/${ABSENT_ID}` })),
  'PUT /inventory/{variant_id}': staffOnly(404, () => ({
    path: `/inventory/${ABSENT_ID}`,
    body: { of: 'available', quantity: 1, seen: null, reason: 'counted' },
  })),
  'POST /inventory/{variant_id}/adjustments': staffOnly(404, () => ({
    path: `/inventory/${ABSENT_ID}/adjustments`,
    body: { by: 1, reason: 'received' },
  })),
  'POST /inventory/{variant_id}/stop-tracking': staffOnly(404, () => ({
    path: `/inventory/${ABSENT_ID}/stop-tracking`,
    body: {},
  })),
  'PUT /inventory/{variant_id}/threshold': staffOnly(404, () => ({
    path: `/inventory/${ABSENT_ID}/threshold`,
    body: { threshold: 5 },
  })),
  'GET /inventory/{variant_id}/history': staffOnly(404, () => ({ path: `/inventory/${ABSENT_ID}/history` })),
  // A version that never was: nothing changes.
  'PUT /low-stock': staffOnly(409, () => ({ body: { threshold: 3, is_mailed: true, version: 999_999 } })),
};
