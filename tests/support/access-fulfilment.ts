/** Rows of the access table for shipping and the order desk. */
import { ABSENT_ID } from './access-callers.ts';
import { areaOnly, ownerOnly, staffOnly } from './access-rows.ts';

const ADDRESS = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4AA',
};

let carriers = 0;
export const FULFILMENT_ROWS = {
  'GET /carriers': areaOnly('orders', 200),
  'POST /carriers': ownerOnly(201, () => ({ body: { name: `Carrier ${(carriers += 1)}`, url_pattern: '' } })),
  'PUT /carriers/{id}': ownerOnly(404, () => ({
    path: `/carriers/${ABSENT_ID}`,
    body: { name: 'Absent', url_pattern: '' },
  })),
  'DELETE /carriers/{id}': ownerOnly(404, () => ({ path: `/carriers/${ABSENT_ID}` })),
  'GET /support/fulfilment': areaOnly('orders', 200, ({ order }) => ({
    path: `/support/fulfilment?ids=${order || ABSENT_ID}`,
  })),
  'POST /support/shipments': areaOnly('shipping', 200, () => ({
    body: { shipments: [{ order_id: ABSENT_ID, number: 1 }] },
  })),
  'POST /orders/{id}/ship': areaOnly('shipping', 409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/ship`,
    body: { tracking_reference: 'AB 1' },
  })),
  'PUT /orders/{id}/shipments/{number}': areaOnly('shipping', 409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/shipments/1`,
    body: { tracking_reference: 'AB 1' },
  })),
  'PUT /orders/{id}/shipments/{number}/serials': areaOnly('shipping', 409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/shipments/1/serials`,
    body: { position: 0, numbers: ['A1'], seen: [] },
  })),
  'GET /exports/serial-numbers': staffOnly(200, () => ({ query: '?from=2026-01-01' })),
  'POST /support/serial-numbers/check': areaOnly('shipping', 200, () => ({ body: { csv: 'order,line,number' } })),
  'POST /support/serial-numbers/import': areaOnly('shipping', 200, () => ({ body: { csv: 'order,line,number' } })),
  'POST /orders/{id}/shipments/{number}/undo': areaOnly('shipping', 409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/shipments/1/undo`,
  })),
  'GET /orders/{id}/notes': areaOnly('orders', 200, ({ order }) => ({ path: `/orders/${order || ABSENT_ID}/notes` })),
  'POST /orders/{id}/notes': areaOnly('orders', 201, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/notes`,
    body: { text: 'Called: wants it on Monday' },
  })),
  'DELETE /orders/{id}/notes/{note_id}': areaOnly('orders', 200, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/notes/${ABSENT_ID}`,
  })),
  'PUT /orders/{id}/address': areaOnly('orders', 200, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/address`,
    body: ADDRESS,
  })),
  'GET /orders/{id}/mails': areaOnly('orders', 200, ({ order }) => ({ path: `/orders/${order || ABSENT_ID}/mails` })),
  // The order has no shipment.
  'POST /orders/{id}/mails': areaOnly('orders', 409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/mails`,
    body: { mail: 'shipped', shipment: 1 },
  })),
  'GET /support/paid-order-mails': staffOnly(200),
  // A version that never was: nothing changes.
  'PUT /support/paid-order-mails': ownerOnly(409, () => ({ body: { mode: 'each', version: 999_999 } })),
  'GET /support/order-filters': areaOnly('orders', 200),
  'POST /support/order-filters': areaOnly('orders', 201, () => ({
    body: { name: `Filter ${(carriers += 1)}`, query: 'status=paid' },
  })),
  'DELETE /support/order-filters/{id}': areaOnly('orders', 200, () => ({
    path: `/support/order-filters/${ABSENT_ID}`,
  })),
};
