import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRepeatableMails } from './repeatable-mails.ts';

const open = {
  payment_status: 'pending',
  fulfilment_status: 'unfulfilled',
  payment: { state: 'awaiting', bip21: 'bitcoin:x' },
} as const;
const list = (order: Parameters<typeof listRepeatableMails>[0], shipments: readonly number[] = []) =>
  listRepeatableMails(order, shipments).map(({ mail, shipment }) => `${mail} ${String(shipment ?? '')}`.trim());

test('[OPS-13] only mails that are true now can be sent again', () => {
  assert.deepEqual(list(open), ['made']);
  assert.deepEqual(list({ ...open, payment: { ...open.payment, state: 'underpaid' } }), ['underpaid']);
  assert.deepEqual(list({ ...open, payment: { ...open.payment, state: 'seen' } }), []);
  assert.deepEqual(list({ ...open, payment: { state: 'awaiting', bip21: null } }), []);
  for (const payment_status of ['expired', 'cancelled', 'refunded'] as const) {
    assert.deepEqual(list({ ...open, payment_status }), []);
  }
  const paid = { ...open, payment_status: 'paid', payment: { state: 'paid', bip21: null } } as const;
  assert.deepEqual(list(paid), ['paid']);
  assert.deepEqual(list({ ...paid, payment: { state: 'reorged_out', bip21: null } }), []);
});

test('[OPS-13] each parcel has a mail; the last of a complete order is another', () => {
  const paid = { ...open, payment_status: 'paid', payment: { state: 'paid', bip21: null } } as const;
  assert.deepEqual(list({ ...paid, fulfilment_status: 'partly_shipped' }, [1]), ['paid', 'partly-shipped 1']);
  assert.deepEqual(list({ ...paid, fulfilment_status: 'delivered' }, [1, 2]), [
    'paid',
    'partly-shipped 1',
    'shipped 2',
  ]);
});
