import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideStockAfterRefund } from './stock-after-refund.ts';
import type { OrderStockState } from './stock-after-refund.ts';

const at = new Date('2026-03-01T12:00:00Z');
const paid: OrderStockState = {
  paid_at: at,
  fulfilment_status: 'unfulfilled',
  refund_state: null,
  recorded_state: 'paid',
  cancelled_at: null,
  units_returned_at: null,
};
const refunded: OrderStockState = { ...paid, refund_state: 'refunded', recorded_state: 'refunding' };

test('[PAY-13] restocks a fully refunded unshipped order once', () => {
  assert.equal(decideStockAfterRefund(refunded), 'restock');
  assert.equal(decideStockAfterRefund({ ...refunded, units_returned_at: at }), null);
  assert.equal(decideStockAfterRefund(paid), null);
  assert.equal(decideStockAfterRefund({ ...paid, refund_state: 'refunding' }), null);
  assert.equal(decideStockAfterRefund({ ...refunded, paid_at: null }), null, 'restocked at expiry');
  for (const fulfilment_status of ['shipped', 'delivered'] as const) {
    assert.equal(decideStockAfterRefund({ ...refunded, fulfilment_status }), null);
  }
});

test('[PAY-13] reserves again after an undone refund, not while it is resent', () => {
  const returned = { ...refunded, recorded_state: 'refunded', units_returned_at: at } as const;
  assert.equal(decideStockAfterRefund({ ...returned, refund_state: 'refunding' }), null);
  assert.equal(decideStockAfterRefund({ ...returned, refund_state: null }), 'reserve-again');
  assert.equal(
    decideStockAfterRefund({ ...returned, refund_state: null, recorded_state: 'refunding' }),
    'reserve-again',
  );
  assert.equal(
    decideStockAfterRefund({ ...returned, refund_state: null, cancelled_at: at }),
    null,
    'staff cancelled it',
  );
  // Missing stock is reserved again when shipping, not at each block.
  assert.equal(decideStockAfterRefund({ ...returned, refund_state: null, recorded_state: 'paid' }), null);
});
