import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFulfilmentProblem } from './find-fulfilment-problem.ts';
import type { OrderToFulfil } from './find-fulfilment-problem.ts';

const paid: OrderToFulfil = {
  payment_status: 'paid',
  fulfilment_status: 'unfulfilled',
  tracking_reference: null,
  refund_state: null,
  paid_at: new Date('2026-03-01T12:00:00Z'),
};
const shipped: OrderToFulfil = { ...paid, fulfilment_status: 'shipped', tracking_reference: 'AB 1' };
const ship = (order: OrderToFulfil, trackingReference: string | null = null) =>
  findFulfilmentProblem(order, { to: 'shipped', trackingReference });
const deliver = (order: OrderToFulfil) => findFulfilmentProblem(order, { to: 'delivered' });

test('[OPS-03] ships only paid orders; holds those with a reorganized payment', () => {
  assert.equal(ship(paid), null);
  assert.equal(ship({ ...paid, payment_status: 'user_paid' }), 'shipping-held');
  assert.equal(ship({ ...paid, refund_state: 'refunding' }), 'refunding');
  for (const payment_status of ['pending', 'user_paid', 'expired', 'cancelled', 'refunded'] as const) {
    assert.equal(ship({ ...paid, payment_status, paid_at: null }), 'not-paid');
  }
  for (const payment_status of ['refunded', 'cancelled'] as const) {
    assert.equal(ship({ ...paid, payment_status }), 'not-paid');
  }
});

test('[OPS-03] accepts a repeated step, rejects another reference', () => {
  for (const order of [shipped, { ...shipped, fulfilment_status: 'delivered' } as const]) {
    assert.equal(ship(order), null);
    assert.equal(ship(order, 'AB 1'), null);
    assert.equal(ship(order, 'AB 2'), 'shipped-otherwise');
    assert.equal(ship({ ...order, tracking_reference: null }, 'AB 2'), 'shipped-otherwise');
    assert.equal(deliver(order), null);
    assert.equal(deliver({ ...order, payment_status: 'user_paid' }), null);
  }
  assert.equal(deliver(paid), 'not-shipped');
});
