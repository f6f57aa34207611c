import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPossiblyForgotten, findRecordProblem, findUndoProblem } from './manual-record.ts';
import type { RefundToUndo } from './manual-record.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const recorded: RefundToUndo = { id: 'a', state: 'confirmed', txid: 'ab'.repeat(32), vout: null };

test('[OPS-25] a payment to the shop is not recorded as a refund', () => {
  assert.equal(findRecordProblem({ isPayment: true, isOfAnotherRefund: false }), 'own-payment');
  assert.equal(findRecordProblem({ isPayment: false, isOfAnotherRefund: true }), 'txid-known');
  assert.equal(findRecordProblem({ isPayment: false, isOfAnotherRefund: false }), null);
});

test('[OPS-25] only a recorded refund can be undone, without another open one', () => {
  assert.equal(findUndoProblem(recorded, [recorded]), null);
  assert.equal(findUndoProblem({ ...recorded, vout: 0 }, []), 'not-recorded');
  assert.equal(findUndoProblem({ ...recorded, state: 'made', txid: null }, []), 'not-recorded');
  assert.equal(findUndoProblem(recorded, [recorded, { id: 'b', state: 'made' }]), 'refund-open');
  assert.equal(findUndoProblem(recorded, [recorded, { id: 'b', state: 'confirmed' }]), null);
});

test('[PAY-14] orders older than a restore may lack refunds', () => {
  assert.equal(isPossiblyForgotten(AT, null), false);
  assert.equal(isPossiblyForgotten(AT, new Date(AT.getTime() - 1)), false);
  assert.equal(isPossiblyForgotten(AT, AT), true);
});
