import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SATS, sats } from '#src/shop/money.ts';
import { findDeletionBlock } from './deletion-block.ts';
import type { OrderForDeletion } from './deletion-block.ts';

const ended: OrderForDeletion = {
  is_open: false,
  payment_status: 'paid',
  fulfilment_status: 'shipped',
  recorded_received_sats: sats(100_000n),
  refund_state: null,
  closed_as_loss_of: null,
  refunded_sats: NO_SATS,
  has_open_refund: false,
  has_open_return: false,
  owes_credit: false,
};
const findBlock = (change: Partial<OrderForDeletion>) => findDeletionBlock({ ...ended, ...change });

test('[PRIV-02] an order that has ended does not block the deletion', () => {
  assert.equal(findBlock({}), null);
  assert.equal(
    findBlock({ payment_status: 'refunded', refund_state: 'refunded', refunded_sats: sats(100_000n) }),
    null,
  );
  for (const payment_status of ['expired', 'cancelled'] as const) {
    const unsent = { payment_status, fulfilment_status: 'unfulfilled' } as const;
    assert.equal(findBlock({ ...unsent, recorded_received_sats: NO_SATS }), null);
    assert.equal(findBlock({ ...unsent, recorded_received_sats: sats(293n) }), null, 'dust');
    assert.equal(findBlock({ ...unsent, refunded_sats: sats(100_000n) }), null, 'written off');
  }
});

test('[PRIV-02] an open or unshipped order blocks the deletion', () => {
  assert.equal(findBlock({ is_open: true, payment_status: 'pending' }), 'order-open');
  assert.equal(findBlock({ fulfilment_status: 'unfulfilled' }), 'order-unshipped');
});

test('[PRIV-02] money that is neither accepted nor sent back blocks the deletion', () => {
  for (const payment_status of ['expired', 'cancelled'] as const) {
    assert.equal(findBlock({ payment_status }), 'payment-under-way');
    assert.equal(findBlock({ payment_status, recorded_received_sats: sats(294n) }), 'payment-under-way');
  }
  const again = { payment_status: 'refunded', refund_state: 'refunded', refunded_sats: sats(60_000n) } as const;
  assert.equal(findBlock(again), 'payment-under-way', 'paid after the refund');
});

test('[PRIV-02] a payment that was reorganised out blocks the deletion', () => {
  for (const fulfilment_status of ['unfulfilled', 'shipped'] as const) {
    assert.equal(findBlock({ payment_status: 'user_paid', fulfilment_status }), 'payment-under-way');
    assert.equal(findBlock({ payment_status: 'pending', fulfilment_status }), 'payment-under-way');
  }
});

test('[PRIV-02] a refund that is not confirmed blocks the deletion', () => {
  assert.equal(findBlock({ has_open_refund: true }), 'refund-under-way');
  assert.equal(findBlock({ has_open_return: true }), 'return-open');
  const refunded = { payment_status: 'refunded', refund_state: 'refunded', refunded_sats: sats(100_000n) } as const;
  assert.equal(findBlock({ has_open_return: true, ...refunded }), null);
  assert.equal(findBlock({ owes_credit: true }), 'payment-under-way');
  assert.equal(findBlock({ payment_status: 'refunded', refund_state: 'refunding' }), 'refund-under-way');
});

test('[PAY-14] [PRIV-02] a shipped and unpaid order blocks the deletion until it is closed', () => {
  for (const payment_status of ['expired', 'user_paid'] as const) {
    const unpaid = { payment_status, recorded_received_sats: NO_SATS };
    assert.equal(findBlock(unpaid), 'payment-under-way');
    assert.equal(findBlock({ ...unpaid, closed_as_loss_of: 'payment' }), null);
  }
});
