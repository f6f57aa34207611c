import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeRefundDue, computeWarningLimit, findDeadlineState } from './refund-deadline.ts';
import type { ReturnForDeadline } from './refund-deadline.ts';

const withdrawn = new Date('2026-07-01T10:00:00Z');
const due = computeRefundDue(withdrawn);
const at = (text: string): Date => new Date(text);
const one = (more: Partial<ReturnForDeadline> = {}): ReturnForDeadline => ({
  state: 'approved',
  refundDueAt: due,
  unitsToSend: 1,
  sentAt: null,
  receivedAt: null,
  isCreditOwed: false,
  ...more,
});

test('[RET-06] a refund is due 14 days after the withdrawal', () => {
  assert.deepEqual(due, at('2026-07-15T10:00:00Z'));
});

test('[RET-06] a refund is withheld until the goods or a proof of sending arrive', () => {
  const late = at('2026-08-01T00:00:00Z');
  assert.equal(findDeadlineState(one(), late), 'withheld');
  assert.equal(findDeadlineState(one({ sentAt: withdrawn }), late), 'overdue');
  assert.equal(findDeadlineState(one({ receivedAt: withdrawn, state: 'received' }), late), 'overdue');
  assert.equal(findDeadlineState(one({ unitsToSend: 0 }), late), 'overdue', 'nothing has to be sent');
});

test('[RET-06] a deadline is near three days before it, and over at its moment', () => {
  const sent = one({ sentAt: withdrawn, state: 'in-transit' });
  assert.equal(findDeadlineState(sent, at('2026-07-12T09:59:59Z')), 'waiting');
  assert.equal(findDeadlineState(sent, at('2026-07-12T10:00:00Z')), 'soon');
  assert.equal(findDeadlineState(sent, at('2026-07-15T09:59:59Z')), 'soon');
  assert.equal(findDeadlineState(sent, at('2026-07-15T10:00:00Z')), 'overdue');
  assert.deepEqual(computeWarningLimit(at('2026-07-12T10:00:00Z')), due);
});

test('[RET-06] a return that ended or is not approved has no deadline', () => {
  const late = at('2026-08-01T00:00:00Z');
  for (const state of ['closed', 'refused'] as const)
    assert.equal(findDeadlineState(one({ state, sentAt: withdrawn }), late), 'none');
  assert.equal(findDeadlineState(one({ refundDueAt: null, state: 'requested' }), late), 'none');
});

test('[RET-08] the credit of an exchange that is owed again has the deadline of its return', () => {
  const exchanged = one({ state: 'closed', sentAt: withdrawn, receivedAt: withdrawn, isCreditOwed: true });
  assert.equal(findDeadlineState(exchanged, at('2026-07-10T00:00:00Z')), 'waiting');
  assert.equal(findDeadlineState(exchanged, at('2026-08-01T00:00:00Z')), 'overdue');
});
