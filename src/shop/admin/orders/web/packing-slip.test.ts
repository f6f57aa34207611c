import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billing } from '../../../../../tests/support/test-billing.ts';
import type { OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { createSlip } from './packing-slip.ts';

const SERIAL = { number: '490154203237518', is_returned: false };

const createOrder = (more: Partial<OrderToShip>): OrderToShip => ({
  id: '019a0000-0000-7000-8000-000000000000',
  number: 'CM-1',
  created_at: '2026-03-01T12:00:00.000Z',
  fulfilment_status: 'partly_shipped',
  block: null,
  is_address_changeable: true,
  billing: billing,
  next_shipment: 2,
  lines: [
    {
      position: 0,
      name: 'Phone',
      sku: 'A-1',
      serial_kind: 'imei',
      quantity: 3,
      shipped_quantity: 1,
      refunded_unshipped_quantity: 0,
      withdrawn_quantity: 0,
    },
  ],
  shipments: [
    {
      number: 1,
      shipped_at: '2026-03-01T12:00:00.000Z',
      carrier: null,
      tracking_number: null,
      tracking_url: null,
      items: [{ position: 0, name: 'Phone', quantity: 1, serials: [SERIAL] }],
    },
  ],
  ...more,
});

test('[OPS-29] the packing slip of a parcel has the numbers of its units', () => {
  assert.deepEqual(createSlip(createOrder({}), 1)?.items[0]?.serials, [SERIAL.number]);
  assert.deepEqual(createSlip(createOrder({}), 0)?.items[0]?.serials, []);
});

const read = (order: OrderToShip, shipment: number) => createSlip(order, shipment)?.items[0]?.quantity ?? null;

test('[OPS-13] an order that must not be shipped has no packing slip', () => {
  assert.deepEqual([read(createOrder({}), 0), read(createOrder({}), 1)], [2, 1]);
  const refunding = createOrder({ block: 'refunding' });
  // The parcel that was sent keeps its slip.
  assert.deepEqual([read(refunding, 0), read(refunding, 1)], [null, 1]);
});
