import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeForgotten, refuseRecord, refuseUndo } from './by-hand.ts';
import type { RefundToUndo } from './by-hand.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const recorded: RefundToUndo = { id: 'a', state: 'confirmed', txid: 'ab'.repeat(32), vout: null };

test('[OPS-25] a payment of the shop is not recorded as a refund', () => {
  assert.equal(refuseRecord({ isPayment: true, isOfAnotherRefund: false }), 'own-payment');
  assert.equal(refuseRecord({ isPayment: false, isOfAnotherRefund: true }), 'txid-known');
  assert.equal(refuseRecord({ isPayment: false, isOfAnotherRefund: false }), null);
});

test('[OPS-25] only a recorded refund is undone, and never beside an open one', () => {
  assert.equal(refuseUndo(recorded, [recorded]), null);
  assert.equal(refuseUndo({ ...recorded, vout: 0 }, []), 'not-recorded');
  assert.equal(refuseUndo({ ...recorded, state: 'made', txid: null }, []), 'not-recorded');
  assert.equal(refuseUndo(recorded, [recorded, { id: 'b', state: 'made' }]), 'refund-open');
  assert.equal(refuseUndo(recorded, [recorded, { id: 'b', state: 'confirmed' }]), null);
});

test('[PAY-14] refunds of orders older than a restore may be forgotten', () => {
  assert.equal(mayBeForgotten(AT, null), false);
  assert.equal(mayBeForgotten(AT, new Date(AT.getTime() - 1)), false);
  assert.equal(mayBeForgotten(AT, AT), true);
});
